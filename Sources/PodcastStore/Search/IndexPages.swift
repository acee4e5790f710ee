/// The pages of the full-text index that words take. They tell how common these are before any of them is read.
///
/// `search_idx` has the first word of each page of each part of the index, behind the letter `0`, or `1` for the lists of
/// beginnings of two letters. It has no page on which no word begins: a common word goes on through many of these, and may
/// be the last of its page, which others share.
struct IndexPages {
  let connection: Connection

  /// About the number of pages that hold words with this beginning: at least, and at most.
  func pages(ofWordsBeginning beginning: String) throws(StoreError) -> ClosedRange<Int64> {
    // The index has lists for beginnings of two letters.
    if beginning.unicodeScalars.count == 2 { return 0...0 }
    let start: SQL = "CAST('0' || \(beginning) AS BLOB)"
    let end: SQL = "CAST('0' || \(beginning) || x'ff' AS BLOB)"
    let (first, last) = (Self.lastPage(upTo: start), Self.lastPage(upTo: end))
    let next = Self.firstPage(behind: end, or: last)
    let bounds = try sums("\(last) - \(first)", "\(next) - \(first)")
    return bounds.0...max(bounds.0, bounds.1)
  }

  /// About the number of pages that this word fills, or that the list of a beginning of two letters does. A word before a
  /// common one, on the same page, seems as common.
  func pages(filledBy word: String, isBeginning: Bool) throws(StoreError) -> Int64 {
    let key: SQL = "CAST(\(isBeginning ? "1" : "0") || \(word) AS BLOB)"
    let first = Self.lastPage(upTo: key)
    return try sums("max(0, \(Self.firstPage(behind: key, or: first)) - \(first) - 1)", "0").0
  }

  private static func lastPage(upTo key: SQL) -> SQL {
    "ifnull((SELECT pgno >> 1 FROM search_idx WHERE segid = part.id AND term <= \(key) ORDER BY term DESC LIMIT 1), 0)"
  }

  private static func firstPage(behind key: SQL, or other: SQL) -> SQL {
    "ifnull((SELECT pgno >> 1 FROM search_idx WHERE segid = part.id AND term > \(key) ORDER BY term LIMIT 1), \(other))"
  }

  /// Over all parts of the index.
  private func sums(_ first: SQL, _ second: SQL) throws(StoreError) -> (Int64, Int64) {
    try connection.first(
      """
      WITH RECURSIVE part (id) AS (
        SELECT min(segid) FROM search_idx
        UNION ALL SELECT (SELECT min(segid) FROM search_idx WHERE segid > id) FROM part WHERE id IS NOT NULL)
      SELECT sum(\(first)), sum(\(second)) FROM part
      """
    ) { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
  }
}
