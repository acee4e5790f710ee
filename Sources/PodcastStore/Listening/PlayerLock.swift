private import Glibc
package import PodcastModel
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

  private let lock: FileLock

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

  /// Empties the lock's file, also for a process that exits without releasing its objects.
  package func endWell() { lock.write("") }

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

  private static func lastHolder(at path: String) -> Holder? {
    guard let words = FileLock.read(path)?.split(whereSeparator: \.isWhitespace),
      let pid = words.first.flatMap({ Int32($0) })
    else { return nil }
    let episode = words.dropFirst().first.flatMap { Int64($0) }
    return Holder(pid: pid, episode: episode.map(EpisodeID.init(rawValue:)))
  }

  private static func path(in directory: String) -> String { directory + "/player.lock" }
}
