private import Glibc
internal import System

/// The library's journal mode: WAL wherever the file system allows it.
extension LibraryFile {
  /// Switches to WAL mode. Where processes cannot share memory, as on some network file systems, the rollback journal
  /// stays.
  func useWAL() throws(StoreError) {
    if try !startsWAL() { try leaveWAL() }
    removeWAL()
  }

  /// SQLite accepts WAL mode on any file system; only the next statement shows whether memory can be shared there.
  private func startsWAL(_ mode: Connection.Mode = .readWrite) throws(StoreError) -> Bool {
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

  /// Switches back to the rollback journal. An exclusive lock makes that possible without shared memory.
  func leaveWAL() throws(StoreError) {
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.executeScript("PRAGMA locking_mode = EXCLUSIVE")
    guard try connection.first("PRAGMA journal_mode = DELETE", { $0.text(0) }) == "delete" else {
      throw StoreError(.busy(holder: nil), message: "the write-ahead log is in use", about: path)
    }
    withExtendedLifetime(connection) { removeWAL() }
    whenWALIsLost()
  }

  private func removeWAL() {
    unlink(path + "-wal")
    unlink(path + "-shm")
  }

  /// Switches a copy that was put here by hand to WAL mode. While other processes read it, that has to wait.
  func ensureWAL(_ connection: Connection) throws(StoreError) {
    guard access(path + "-wal", F_OK) != 0, allowsWAL else { return }
    do {
      _ = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) }
    } catch {
      guard case .busy = error.code else { throw error }
    }
  }

  /// Tried with another file: a library in WAL mode on a file system without shared memory could not be opened at all.
  private var allowsWAL: Bool {
    let trial = LibraryFile(path: path + ".trial-\(getpid())")
    defer {
      trial.removeWAL()
      unlink(trial.path)
    }
    return (try? trial.startsWAL(.create)) ?? false
  }

  /// Reserves space for positions on a disk that gets full. A WAL of zeros reads as an empty one.
  func reserveWAL() {
    let wal = path + "-wal"
    guard (Files.size(of: wal) ?? 0) < Self.reservedWAL, access(path + "-shm", F_OK) == 0 else { return }
    let descriptor = Glibc.open(wal, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    posix_fallocate(descriptor, 0, off_t(Self.reservedWAL))
    close(descriptor)
  }

  /// The WAL's header and 64 pages.
  private static let reservedWAL = 32 + 64 * (4096 + 24)
}
