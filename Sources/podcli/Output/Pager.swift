import Glibc
import Podcatcher

/// Shows what is longer than the screen through `PAGER`, `less` when it is not set.
enum Pager {
  /// `picture` is text, too, that takes so many rows above the rest.
  static func show(
    _ text: String, below picture: (text: String, rows: Int) = ("", 0), _ console: Console,
    environment: Environment = .process
  ) {
    guard isNeeded(for: text, below: picture.rows, console, environment: environment),
      let command = command(environment), run(command, with: picture.text + text)
    else { return console.write(picture.text + text) }
  }

  /// Whether the text, with so many rows above it, is longer than the screen.
  static func isNeeded(
    for text: String, below rowsAbove: Int = 0, _ console: Console, environment: Environment = .process
  ) -> Bool {
    guard console.isOutputTerminal, isatty(0) == 1, let rows = Console.rows(), command(environment) != nil else {
      return false
    }
    return rowsAbove + lineCount(text, width: console.width) >= rows
  }

  /// Long lines take several rows.
  private static func lineCount(_ text: String, width: Int) -> Int {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .reduce(0) { $0 + max(1, (DisplayWidth.of(String($1)) + width - 1) / max(1, width)) }
  }

  private static func command(_ environment: Environment) -> String? {
    let command = environment["PAGER"] ?? "less"
    return command == "cat" ? nil : command
  }

  /// False when there is no such program: then the text is simply written.
  private static func run(_ command: String, with text: String) -> Bool {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Ctrl-C belongs to the pager.
    let interrupt = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, interrupt) }
    let child = spawn(command, reading: ends[0])
    close(ends[0])
    guard let child else {
      close(ends[1])
      return false
    }
    // A pager that was left early has shown enough.
    _ = Console.put(text, on: ends[1])
    close(ends[1])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // What the shell says when it finds no such command.
    return (status >> 8) & 0xFF != 127
  }

  private static func spawn(_ command: String, reading input: Int32) -> pid_t? {
    // `less` should leave colours in, and go when all of it fits.
    setenv("LESS", "FRX", 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    var attributes = cleanSignals()
    defer { posix_spawnattr_destroy(&attributes) }
    let words: [String] = ["sh", "-c", command]
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child = pid_t()
    return posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ) == 0 ? child : nil
  }

  /// A child starts as if podcli had never touched a signal.
  private static func cleanSignals() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var all = sigset_t()
    sigfillset(&all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    return attributes
  }
}
