/// The beginning of a word that is in so much of the index that reading all of its words takes long, such as `con*` while it
/// is typed. The episodes are found by less of it, the newest first, and looked at one by one.
struct CostlyPrefix {
  /// The query without it, or with its first two letters, for which the index has lists.
  let wider: SearchQuery
  private let beginning: [UInt8]
  /// False: the pages may be those of a common word that begins otherwise, so the index answers if too few are found.
  let isSure: Bool
  /// Whether to begin with this. Several words beside it may each be common but seldom together, and then finding episodes
  /// by less of the beginning takes longer than reading a few more pages; so the index tells first whether they are many.
  let isBest: Bool

  /// Nil for a beginning of another kind, which the index answers. `pages`: about the number of the index's pages with
  /// words that begin so.
  init?(_ query: SearchQuery, pages: (String) throws(StoreError) -> ClosedRange<Int64>) throws(StoreError) {
    guard let term = query.groups.last?.first, query.groups.last?.count == 1, term.isPrefix,
      term.text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x20 }), term.text.utf8.count != 2,
      case let pages = try pages(term.text.lowercased()), pages.upperBound > Self.affordable
    else { return nil }
    let mostRead = query.groups.count < 3 ? Self.affordable : 5 * Self.affordable
    (isSure, isBest) = (pages.lowerBound > mostRead, pages.upperBound > mostRead)
    beginning = Array(term.text.lowercased().utf8)
    wider = query.widened(beginning.count == 1 ? nil : String(decoding: beginning.prefix(2), as: UTF8.self))
  }

  /// Twenty pages take about a millisecond.
  private static let affordable: Int64 = 60

  /// Of so many episodes at most, and first of fewer: a word that is so common is soon found.
  static let candidates = [160, 800]

  /// Whether a word of the text begins so. Letters with diacritics count as others here, for speed.
  func isIn(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var isInside = false
      var index = 0
      while index < bytes.count {
        let isWord = Self.isPartOfWord(bytes[index])
        if isWord, !isInside, begins(bytes, at: index) { return true }
        isInside = isWord
        index += 1
      }
      return false
    }
  }

  private func begins(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    guard start + beginning.count <= bytes.count else { return false }
    for offset in 0..<beginning.count where Self.lowercased(bytes[start + offset]) != beginning[offset] { return false }
    return true
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || lowercased(byte) &- 0x61 < 26 || byte &- 0x30 < 10
  }
}
