import Glibc
import Podcatcher
import ScreenKit
import System

/// Shows a text longer than the screen in `PAGER`, or in `less` when it is not set.
enum Pager {
  /// `picture` is text as well; it takes `rows` rows above the rest.
  static func show(
    _ text: String, below picture: (text: String, rows: Int) = ("", 0), _ console: Console,
    environment: Environment = .process
  ) {
    guard isNeeded(for: text, below: picture.rows, console, environment: environment),
      let command = command(environment), run(command, with: picture.text + text)
    else { return console.write(picture.text + text) }
  }

  /// True when the text, with rows above it, is longer than the screen.
  static func isNeeded(
    for text: String, below rowsAbove: Int = 0, _ console: Console, environment: Environment = .process
  ) -> Bool {
    // On a dumb terminal a pager warns, and waits for a key.
    guard console.isOutputTerminal, isatty(0) == 1, environment["TERM"] != "dumb", let rows = Console.rows(),
      command(environment) != nil
    else {
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

  /// False when there is no such program; the caller then writes the text.
  private static func run(_ command: String, with text: String) -> Bool {
    guard let pipe = ChildProgram.pipe() else { return false }
    // Ctrl-C is for the pager.
    let interrupt = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, interrupt) }
    // Tells `less` to keep colours, and to exit when all of the text fits.
    setenv("LESS", "FRX", 0)
    let child = ChildProgram.start("/bin/sh", ["-c", command], streams: [0: pipe.read])
    close(pipe.read)
    guard let child else {
      close(pipe.write)
      return false
    }
    // A pager that quits early closes the pipe; that is no failure.
    _ = Console.put(text, on: pipe.write)
    close(pipe.write)
    // The exit status of a shell that finds no such command.
    return (ChildProgram.wait(for: child) >> 8) & 0xFF != 127
  }
}
