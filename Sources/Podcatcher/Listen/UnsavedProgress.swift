package import PodcastModel
internal import PodcastStore
private import Synchronization

/// Positions and ends that are on their way into the library, or that it has not taken, because it was locked or the disk
/// full. Under a lock of its own: the end by a signal writes them into the side file without waiting for the listener.
final class UnsavedProgress: Sendable {
  struct Item: Hashable, Sendable {
    var episode: Episode
    var position: Duration
    /// The byte that sounds there, where a position cannot be computed from bytes.
    var byte: HeardByte?
    var urgency = PositionUrgency.flush
    /// It was heard to its end.
    var isEnd = false
    var heardAt = Timestamp.now
  }

  private let items = Mutex<[Item]>([])

  /// The oldest first; of an episode at most an end, and a position behind it.
  var all: [Item] { items.withLock { $0 } }

  /// The episodes whose end the library has not taken.
  var ends: Set<EpisodeID> { Set(all.filter(\.isEnd).map(\.episode.id)) }

  /// The position in an episode, or its end where that is the last.
  subscript(id: EpisodeID) -> Item? { all.last { $0.episode.id == id } }

  func contains(_ item: Item) -> Bool { items.withLock { $0.contains(item) } }

  /// Takes the place of an earlier position in the same episode. An earlier end stays: the episode was heard again since.
  func keep(_ item: Item) {
    items.withLock { items in
      items.removeAll { $0.episode.id == item.episode.id && (item.isEnd || !$0.isEnd) }
      items.append(item)
    }
  }

  /// The library has it. A later one of the same episode stays.
  func remove(_ item: Item) { items.withLock { $0.removeAll { $0 == item } } }
}

/// Positions and ends that neither the library nor the side file took.
package struct LostProgress: Sendable {
  package struct Item: Sendable {
    package var episode: Episode
    /// Nil for an end.
    package var position: Duration?
  }

  /// The last one last.
  package var items: [Item]
  package var isDiskFull: Bool
  /// The system's words.
  package var reason: String
}
