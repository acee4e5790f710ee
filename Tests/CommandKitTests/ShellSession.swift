import Glibc

/// An interactive shell on a pseudo-terminal, typed at as a user would. Control-O makes the shell show its line
/// between « and »; waiting for that is all the timing there is.
final class ShellSession {
  private let terminal: Int32
  private let pid: pid_t
  private var screen: [UInt8] = []

  init(_ words: [String], environment: [String: String]) throws {
    // The ioctls behind unlockpt and ptsname, which the module does not show.
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: Int32 = 0
    var number: UInt32 = 0
    guard terminal >= 0, ioctl(terminal, 0x4004_5431, &locked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else {
      throw Child.Failure(what: "no pseudo-terminal")
    }
    var size = winsize(ws_row: 60, ws_col: 160, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    self.terminal = terminal
    pid = try Child.spawn(words, environment) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
    try wait(for: "READY")
  }

  deinit {
    kill(pid, SIGKILL)
    _ = Child.wait(for: pid)
    close(terminal)
  }

  /// Types a text on an empty line, and answers what the line is then.
  func line(afterTyping keys: String) throws -> String {
    // Control-U empties the line.
    type("\u{15}" + keys + "\u{0F}")
    try wait(for: "«")
    return try wait(for: "»")
  }

  func type(_ text: String) {
    _ = text.utf8CString.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count - 1) }
  }

  /// Reads on until a text appears, and answers what was shown before it.
  @discardableResult
  func wait(for mark: String) throws -> String {
    while true {
      if let range = screen.firstRange(of: Array(mark.utf8)) {
        let before = String(decoding: screen[..<range.lowerBound], as: UTF8.self)
        screen.removeSubrange(..<range.upperBound)
        return before
      }
      guard let more = try? Child.readSome(terminal) else {
        throw Child.Failure(what: "no \(mark) in: " + String(decoding: screen, as: UTF8.self))
      }
      screen += more
    }
  }
}
