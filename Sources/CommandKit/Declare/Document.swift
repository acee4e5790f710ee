/// The role of a stretch of text, which decides its looks on a terminal.
package enum Role: Sendable, Equatable {
  case plain, heading
  /// To be typed as it stands: a command, an option.
  case literal
  /// To be replaced: TIME, EPISODE.
  case placeholder
}

/// A stretch of text with one role.
struct Span: Sendable, Equatable {
  let text: String
  let role: Role

  init(_ text: String, _ role: Role = .plain) {
    self.text = text
    self.role = role
  }
}

/// The pieces that help pages and the manual are made of.
package enum Block: Sendable {
  case heading(String)
  /// Text with backticks around literal words.
  case paragraph(String)
  case definitions([Definition])
  /// Lines to be kept as they are: JSON, a screen.
  case verbatim(String)
  case examples([Example])
}

/// A term and its meaning, for two aligned columns.
package struct Definition: Sendable {
  let term: [Span]
  let meaning: [Span]

  /// Both may have backticks around literal words.
  package init(_ term: String, _ meaning: String) {
    self.init(term: spans(term), meaning: spans(meaning))
  }

  init(term: [Span], meaning: [Span]) {
    self.term = term
    self.meaning = meaning
  }
}

/// Splits "plain `literal` plain" into spans.
func spans(_ text: String) -> [Span] {
  if !text.isEmpty, !text.utf8.contains(UInt8(ascii: "`")) { return [Span(text)] }
  return pieces(of: text, at: "`").enumerated()
    .map { Span($1, $0.isMultiple(of: 2) ? .plain : .literal) }
    .filter { !$0.text.isEmpty }
}

/// Splits at an ASCII character, byte by byte: `split` looks for whole characters, or makes the metadata of a slice's type,
/// which takes 120,000 instructions.
func pieces(of text: String, at separator: Unicode.Scalar) -> [String] {
  var text = text
  return text.withUTF8 { bytes in
    var (pieces, start) = ([String](), 0)
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: separator) {
      pieces.append(String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self))
      start = end + 1
    }
    return pieces
  }
}

/// Splits a text into paragraphs at empty lines.
func paragraphs(_ text: String) -> [Block] {
  var found: [[String]] = [[]]
  for line in pieces(of: text, at: "\n") {
    if line.allSatisfy(\.isWhitespace) { found.append([]) } else { found[found.count - 1].append(line) }
  }
  return found.filter { !$0.isEmpty }.map { .paragraph($0.joined(by: " ")) }
}
