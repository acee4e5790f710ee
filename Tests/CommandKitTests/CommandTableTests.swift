import CommandKit
import Testing

struct CommandTableTests {
  @Test func `the table of commands is Markdown`() {
    #expect(
      Sample.program.commandTable == """
        | | commands |
        |---|---|
        | Follow | `subscribe URL…`, `import [FILE]`, `find QUERY…` |
        | Listen | `play EPISODE`, `bookmark EPISODE [TIME] [NOTE]`, `queue list/add/move/clear` |
        | Look | `playlist [FILTER…]` |
        | Tend | `completions SHELL`, `help [COMMAND…]`, `version` |

        """)
  }

  @Test func `an answer to a completion script is one line for each candidate`() {
    let candidates: [Choice] = [
      Choice("late night", "Late\nNight\u{1B}[31m \u{202E}x"), "42", Choice("a\tb", "left out"), "",
    ]
    #expect(
      Sample.program.answer(candidates) == "late night\tLate\u{FFFD}Night\u{FFFD}[31m \u{FFFD}x\n42\n")
  }
}
