private import Glibc
private import Synchronization
private import System

/// The file in which a player publishes its status for other processes. Each process has its own, replaced whole; a file
/// whose process does not hold a library's player lock means nothing. A failed write is ignored: the sound goes on.
final class PlayerStatusFile: Sendable {
  private let path: String
  private let last = Mutex("")

  init(in directory: String) {
    path = Self.path(of: getpid(), in: directory)
    if Files.makeFolder(directory) { Self.sweep(directory) }
  }

  /// Writes the status where it has changed.
  func publish(_ status: PlayerStatus) {
    let text = status.text
    let isNew = last.withLock { last in
      defer { last = text }
      return last != text
    }
    if isNew { _ = Files.replace(path, with: Array(text.utf8), isDurable: false) }
  }

  func remove() { unlink(path) }

  static func read(of pid: Int32, in directory: String) -> PlayerStatus? {
    Files.read(path(of: pid, in: directory), atMost: 4096, followsLinks: false)
      .flatMap { PlayerStatus(text: String(decoding: $0, as: UTF8.self)) }
  }

  private static let name = "player-"

  private static func path(of pid: Int32, in directory: String) -> String { "\(directory)/\(name)\(pid)" }

  /// Removes the files of players that were killed.
  private static func sweep(_ directory: String) {
    for file in Files.names(in: directory) ?? [] {
      // A socket's name ends differently: its number is no process.
      guard file.hasPrefix(name), !file.hasSuffix(".sock"),
        let pid = Int32(file.dropFirst(name.count).prefix { $0.isNumber })
      else { continue }
      if kill(pid, 0) != 0, errno == ESRCH { unlink(directory + "/" + file) }
    }
  }
}
