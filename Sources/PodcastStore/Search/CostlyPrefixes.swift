/// Beginnings of words that are in so much of the index that reading all of their words takes long, such as `con*` while it
/// is typed. The episodes are found by less of them, the newest first, and looked at one by one.
struct CostlyPrefixes {
  /// The query without them, or with their first two letters, for which the index has lists.
  let wider: SearchQuery
  /// Their numbers among the groups of the query.
  let groups: Set<Int>
  /// Those of them that the wider query has nothing for.
  let leftOut: Set<Int>
  private let beginnings: [[UInt8]]
  /// False: the pages may be those of a common word that begins otherwise, or few of the newest episodes have all of several
  /// beginnings. So the index answers if too few are found.
  let areSure: Bool
  /// Whether to begin with these. Several words beside them may each be common but seldom together, and then finding episodes
  /// by less of a beginning takes longer than reading a few more pages.
  let areBest: Bool

  /// Nil without any; the index answers those of another kind. `isOfMany`: as many episodes as are not ranked seem to match.
  init?(_ query: SearchQuery, limit: Int, isOfMany: Bool, _ index: IndexPages) throws(StoreError) {
    let mostRead = isOfMany || query.groups.count < 3 ? Self.affordable : 5 * Self.affordable
    var beginnings: [Int: [UInt8]] = [:]
    var (areSure, areBest) = (true, false)
    for (number, group) in query.groups.enumerated() {
      guard let term = group.first, group.count == 1, term.isPrefix,
        term.text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x20 }), term.text.utf8.count != 2,
        case let beginning = term.text.lowercased(), case let pages = try index.pages(ofWordsBeginning: beginning),
        pages.upperBound > Self.affordable
      else { continue }
      beginnings[number] = Array(beginning.utf8)
      areSure = areSure && pages.lowerBound > mostRead
      if pages.upperBound > 5 * Self.affordable {
        areBest = true
      } else if pages.upperBound > mostRead, try Self.isQuickerByTexts(limit, beginning, pages.lowerBound, index) {
        areBest = true
      }
    }
    guard !beginnings.isEmpty else { return nil }
    (self.areSure, self.areBest) = (areSure && beginnings.count == 1, areBest)
    self.beginnings = Array(beginnings.values)
    groups = Set(beginnings.keys)
    leftOut = groups.filter { beginnings[$0]?.count == 1 }
    wider = query.widened(beginnings.mapValues { $0.count == 1 ? nil : String(decoding: $0.prefix(2), as: UTF8.self) })
  }

  /// Whether reading the texts of as many candidates as are needed, of which forty take a millisecond, is quicker than reading
  /// the pages. The candidates have the first two letters.
  private static func isQuickerByTexts(
    _ limit: Int, _ beginning: String, _ pages: Int64, _ index: IndexPages
  ) throws(StoreError) -> Bool {
    guard beginning.utf8.count > 2 else { return true }
    let listed = try index.pages(filledBy: String(beginning.prefix(2)), isBeginning: true)
    return Double(limit) * Double(listed) / 40 < Double(pages) * Double(pages) / 20
  }

  /// Twenty pages take about a millisecond.
  private static let affordable: Int64 = 60

  /// Of so many episodes at most, and first of fewer: a word that is so common is soon found.
  static let candidates = [160, 800]

  /// Whether the rest of the candidates have as many as are missing.
  func areLikely(_ limit: Int, by found: Int) -> Bool {
    found * Self.candidates.reduce(0, +) >= limit * Self.candidates[0]
  }

  /// Whether words of the text begin so. Letters with diacritics count as others here, for speed.
  func areIn(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in beginnings.allSatisfy { Self.isWord(of: bytes, beginning: $0) } }
  }

  private static func isWord(of bytes: UnsafeBufferPointer<UInt8>, beginning: [UInt8]) -> Bool {
    var isInside = false
    var index = 0
    while index < bytes.count {
      let isWord = isPartOfWord(bytes[index])
      if isWord, !isInside, begins(bytes, at: index, with: beginning) { return true }
      isInside = isWord
      index += 1
    }
    return false
  }

  private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int, with beginning: [UInt8]) -> Bool {
    guard start + beginning.count <= bytes.count else { return false }
    for offset in 0..<beginning.count where lowercased(bytes[start + offset]) != beginning[offset] { return false }
    return true
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || lowercased(byte) &- 0x61 < 26 || byte &- 0x30 < 10
  }
}
