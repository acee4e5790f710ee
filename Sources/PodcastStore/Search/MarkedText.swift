/// A passage of a text around the words that were looked for.
struct MarkedText: Equatable {
  private(set) var text: String
  /// In bytes of the text's UTF-8.
  private(set) var matches: [Range<Int>]
  /// Where the terms stand most closely together, in bytes of the whole text.
  private(set) var offset: Int

  /// `range` is the passage in `bytes`.
  fileprivate init(_ bytes: [UInt8], _ range: Range<Int>, matches: [Range<Int>], offset: Int) {
    self.offset = offset
    let before = range.lowerBound == 0 ? "" : "…"
    let after = range.upperBound == bytes.count ? "" : "…"
    // A passage is one line.
    let passage = bytes[range].map { $0 >= 9 && $0 <= 13 ? 0x20 : $0 }
    text = before + String(decoding: passage, as: UTF8.self) + after
    let shift = before.utf8.count - range.lowerBound
    self.matches = matches.map { $0.lowerBound + shift..<$0.upperBound + shift }
  }
}

/// Finds terms in a text word by word, as the index does, and cuts the passage with most of them.
struct TextMarker {
  fileprivate struct Term {
    /// They must follow each other.
    var words: [[UInt8]]
    var isPrefix: Bool

    /// A bit for each of the words that `word` may be.
    func places(of word: UnsafeRawBufferPointer) -> UInt64 {
      var places: UInt64 = 0
      for (index, own) in words.enumerated() {
        let isBeginning = isPrefix && index == words.count - 1
        guard isBeginning ? own.count <= word.count : own.count == word.count else { continue }
        if own.elementsEqual(word.prefix(own.count)) { places |= 1 << index }
      }
      return places
    }
  }

  private let terms: [Term]
  private let fullText: FullText
  /// None is an alternative of another, so a passage with all of them is worth reading on for.
  private let areAllWanted: Bool

  init(
    _ terms: [SearchQuery.Term], beginnings: [SearchQuery.Term], areAllWanted: Bool = true, _ fullText: FullText
  ) {
    self.fullText = fullText
    self.areAllWanted = areAllWanted
    self.terms = terms.compactMap { term in
      let words = fullText.words(of: term.text)
      guard !words.isEmpty else { return nil }
      // `places` has a bit for each.
      return Term(words: Array(words.prefix(64)), isPrefix: term.isPrefix || beginnings.contains(term))
    }
  }

  /// Each term is a word, and there are several.
  var areWords: Bool { terms.count > 1 && terms.allSatisfy { $0.words.count == 1 } }

  /// Whether the text has each of the terms, which are words.
  func areAll(in text: String) -> Bool {
    var missing = terms
    fullText.forEachWord(in: text) { word, _ in
      missing.removeAll { $0.places(of: word) != 0 }
      return !missing.isEmpty
    }
    return missing.isEmpty
  }

  /// Nil when the text has none of the terms.
  func passage(of text: String) -> MarkedText? {
    var finds = Finds(terms: terms, areAllWanted: areAllWanted)
    fullText.forEachWord(in: text) { word, range in finds.add(word, range) }
    guard let words = finds.best else { return nil }
    let bytes = Array(text.utf8)
    let start = words.lowerBound == 0 ? 0 : finds.words[words.lowerBound].lowerBound
    let isAtEnd = words.upperBound == finds.words.count && !finds.isCut
    let end = isAtEnd ? bytes.count : finds.words[words.upperBound - 1].upperBound
    return MarkedText(bytes, start..<end, matches: finds.matches(in: words), offset: finds.closest(in: words) ?? start)
  }
}

/// The words of a text, and which of them are terms.
private struct Finds {
  private let terms: [TextMarker.Term]
  /// For each term, a bit for each number of its words that were just read.
  private var begun: [UInt64]
  /// The bytes of each word.
  private(set) var words: [Range<Int>] = []
  private var found: [(words: Range<Int>, term: Int)] = []
  /// The rest of the text was not read.
  private(set) var isCut = false

  init(terms: [TextMarker.Term], areAllWanted: Bool) {
    self.terms = terms
    self.areAllWanted = areAllWanted
    begun = Array(repeating: 0, count: terms.count)
    lastWord = Array(repeating: .min, count: terms.count)
  }

  /// A better passage is looked for among this number of words behind the first match, and on where no passage has all terms.
  private static let reach = 1000
  private let areAllWanted: Bool
  /// For each term, the number of words up to where it was found last.
  private var lastWord: [Int]
  /// The number of words up to the end of a passage that has all terms.
  private var wordsToAll: Int?

  /// A passage with all of them was read, and more words than one has.
  private var hasAllTerms: Bool {
    terms.count == 1 || !areAllWanted || wordsToAll.map { words.count > $0 + 64 } ?? false
  }

  mutating func add(_ word: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    if let first = found.first, words.count > first.words.lowerBound + Self.reach, hasAllTerms {
      isCut = true
      return false
    }
    words.append(range)
    for (index, term) in terms.enumerated() {
      begun[index] = (begun[index] << 1 | 1) & term.places(of: word)
      if begun[index] & 1 << (term.words.count - 1) != 0 {
        found.append((words.count - term.words.count..<words.count, index))
        lastWord[index] = words.count
        let isNear = lastWord.allSatisfy { $0 > words.count - Self.shortest }
        if wordsToAll == nil, isNear { wordsToAll = words.count }
      }
    }
    return true
  }

  /// Of the passages.
  private static let shortest = 16

  /// The number of words in a passage. In a script without blanks, each letter of three bytes is one.
  private var length: Int {
    guard let first = found.first?.words.lowerBound else { return 0 }
    let near = words[max(0, min(first, words.count - 16))...].prefix(16)
    let bytes = (near.last?.upperBound ?? 0) - (near.first?.lowerBound ?? 0)
    let usual = bytes > 4 * near.count ? Self.shortest : 48
    return terms.reduce(usual) { max($0, $1.words.count + $1.words.count / 4) }
  }

  /// The passage with most different terms, of those the first.
  var best: Range<Int>? {
    var best: (start: Int, terms: Int)?
    let length = length
    for (index, find) in found.enumerated() {
      let near = found[index...].prefix { $0.words.upperBound <= find.words.lowerBound + length }
      let count = count(of: near)
      if count > best?.terms ?? -1 { best = (find.words.lowerBound, count) }
      if count == terms.count { break }
    }
    guard let best else { return nil }
    let span = found.last { $0.words.upperBound <= best.start + length }?.words.upperBound ?? best.start
    // A quarter stands before the first match.
    let lead = max(0, min(length / 4, best.start + length - span))
    let start = max(0, min(best.start - lead, words.count - length))
    return start..<min(words.count, start + length)
  }

  /// The bytes of the terms in a passage.
  func matches(in passage: Range<Int>) -> [Range<Int>] {
    var matches: [Range<Int>] = []
    for find in finds(in: passage) {
      let bytes = words[find.words.lowerBound].lowerBound..<words[find.words.upperBound - 1].upperBound
      if let last = matches.last, bytes.lowerBound < last.upperBound {
        matches[matches.count - 1] = last.lowerBound..<max(last.upperBound, bytes.upperBound)
      } else {
        matches.append(bytes)
      }
    }
    return matches
  }

  /// The byte at which the shortest part of a passage begins that has all terms of it.
  func closest(in passage: Range<Int>) -> Int? {
    let finds = finds(in: passage)
    let all = count(of: finds[...])
    var shortest: (start: Int, words: Int)?
    for (index, find) in finds.enumerated() {
      var seen = SeenTerms(of: terms.count)
      let first = finds[...index].last { before in
        seen.see(before.term)
        return seen.count == all
      }
      guard let first else { continue }
      let count = find.words.upperBound - first.words.lowerBound
      if count < shortest?.words ?? .max { shortest = (first.words.lowerBound, count) }
    }
    return shortest.map { words[$0.start].lowerBound }
  }

  private func finds(in passage: Range<Int>) -> [(words: Range<Int>, term: Int)] {
    found.filter { passage.lowerBound <= $0.words.lowerBound && $0.words.upperBound <= passage.upperBound }
      .sorted { $0.words.lowerBound < $1.words.lowerBound }
  }

  /// The number of different terms.
  private func count(of finds: ArraySlice<(words: Range<Int>, term: Int)>) -> Int {
    var seen = SeenTerms(of: terms.count)
    for find in finds { seen.see(find.term) }
    return seen.count
  }
}

/// Counts different terms. They are few: making the type of a set takes longer than counting in a hundred texts.
private struct SeenTerms {
  private var isSeen: [Bool]
  private(set) var count = 0

  init(of terms: Int) { isSeen = Array(repeating: false, count: terms) }

  mutating func see(_ term: Int) {
    guard !isSeen[term] else { return }
    isSeen[term] = true
    count += 1
  }
}
