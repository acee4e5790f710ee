private import Glibc

/// The terminal while a full screen is shown: begun, ended, and restored also by a crash.
package enum ScreenSession {
  /// The other screen, a cursor, no wrapping at the edge, pastes in brackets, reports of focus, and of the mouse where it
  /// is wanted.
  package static func startSequence(mouse: Bool) -> String {
    "\u{1B}[?1049h\u{1B}[?25h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1004h" + (mouse ? "\u{1B}[?1000h\u{1B}[?1006h" : "")
  }

  /// Undoes all of the start, in reverse.
  package static let endSequence =
    "\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  /// The size of the terminal on standard output.
  package static var size: Size? {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
    return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// The height of a cell in pixels, where the terminal says so.
  package static var cellHeight: Int? {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_ypixel >= size.ws_row else { return nil }
    return Int(size.ws_ypixel) / Int(size.ws_row)
  }

  /// Takes the keys, and restores the terminal at a crash from here on. False without a terminal.
  package static func begin() -> Bool {
    guard RawMode.enter(takesReturn: true), let settings = RawMode.saved else { return false }
    crash.pointee.settings = settings
    crash.pointee.isShown = true
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] { signal(number, restoreAndDie) }
    return true
  }

  /// Starts output that the user stopped with Ctrl-S, so that the end sequence goes out: a terminal without `IXON` is never
  /// stopped. `end` restores it.
  package static func startOutput() {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0, settings.c_iflag & tcflag_t(IXON) != 0 else { return }
    settings.c_iflag &= ~tcflag_t(IXON)
    tcsetattr(0, TCSANOW, &settings)
  }

  /// Gives the keys back. The end sequence is the caller's to write, before this.
  package static func end() {
    crash.pointee.isShown = false
    RawMode.restore()
  }

  // MARK: A crash

  private struct Crash {
    var isShown = false
    var settings = termios()
    let text: UnsafeMutablePointer<UInt8>
    let length: Int
  }

  /// Made before a handler is installed: a signal handler may allocate nothing. Never freed, and written by the thread that
  /// owns the screen only.
  private nonisolated(unsafe) static let crash: UnsafeMutablePointer<Crash> = {
    let bytes = Array((endSequence + "\r\n").utf8)
    let text = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    text.initialize(from: bytes, count: bytes.count)
    let state = UnsafeMutablePointer<Crash>.allocate(capacity: 1)
    state.initialize(to: Crash(text: text, length: bytes.count))
    return state
  }()

  /// Calls only `write`, `tcsetattr`, `signal` and `raise`, which a handler may.
  private static let restoreAndDie: @convention(c) (Int32) -> Void = { number in
    if crash.pointee.isShown {
      crash.pointee.isShown = false
      _ = write(1, crash.pointee.text, crash.pointee.length)
      tcsetattr(0, TCSANOW, &crash.pointee.settings)
    }
    signal(number, SIG_DFL)
    raise(number)
  }
}
