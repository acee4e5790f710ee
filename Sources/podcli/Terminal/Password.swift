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
    tcsetattr(0, TCSAFLUSH, &silent)
    defer { tcsetattr(0, TCSAFLUSH, &settings) }
    _ = Console.put("Password: ", on: StandardError.descriptor)
    defer { _ = Console.put("\n", on: StandardError.descriptor) }
    return readLine()
  }
}
