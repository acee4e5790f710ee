private import Glibc
package import PodcastModel
private import Synchronization
internal import System

/// Allows one player per library. The lock's file names its process and episode, for a second player.
package final class PlayerLock: Sendable {
  /// The process that plays.
  package struct Holder: Hashable, Sendable {
    /// Its process id.
    package var pid: Int32
    /// The episode it plays, once that is known.
    package var episode: EpisodeID?
  }

  /// The reason why a player in the background ended, and the episode in which it did.
  package struct LastFailure: Hashable, Sendable {
    /// The last episode of that player.
    package var episode: EpisodeID
    /// One line for the user.
    package var reason: String
    /// Of its end.
    package var time: Timestamp

    /// `reason` is one line.
    package init(episode: EpisodeID, reason: String, time: Timestamp = .now) {
      (self.episode, self.reason, self.time) = (episode, reason, time)
    }
  }

  private let lock: FileLock
  private let hasEnded = Atomic(false)

  /// Nil while another podcli plays from this library. Throws where the lock's file cannot be made or opened.
  package init?(directory: String) throws(StoreError) {
    let path = Self.path(in: directory)
    // `holder(in:)` takes the lock for an instant, so a player tries again.
    guard let lock = FileLock(path: path, patience: .milliseconds(30)) else {
      guard errno == EWOULDBLOCK else { throw LibraryFile(path: path).systemFailure() }
      return nil
    }
    self.lock = lock
    announce(nil)
  }

  deinit { endWell() }

  /// Takes the process out of the lock's file, also for one that exits without releasing its objects. A failure is kept
  /// there until the next player begins. The file is never empty: on a full disk the space that it has is all there is.
  package func endWell(_ failure: LastFailure? = nil) {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    lock.write(failure.map { "\(Self.failed) \($0.episode.rawValue) \($0.time.seconds) \($0.reason)\n" } ?? "\n")
  }

  /// Writes the process and its episode into the lock's file.
  package func announce(_ episode: EpisodeID?) {
    lock.write("\(getpid()) \(episode.map { String($0.rawValue) } ?? "-")\n")
  }

  /// The player, if there is one. A process that died may have left its file, but no lock.
  package static func holder(in directory: String) -> Holder? {
    let path = path(in: directory)
    guard access(path, F_OK) == 0, let holder = lastHolder(at: path) else { return nil }
    return FileLock.isHeld(path) ? holder : nil
  }

  /// The failure of the last player, where it played in the background and had one.
  package static func lastFailure(in directory: String) -> LastFailure? {
    let text = Files.read(path(in: directory), atMost: 1 << 13).map { String(decoding: $0, as: UTF8.self) }
    let words = text?.split(separator: " ", maxSplits: 3) ?? []
    guard words.count == 4, words[0] == failed, let episode = Int64(words[1]), let time = Int64(words[2]) else {
      return nil
    }
    return LastFailure(
      episode: EpisodeID(rawValue: episode), reason: String(words[3].prefix { !$0.isNewline }),
      time: Timestamp(seconds: time))
  }

  private static let failed = "failed"

  private static func lastHolder(at path: String) -> Holder? {
    guard let words = FileLock.read(path)?.split(whereSeparator: \.isWhitespace),
      let pid = words.first.flatMap({ Int32($0) })
    else { return nil }
    let episode = words.dropFirst().first.flatMap { Int64($0) }
    return Holder(pid: pid, episode: episode.map(EpisodeID.init(rawValue:)))
  }

  private static func path(in directory: String) -> String { directory + "/player.lock" }
}
