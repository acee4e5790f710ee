private import Dispatch
private import Glibc

/// Syncs the WAL to the disk, on a thread of its own.
///
/// A position is written in a moment. Making it durable means waiting for the disk, and with it for all that a refresh
/// has just written to the same WAL. So the player goes on meanwhile.
final class WALSync: Sendable {
  private let queue = DispatchQueue(label: "podcli.sync")
  private let wal: String

  init(library: String) { wal = library + "-wal" }

  /// Starts to sync all that is committed by now.
  func begin() {
    // A disk that fails is reported by the next flush, which waits for it.
    queue.async { [self] in _ = now() }
  }

  /// Syncs all that is committed by now. No other process waits for this to write, as it would for a durable commit.
  /// False where the file system allows no WAL, or the disk fails.
  func now() -> Bool {
    let descriptor = open(wal, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fdatasync(descriptor) == 0
  }

  /// Returns when every sync begun before is done.
  func wait() { queue.sync {} }
}
