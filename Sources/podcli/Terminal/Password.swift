import Glibc

/// Reads a password from the terminal or standard input; every process can read a command line.
enum Password {
  static func read(fromInput: Bool) throws(Failure) -> String {
    if !fromInput, isatty(0) == 0 {
      throw Failure(.usage, "a password is needed", hint: "hand it over with --password-stdin")
    }
    let password = fromInput && isatty(0) == 0 ? readLine() : asked()
    guard let password, !password.isEmpty else { throw Failure(.usage, "the password is empty") }
    return password
  }

  /// From the terminal.
  static func userName() throws(Failure) -> String {
    guard isatty(0) == 1 else { throw Failure(.usage, "a user name is needed", hint: "say --user NAME") }
    _ = Console.put("User: ", on: StandardError.descriptor)
    guard let name = readLine(), !name.isEmpty else { throw Failure(.usage, "the user name is empty") }
    return name
  }

  private static func asked() -> String? {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0 else { return readLine() }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    let former = Self.restoreWhenEnded(settings)
    defer { for (signal, var action) in former { sigaction(signal, &action, nil) } }
    tcsetattr(0, TCSAFLUSH, &silent)
    defer { tcsetattr(0, TCSAFLUSH, &settings) }
    _ = Console.put("Password: ", on: StandardError.descriptor)
    defer { _ = Console.put("\n", on: StandardError.descriptor) }
    return readLine()
  }

  /// Read by the signal handler only.
  nonisolated(unsafe) private static var settings = termios()

  /// A signal that ends podcli would leave the terminal without echo. Returns the former actions.
  private static func restoreWhenEnded(_ settings: termios) -> [(signal: Int32, action: sigaction)] {
    Self.settings = settings
    return [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { number in
      var (action, former) = (sigaction(), sigaction())
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      action.__sigaction_handler.sa_handler = { number in
        tcsetattr(0, TCSANOW, &Password.settings)
        raise(number)
      }
      sigaction(number, &action, &former)
      return (number, former)
    }
  }
}
