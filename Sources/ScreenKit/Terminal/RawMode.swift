internal import Glibc
private import Synchronization

/// Turns line editing and echo of the terminal off and on again. Signals keep working (`ISIG` stays on), and output is
/// left as it is. `restore` may be called from any thread, any number of times, also during shutdown.
package enum RawMode {
  private static let original = Mutex<termios?>(nil)

  /// With `takesReturn`, the Return key is told apart from Ctrl-J, and Ctrl-V is a key.
  package static func enter(takesReturn: Bool = false) -> Bool {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0 else { return false }
    original.withLock { if $0 == nil { $0 = settings } }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    if takesReturn {
      settings.c_lflag &= ~tcflag_t(IEXTEN)
      settings.c_iflag &= ~tcflag_t(ICRNL)
    }
    return tcsetattr(0, TCSANOW, &settings) == 0
  }

  /// The settings that `restore` will bring back.
  static var saved: termios? { original.withLock { $0 } }

  /// Drops the saved settings, as the shell has taken the terminal and set its own.
  package static func forget() { original.withLock { $0 = nil } }

  package static func restore() {
    original.withLock { original in
      guard var settings = original else { return }
      tcsetattr(0, TCSANOW, &settings)
      original = nil
    }
  }
}
