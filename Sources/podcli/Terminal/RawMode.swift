import Glibc
import Synchronization

/// Keys one by one, without echo, while an episode plays. Signals keep working (`ISIG` stays on), and output is
/// left as it is. `restore` may be called by anybody, any number of times, also from a last-moment exit.
enum RawMode {
  private static let original = Mutex<termios?>(nil)

  static func enter() -> Bool {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0 else { return false }
    original.withLock { if $0 == nil { $0 = settings } }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    return tcsetattr(0, TCSANOW, &settings) == 0
  }

  /// The terminal is in other hands, which have set it as they want it.
  static func forget() { original.withLock { $0 = nil } }

  static func restore() {
    original.withLock { original in
      guard var settings = original else { return }
      tcsetattr(0, TCSANOW, &settings)
      original = nil
    }
  }
}
