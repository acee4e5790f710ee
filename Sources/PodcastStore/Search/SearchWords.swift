internal import PodcastModel

/// A text split into words as the full-text index does it: letters, digits and combining marks.
struct SearchWords: Sendable {
  struct Word: Hashable, Sendable {
    var text: String
    /// It matches every word that begins so.
    var isPrefix: Bool
  }

  let words: [Word]

  init(_ text: String) {
    var words: [Word] = []
    var current = ""
    for scalar in text.unicodeScalars {
      if Self.isPartOfWord(scalar) {
        current.unicodeScalars.append(scalar)
      } else if !current.isEmpty {
        words.append(Word(text: current, isPrefix: scalar == "*"))
        current = ""
      }
    }
    if !current.isEmpty { words.append(Word(text: current, isPrefix: false)) }
    self.words = words
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .privateUse:
      true
    default: false
    }
  }

  /// The query for all the words, in these fields or in any. Nil when there is no word.
  func match(in fields: Set<SearchHit.Field> = [], asPrefixes: Bool = true) -> String? {
    guard !words.isEmpty else { return nil }
    let all = words.map { "\"\($0.text)\"" + (asPrefixes || $0.isPrefix ? "*" : "") }.joined(separator: " ")
    if fields.isEmpty { return all }
    return "{" + fields.map(\.rawValue).sorted().joined(separator: " ") + "} : (" + all + ")"
  }
}
