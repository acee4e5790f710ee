import CommandKit
import Glibc
import TestSupport

/// A home with the completion scripts, and a `podcli` on the path that answers them.
struct CompletionHome {
  private let home: TemporaryHome

  init() throws {
    home = try TemporaryHome()
    for folder in ["bin", "functions", "files", "files/sub dir"] { mkdir("\(home.path)/\(folder)", 0o700) }
    try home.write("", to: "files/my file.opml")
    try home.write("", to: "files/sub dir/deep.opml")
    try home.write(Self.answers, to: "answers")
    chmod(try home.write(Self.program, to: "bin/podcli"), 0o700)
    try home.write(Sample.program.text(of: .completions(.zsh)), to: "functions/_podcli")
    for shell in Shell.allCases {
      try home.write(Sample.program.text(of: .completions(shell)), to: "podcli.\(shell.rawValue)")
    }
  }

  /// Starts a shell with its own startup file, in a directory with a few files.
  func shell(_ words: String..., reading script: String, from name: String) throws -> TestSupport.Program {
    try home.write(script, to: name)
    return TestSupport.Program(words[0], words.dropFirst() + [], environment: environment).in("\(home.path)/files")
  }

  /// The calls of the program, one a line.
  func calls() throws -> String { String(decoding: try contents(of: "\(home.path)/calls"), as: UTF8.self) }

  private var environment: [String: String] {
    [
      "PATH": "\(home.path)/bin:/usr/bin:/bin", "HOME": "\(home.path)/files", "ZDOTDIR": home.path,
      "SCRIPTS": home.path, "TERM": "vt100", "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null",
    ]
  }

  /// The answers of the program: kind, value and description.
  private static let answers = """
    episode|late night|Late Night Linux: the newest
    episode|later|another one
    episode|it's $5 "now" `x` \\o/ ok|Quotes
    episode|Straße: eins|Umlaute
    episode|@last|what was played
    episode|a:b=c@d|Breaks
    filter|unplayed|Not yet played
    filter|podcast:|One podcast
    filter|minutes<|Shorter than that
    tag|news|Tag
    tag|new age|Tag

    """

  /// Logs each call, and answers with the values that begin with the prefix, in any case.
  private static let program = #"""
    #!/bin/sh
    here=${0%/bin/*}
    printf '%s|%s|%s\n' "$1" "$2" "$3" >> "$here/calls"
    small() { printf '%s' "$1" | tr A-Z a-z; }
    wanted=$(small "$3")
    while IFS='|' read -r kind value text; do
      case "$kind|$(small "$value")" in
        "$2|$wanted"*) printf '%s\t%s\n' "$value" "$text" ;;
      esac
    done < "$here/answers"

    """#
}
