private import Glibc
internal import System

/// The turn to write next, among all processes at a library.
///
/// SQLite's write lock knows no order: a merge that releases it for an instant takes it again before a waiting player
/// has noticed. So a writer takes the turn first, keeps it until it has the write lock, and then hands it on. A long task
/// asks between its steps whether another process has the turn, and if so ends its slice.
final class WriteTurn {
  private let path: String
  private var descriptor: Int32 = -1
  private var lastTaken: ContinuousClock.Instant?

  init(library: String) { path = library + ".turn" }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// False when another process kept it for too long. Always true where the turn's file cannot be made.
  func take(patience: Duration) -> Bool {
    guard isOpen else { return true }
    return FileLock.lock(descriptor, patience: patience, pause: 300)
  }

  func handOn() {
    if descriptor >= 0 { FileLock.unlock(descriptor) }
  }

  /// Another process waits for the write lock.
  var isTaken: Bool {
    guard isOpen else { return false }
    guard FileLock.lock(descriptor) else {
      lastTaken = .now
      return true
    }
    handOn()
    return false
  }

  /// Another process has waited within the last three seconds, as a player does once a second.
  var wasTakenLately: Bool { lastTaken.map { ContinuousClock.now - $0 < .seconds(3) } ?? false }

  private var isOpen: Bool {
    if descriptor < 0 { descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    return descriptor >= 0
  }
}
