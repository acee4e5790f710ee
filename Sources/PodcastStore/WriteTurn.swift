private import Glibc
internal import System

/// Whose turn it is to write next, among all processes at a library.
///
/// SQLite's write lock knows no order: a merge that lets go of it for an instant takes it again before a waiting player
/// has noticed. So whoever wants to write first takes the turn, keeps it until the write lock is theirs, and hands it on.
/// Long work asks now and then whether somebody has it, and if so comes to an end.
final class WriteTurn {
  private let path: String
  private var descriptor: Int32 = -1
  private var lastTaken: ContinuousClock.Instant?

  init(library: String) { path = library + ".turn" }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// False when another process kept it for too long. Where there is no room for the file, everybody has the turn.
  func take(patience: Duration) -> Bool {
    guard isOpen else { return true }
    return FileLock.lock(descriptor, patience: patience, pause: 300)
  }

  func handOn() {
    if descriptor >= 0 { FileLock.unlock(descriptor) }
  }

  /// Somebody waits for the write lock.
  var isTaken: Bool {
    guard isOpen else { return false }
    guard FileLock.lock(descriptor) else {
      lastTaken = .now
      return true
    }
    handOn()
    return false
  }

  /// Somebody has waited within the last seconds, as a player does once a second.
  var wasTakenLately: Bool { lastTaken.map { ContinuousClock.now - $0 < .seconds(3) } ?? false }

  private var isOpen: Bool {
    if descriptor < 0 { descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    return descriptor >= 0
  }
}
