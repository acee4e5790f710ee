import Glibc
import Synchronization

/// Turns line editing and echo of the terminal off and on again. Signals keep working (`ISIG` stays on), and output is
/// left as it is. `restore` may be called from any thread, any number of times, also during shutdown.
enum RawMode {
  private static let original = Mutex<termios?>(nil)

  static func enter() -> Bool {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0 else { return false }
    original.withLock { if $0 == nil { $0 = settings } }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    return tcsetattr(0, TCSANOW, &settings) == 0
  }

  /// Drops the saved settings, as the shell has taken the terminal and set its own.
  static func forget() { original.withLock { $0 = nil } }

  static func restore() {
    original.withLock { original in
      guard var settings = original else { return }
      tcsetattr(0, TCSANOW, &settings)
      original = nil
    }
  }
}
