private import Glibc
internal import System

/// The library's journal: a write-ahead log, wherever there can be one.
extension LibraryFile {
  /// From now on the file has a write-ahead log. Where processes cannot share memory, on some network file systems, the
  /// journal stays the classic one.
  func useLog() throws(StoreError) {
    if try !beginsLog() { try leaveLog() }
    removeLog()
  }

  /// SQLite says yes to any place; only the next use shows whether memory can be shared there.
  private func beginsLog(_ mode: Connection.Mode = .readWrite) throws(StoreError) -> Bool {
    let connection = try Connection(path: path, mode: mode)
    _ = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) }
    do throws(StoreError) {
      _ = try connection.integer("PRAGMA user_version")
      return true
    } catch {
      guard error.isAboutSharedMemory else { throw error }
      return false
    }
  }

  /// Who has the file for himself needs to share no memory to go back to the classic journal.
  func leaveLog() throws(StoreError) {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.executeScript("PRAGMA locking_mode = EXCLUSIVE")
    guard try connection.first("PRAGMA journal_mode = DELETE", { $0.text(0) }) == "delete" else {
      throw StoreError(.busy(holder: nil), message: "the write-ahead log is in use", about: path)
    }
    withExtendedLifetime(connection) { removeLog() }
    whenLogIsLost()
  }

  private func removeLog() {
    unlink(path + "-wal")
    unlink(path + "-shm")
  }

  /// A copy that somebody put here by hand has no log yet. While others read it, it cannot get one.
  func ensureLog(_ connection: Connection) throws(StoreError) {
    guard access(path + "-wal", F_OK) != 0, placeAllowsLog else { return }
    do {
      _ = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) }
    } catch {
      guard case .busy = error.code else { throw error }
    }
  }

  /// Tried with a file of its own: a library that has a log where none works cannot be used by anybody.
  private var placeAllowsLog: Bool {
    let trial = LibraryFile(path: path + ".trial-\(getpid())")
    defer {
      trial.removeLog()
      unlink(trial.path)
    }
    return (try? trial.beginsLog(.create)) ?? false
  }

  /// Room for positions on a disk that has none left. A log of zeros reads as an empty one.
  func reserveLog() {
    let log = path + "-wal"
    guard (Files.size(of: log) ?? 0) < Self.reservedLog, access(path + "-shm", F_OK) == 0 else { return }
    let descriptor = Glibc.open(log, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    posix_fallocate(descriptor, 0, off_t(Self.reservedLog))
    close(descriptor)
  }

  /// The log's header and sixty-four pages.
  private static let reservedLog = 32 + 64 * (4096 + 24)
}
