/// What a stretch of text is; the terminal chooses how that looks.
package enum Role: Sendable, Equatable {
  case plain, heading
  /// To be typed as it stands: a command, an option.
  case literal
  /// To be replaced: TIME, EPISODE.
  case placeholder
}

package struct Span: Sendable, Equatable {
  package let text: String
  package let role: Role

  package init(_ text: String, _ role: Role = .plain) {
    self.text = text
    self.role = role
  }
}

/// The pieces that help pages and the manual are made of.
package enum Block: Sendable {
  case heading(String)
  /// Text in which backticks enclose what is literal.
  case paragraph(String)
  case definitions([Definition])
  /// Lines to be kept as they are: JSON, a screen.
  case verbatim(String)
  case examples([Example])
}

/// A term and what it means, for two aligned columns.
package struct Definition: Sendable {
  let term: [Span]
  let meaning: [Span]

  /// Backticks enclose what is literal, in both.
  package init(_ term: String, _ meaning: String) {
    self.init(term: spans(term), meaning: spans(meaning))
  }

  init(term: [Span], meaning: [Span]) {
    self.term = term
    self.meaning = meaning
  }
}

/// Takes "plain `literal` plain" apart.
func spans(_ text: String) -> [Span] {
  text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    .map { Span(String($1), $0.isMultiple(of: 2) ? .plain : .literal) }
    .filter { !$0.text.isEmpty }
}

/// Paragraphs, as an empty line parts them.
func paragraphs(_ text: String) -> [Block] {
  var found: [[Substring]] = [[]]
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.allSatisfy(\.isWhitespace) { found.append([]) } else { found[found.count - 1].append(line) }
  }
  return found.filter { !$0.isEmpty }.map { .paragraph($0.joined(separator: " ")) }
}
