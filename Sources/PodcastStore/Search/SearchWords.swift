internal import PodcastModel

/// A text split into words as the full-text index does it: letters, digits and combining marks.
struct SearchWords: Sendable {
  struct Word: Hashable, Sendable {
    /// As it is indexed: several words that follow each other in a script without blanks.
    var text: String
    /// A star stands behind it: it matches every word that begins so.
    var isPrefix: Bool

    /// Korean words have their particles at the end, so one of two syllables or more matches those that begin so, too.
    var isBeginning: Bool { isPrefix || isKorean }

    private var isKorean: Bool {
      let end = text.unicodeScalars.suffix(2)
      return end.count == 2 && end.allSatisfy { (0xac00..<0xd7a4) ~= $0.value }
    }
  }

  let words: [Word]

  init(_ text: String) {
    var words: [Word] = []
    var current = ""
    for scalar in text.unicodeScalars {
      if Self.isPartOfWord(scalar) {
        current.unicodeScalars.append(scalar)
      } else if !current.isEmpty {
        words.append(Word(text: IndexedText.string(current), isPrefix: scalar == "*"))
        current = ""
      }
    }
    if !current.isEmpty { words.append(Word(text: IndexedText.string(current), isPrefix: false)) }
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

  /// The query for the beginnings of all the words in titles. Nil when there is no word.
  var titleMatch: String? { titleMatch("*") }

  /// The query for all the words in titles, whole unless they end with `*`.
  var wholeTitleMatch: String? { titleMatch("") }

  /// The query for titles that begin with these words.
  var titleBeginningMatch: String? {
    words.isEmpty ? nil : "{title} : (^ \"" + words.map(\.text).joined(separator: " ") + "\")"
  }

  private func titleMatch(_ end: String) -> String? {
    guard !words.isEmpty else { return nil }
    let terms = words.map { "\"\($0.text)\"" + ($0.isBeginning ? "*" : end) }
    return "{title} : (" + terms.joined(separator: " ") + ")"
  }
}
