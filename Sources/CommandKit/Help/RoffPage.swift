/// Sets blocks in roff, with the `man` macros that every formatter knows.
struct RoffPage {
  private(set) var text: String

  init(title: String, section: Int, source: String) {
    text =
      ".TH \(Self.quoted(title)) \(section) \"\" \(Self.quoted(source)) \(Self.quoted(title.lowercased() + " manual"))\n"
    // Left-aligned and without hyphenation, so that a search finds commands and options as they are written.
    text += ".nh\n.ad l\n"
  }

  mutating func heading(_ title: String) { text += ".SH \(Self.quoted(title))\n" }

  /// Drops the backticks of the title.
  mutating func subheading(_ title: String) { text += ".SS \(Self.quoted(title.filter { $0 != "`" }))\n" }

  mutating func add(_ block: Block) {
    switch block {
    case .heading(let title): subheading(title)
    case .paragraph(let text): self.text += ".PP\n" + Self.line(spans(text))
    case .definitions(let definitions):
      for definition in definitions { text += ".TP\n" + Self.line(definition.term) + Self.line(definition.meaning) }
    case .verbatim(let lines): text += ".PP\n.RS 4\n.nf\n" + Self.lines(lines) + ".fi\n.RE\n"
    case .examples(let examples):
      for example in examples {
        text += ".PP\n.RS 4\n.nf\n" + Self.line([Span(example.line, .literal)]) + ".fi\n"
        text += ".RS 4\n" + Self.line(spans(example.explanation)) + ".RE\n.RE\n"
      }
    }
  }

  private static func line(_ spans: [Span]) -> String {
    let text = spans.map { span in
      let text = escaped(span.text)
      return switch span.role {
      case .plain: text
      case .literal, .heading: "\\fB\(text)\\fR"
      case .placeholder: "\\fI\(text)\\fR"
      }
    }.joined()
    return guarded(String(text.trimmingBlanks)) + "\n"
  }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { guarded(escaped(String($0))) + "\n" }.joined()
  }

  /// Guards a dot or an apostrophe at the start of a line, which roff would read as a request.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// Keeps ASCII as it is, ready to be copied: roff would make a minus, curly quotes and accents of it.
  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\"": "\\(dq"
      case "\n": " "
      case "…": "..."
      default: String(character)
      }
    }.joined()
  }

  /// As one argument of a macro.
  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }
}

extension String {
  fileprivate var trimmingBlanks: Substring {
    let start = drop { $0 == " " }
    let end = start.reversed().prefix { $0 == " " }.count
    return start.dropLast(end)
  }
}
