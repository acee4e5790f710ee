private import Glibc
package import PodcastModel
internal import Synchronization
internal import System

/// Numbers the positions a process writes. The highest number is the last position, whatever the clock does.
package final class PositionNumbers: Sendable {
  private let last = Atomic<Int64>(0)

  package func next() -> Int64 { last.add(1, ordering: .relaxed).newValue }

  func startAbove(_ number: Int64) { last.max(number, ordering: .relaxed) }
}

/// A position that could not be written into the library because it was locked or the disk full.
/// It waits in a small file of its own until the library is next opened for writing.
package struct PendingProgress: Hashable, Sendable {
  package var episode: EpisodeID
  package var position: Duration
  package var number: Int64
  /// What sounds there, where the position is only a guess.
  package var byte: Int64?

  package init(episode: EpisodeID, position: Duration, number: Int64, byte: Int64? = nil) {
    self.episode = episode
    self.position = position
    self.number = number
    self.byte = byte
  }

  /// Needs no library, no actor and no allocation worth the name, so that a signal can always be answered with it.
  /// The new file replaces the old one whole, and is on the disk when this returns true.
  @discardableResult
  package func write(in directory: String) -> Bool {
    let numbers = [episode.rawValue, position.inMilliseconds, number] + [byte].compactMap(\.self)
    let text = numbers.map(String.init).joined(separator: " ") + "\n"
    return Files.replace(Self.path(in: directory), with: Array(text.utf8), isDurable: true)
  }

  static func read(in directory: String) -> PendingProgress? {
    guard let text = FileLock.read(path(in: directory)), text.last == "\n" else { return nil }
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    guard (3...4).contains(numbers.count), numbers[1] >= 0 else { return nil }
    return PendingProgress(
      episode: EpisodeID(rawValue: numbers[0]), position: .milliseconds(numbers[1]), number: numbers[2],
      byte: numbers.count == 4 ? numbers[3] : nil)
  }

  static func exists(in directory: String) -> Bool { access(path(in: directory), F_OK) == 0 }

  static func remove(in directory: String) { unlink(path(in: directory)) }

  private static func path(in directory: String) -> String { directory + "/progress.pending" }
}
