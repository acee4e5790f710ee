/// Words as the full-text index takes them apart: letters, digits and the marks upon them.
struct SearchWords: Sendable {
  let words: [String]

  init(_ text: String) {
    words = text.unicodeScalars.split { !Self.isPartOfWord($0) }.map { String(String.UnicodeScalarView($0)) }
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .privateUse:
      true
    default: false
    }
  }

  /// All the words, each as a beginning, in one column or in any. Nil when there is no word to look for.
  func match(column: String? = nil) -> String? {
    guard !words.isEmpty else { return nil }
    let all = words.map { "\"\($0)\"*" }.joined(separator: " ")
    return column.map { "\($0) : (\(all))" } ?? all
  }
}
