private import Glibc
private import Synchronization
private import System

/// The file in which a player publishes its status for other processes. Each process has its own, replaced whole; a file
/// whose process does not hold a library's player lock means nothing. A failed write is ignored: the sound goes on.
final class PlayerStatusFile: Sendable {
  /// Nil where the folder is another user's, or cannot be made.
  private let path: String?
  /// Nil once the file is removed, for good.
  private let last = Mutex<String?>("")

  init(in directory: String) {
    guard Files.makePrivateFolder(directory, mayBeLink: true) else { path = nil; return }
    path = Self.path(of: getpid(), in: directory)
    Self.sweep(directory)
  }

  /// Writes the status where it has changed.
  func publish(_ status: PlayerStatus) {
    guard let path else { return }
    let text = status.text
    let isNew = last.withLock { last in
      guard last != nil, last != text else { return false }
      last = text
      return true
    }
    guard isNew else { return }
    _ = Files.replace(path, with: Array(text.utf8), isDurable: false)
    if last.withLock({ $0 == nil }) { unlink(path) }
  }

  func remove() {
    last.withLock { $0 = nil }
    if let path { unlink(path) }
  }

  static func read(of pid: Int32, in directory: String) -> PlayerStatus? {
    Files.read(path(of: pid, in: directory), atMost: 4096, followsLinks: false)
      .flatMap { PlayerStatus(text: String(decoding: $0, as: UTF8.self)) }
  }

  private static let name = "player-"

  private static func path(of pid: Int32, in directory: String) -> String { "\(directory)/\(name)\(pid)" }

  /// Removes the files of players that were killed.
  private static func sweep(_ directory: String) {
    for file in Files.names(in: directory) ?? [] {
      // The status of a process, or the draft of one. Sockets and logs of other libraries have names with a hash.
      let parts = file.dropFirst(name.count).split(separator: ".", omittingEmptySubsequences: false)
      guard file.hasPrefix(name), parts.allSatisfy({ Int32($0) != nil }), let pid = parts.first.flatMap({ Int32($0) })
      else { continue }
      if kill(pid, 0) != 0, errno == ESRCH { unlink(directory + "/" + file) }
    }
  }
}
