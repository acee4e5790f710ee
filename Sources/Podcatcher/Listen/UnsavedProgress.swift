internal import PodcastModel
internal import PodcastStore
private import Synchronization

/// Positions and ends that the library has not taken, because it was locked or the disk full. Under a lock of its own: the
/// end by a signal writes them into the side file without waiting for the listener.
final class UnsavedProgress: Sendable {
  struct Item: Hashable, Sendable {
    var episode: Episode
    var position: Duration
    /// The byte that sounds there, where a position cannot be computed from bytes.
    var byte: HeardByte?
    /// It was heard to its end.
    var isEnd = false
  }

  private let items = Mutex<[Item]>([])

  /// One for each episode, the last one last.
  var all: [Item] { items.withLock { $0 } }

  /// The episodes whose end the library has not taken.
  var ends: Set<EpisodeID> { Set(all.filter(\.isEnd).map(\.episode.id)) }

  subscript(id: EpisodeID) -> Item? { all.first { $0.episode.id == id } }

  /// Takes the place of an earlier position in the same episode.
  func keep(_ item: Item) {
    items.withLock { items in
      items.removeAll { $0.episode.id == item.episode.id }
      items.append(item)
    }
  }

  /// The library has a later one.
  func remove(_ id: EpisodeID) { items.withLock { $0.removeAll { $0.episode.id == id } } }

  /// The library has it. A later one of the same episode stays.
  func remove(_ item: Item) { items.withLock { $0.removeAll { $0 == item } } }
}
