import CommandKit
import Glibc

/// A directory with the completion scripts, and a `podcli` on the path that answers their questions.
final class Workshop {
  let path: String

  init() throws {
    var template = Array("/tmp/commandkit-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Child.Failure(what: "mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for folder in ["bin", "home", "home/sub dir", "home/.config"] { mkdir("\(path)/\(folder)", 0o700) }
    write("", to: "home/my file.opml")
    write("", to: "home/sub dir/deep.opml")
    write(Self.answers, to: "answers")
    write(Self.program, to: "bin/podcli")
    chmod("\(path)/bin/podcli", 0o700)
    for shell in Shell.allCases {
      write(Sample.program.text(of: .completions(shell)), to: "podcli.\(shell.rawValue)")
    }
  }

  deinit { _ = try? Child.run(["rm", "-rf", path], environment: ["PATH": "/usr/bin:/bin"]) }

  func write(_ text: String, to name: String) {
    guard let file = fopen("\(path)/\(name)", "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  func text(of name: String) -> String {
    (try? Child.run(["cat", "\(path)/\(name)"], environment: environment).output) ?? ""
  }

  var environment: [String: String] {
    [
      "PATH": "\(path)/bin:/usr/bin:/bin", "HOME": "\(path)/home", "ZDOTDIR": path, "TERM": "vt100",
      "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null", "SHELLS_SCRIPTS": path,
    ]
  }

  /// What the library would hold: the kind, the value, its description.
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

  /// Notes what it is asked, and answers with what begins that way, in any case.
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
