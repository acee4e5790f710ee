import CommandKit
import Testing

struct CommandTableTests {
  @Test func `the table of commands is Markdown`() {
    #expect(
      Sample.program.commandTable == """
        | | command | what it does |
        |---|---|---|
        | Follow | `subscribe URL…` | follow a podcast |
        |  | `import [FILE]` | take in OPML |
        |  | `find QUERY…` | search podcast directories |
        | Listen | `play EPISODE` | play an episode |
        |  | `bookmark EPISODE [TIME] [NOTE]` | remember a position |
        |  | `queue list/add/move/clear` | show or change what plays next |
        | Look | `playlist [FILTER…]` | list the episodes of every subscription |
        | Tend | `completions SHELL` | print a script that lets a shell complete command lines |
        |  | `help [COMMAND…]` | explain the program, a command or a subject |
        |  | `version` | say which version this is |

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
