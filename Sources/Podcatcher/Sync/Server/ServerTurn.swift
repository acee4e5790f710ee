internal import System

/// The lock of the account: one process at a time syncs with the server, logs in or logs out. Otherwise a sync that is
/// underway would write of the old server what a logout has just forgotten.
enum ServerTurn {
  /// Nil where another holds it. `patiently`: for as long as ten seconds.
  static func take(in data: String, patiently: Bool = true) async -> FileLock? {
    for _ in 0..<(patiently ? 100 : 1) {
      if let lock = FileLock(path: Paths.libraryFolder(in: data) + "/sync-server.lock") { return lock }
      try? await Task.sleep(for: .milliseconds(100))
    }
    return nil
  }
}
