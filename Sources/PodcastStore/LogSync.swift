private import Dispatch
private import Glibc

/// Makes durable what the log holds, on a thread of its own.
///
/// A position is written in a moment. To be durable it has to wait for the disk, and with it for all that a refresh has
/// just written to the same log. So its writer goes on meanwhile.
final class LogSync: Sendable {
  private let queue = DispatchQueue(label: "podcli.sync")
  private let log: String

  init(library: String) { log = library + "-wal" }

  /// All that is committed by now will be durable soon.
  func begin() {
    // A disk that fails says so to the next one who needs to know: a flush waits for it.
    queue.async { [self] in _ = now() }
  }

  /// All that is committed by now is durable. Nobody waits for this to write, as they would for a durable commit.
  /// False where the place allows no log, or the disk fails.
  func now() -> Bool {
    let descriptor = open(log, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fdatasync(descriptor) == 0
  }

  /// Returns when everything that was begun is done.
  func wait() { queue.sync {} }
}
