import Text

/// Removes escape sequences, bidirectional overrides and invisible characters. Text from feeds, media, servers and file
/// names passes here after the last decoding, before a terminal shows it.
enum CleanText {
  static let longest = 512

  /// One line, safe for a terminal, of at most `limit` characters.
  static func line(_ text: String, limit: Int = longest) -> String { line(text, limit, keepsBlanks: false) }

  private static func line(_ text: String, _ limit: Int, keepsBlanks: Bool) -> String {
    if isPlain(text, limit, keepsBlanks) { return text }
    var result = String.UnicodeScalarView()
    var marks = 0
    var characters = 0
    var isAfterBlank = true
    for scalar in text.unicodeScalars {
      let scalar = isLineBreak(scalar) ? " " : scalar
      guard !scalar.isUnsafeToShow, !(scalar == " " && (result.isEmpty || isAfterBlank && !keepsBlanks)) else {
        continue
      }
      marks = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : marks + 1
      guard marks <= 4 else { continue }
      if marks == 0 { characters += 1 }
      if characters > limit { break }
      isAfterBlank = scalar == " "
      result.append(scalar)
    }
    return String(result)
  }

  /// Several lines, each safe for a terminal. The indentation of lists and code stays, and their columns.
  static func lines(_ text: String, limit: Int = 100_000) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { text in
      let rest = text.drop { $0 == " " || $0 == "\t" }
      let indentation = indentation(text[..<rest.startIndex])
      return indentation + line(withoutTabs(rest, behind: indentation.count), limit, keepsBlanks: true)
    }.joined(separator: "\n")
  }

  /// A tab leads to the next column of eight, so that tables keep their form.
  private static func withoutTabs(_ text: Substring, behind indentation: Int) -> String {
    guard text.utf8.contains(0x09) else { return String(text) }
    var (line, column) = ("", indentation)
    for part in text.split(separator: "\t", maxSplits: mostTabs, omittingEmptySubsequences: false) {
      if !line.isEmpty {
        line += String(repeating: " ", count: 8 - column % 8)
        column += 8 - column % 8
      }
      line += part
      column += part.count
    }
    return line
  }

  /// In a line. Further ones are blanks.
  private static let mostTabs = 20

  private static let mostIndentation = 40

  private static func indentation(_ blanks: Substring) -> String {
    String(repeating: " ", count: min(mostIndentation, blanks.reduce(0) { $0 + ($1 == "\t" ? 8 - $0 % 8 : 1) }))
  }

  /// A fast path: most text is plain ASCII, and the loop over scalars would dominate a long list.
  private static func isPlain(_ text: String, _ limit: Int, _ keepsBlanks: Bool) -> Bool {
    guard text.utf8.count <= limit else { return false }
    return text.utf8.withContiguousStorageIfAvailable { bytes in
      var previous: UInt8 = 32
      for byte in bytes {
        guard byte >= 32, byte < 127, keepsBlanks || !(byte == 32 && previous == 32) else { return false }
        previous = byte
      }
      return true
    } ?? false
  }

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}
