private import Glibc
package import PodcastModel
internal import System

/// One player per library. Who holds the lock is written in its file, for the one who comes second.
package final class PlayerLock: Sendable {
  package struct Holder: Hashable, Sendable {
    package var pid: Int32
    package var episode: EpisodeID?
  }

  private let lock: FileLock

  /// Nil while another podcli plays from this library.
  package init?(directory: String) {
    let path = Self.path(in: directory)
    // Whoever asks for the holder has the lock for an instant; a player is not turned away by that.
    guard let lock = FileLock(path: path, patience: .milliseconds(30)) else { return nil }
    self.lock = lock
    announce(nil)
  }

  deinit { endWell() }

  /// For a process that leaves without letting go of things one by one: what was to be saved is saved.
  package func endWell() { lock.write("") }

  package func announce(_ episode: EpisodeID?) {
    lock.write("\(getpid()) \(episode.map { String($0.rawValue) } ?? "-")\n")
  }

  /// Who plays now. Nil when nobody does; a process that died left words behind, but no lock.
  package static func holder(in directory: String) -> Holder? {
    let path = path(in: directory)
    guard access(path, F_OK) == 0, let holder = lastHolder(at: path) else { return nil }
    if FileLock(path: path) != nil { return nil }
    return holder
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
