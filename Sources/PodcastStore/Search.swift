internal import PodcastModel

/// One search in the full-text index.
///
/// Ranking reads everything a word is in, so a rare word is ranked, and of a common one the newest episodes are taken,
/// those with the word in the title first.
struct Search {
  let connection: Connection
  let match: String
  let podcast: PodcastID?

  /// Up to here ranking takes no time worth the name.
  private static let rankedEpisodes = 1000

  func hits(limit: Int, titleMatch: String?, _ fields: Set<SearchHit.Field>) throws(StoreError) -> [SearchHit] {
    let ids = try isRare() ? ranked(limit) : newest(limit, titleMatch, fields)
    var hits: [SearchHit] = []
    for id in ids {
      if let hit = try hit(id) { hits.append(hit) }
    }
    return hits
  }

  private func isRare() throws(StoreError) -> Bool {
    let cap = Self.rankedEpisodes + 1
    let count = try connection.integer(
      "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH \(match) LIMIT \(cap))")
    return (count ?? 0) < cap
  }

  /// A word in a title weighs more than one in an hour's transcript.
  private func ranked(_ limit: Int) throws(StoreError) -> [Int64] {
    try connection.rows(
      """
      SELECT rowid FROM search WHERE search MATCH \(match)\(ofPodcast)
      ORDER BY bm25(search, 8.0, 2.0, 4.0, 1.0), rowid DESC LIMIT \(limit)
      """
    ) { $0.integer(0) }
  }

  private func newest(
    _ limit: Int, _ titleMatch: String?, _ fields: Set<SearchHit.Field>
  ) throws(StoreError) -> [Int64] {
    var ids: [Int64] = []
    if let titleMatch, fields.isEmpty || fields.contains(.title) { ids = try newest(limit, matching: titleMatch) }
    guard ids.count < limit else { return ids }
    let known = Set(ids)
    ids += try newest(limit + ids.count, matching: match).filter { !known.contains($0) }
    return Array(ids.prefix(limit))
  }

  private func newest(_ limit: Int, matching match: String) throws(StoreError) -> [Int64] {
    try connection.rows(
      "SELECT rowid FROM search WHERE search MATCH \(match)\(ofPodcast) ORDER BY rowid DESC LIMIT \(limit)"
    ) { $0.integer(0) }
  }

  private var ofPodcast: SQL {
    guard let podcast else { return "" }
    return """
       AND rowid BETWEEN (SELECT min(id) FROM episodes WHERE podcast_id = \(podcast))
      AND (SELECT max(id) FROM episodes WHERE podcast_id = \(podcast))
      AND EXISTS (SELECT 1 FROM episodes WHERE id = search.rowid AND podcast_id = \(podcast))
      """
  }

  // MARK: The place

  private func hit(_ id: Int64) throws(StoreError) -> SearchHit? {
    let entry = try EpisodeRows.read("\(EpisodeRows.select())WHERE e.id = \(id)", from: connection).first
    guard let entry else { return nil }
    for (column, field) in SearchHit.Field.allCases.enumerated() {
      guard let marked = try snippet(id, column), let place = MarkedText(marked) else { continue }
      let time = try time(of: place.first, id, field)
      return SearchHit(entry: entry, field: field, snippet: place.text, matches: place.matches, time: time)
    }
    return SearchHit(entry: entry, field: .title, snippet: entry.episode.title, matches: [])
  }

  private func snippet(_ id: Int64, _ column: Int) throws(StoreError) -> String? {
    try connection.first(
      """
      SELECT snippet(search, \(column), \(MarkedText.opening), \(MarkedText.closing), '…', 16)
      FROM search WHERE search MATCH \(match) AND rowid = \(id)
      """
    ) { $0.text(0) }
  }

  /// The word is looked for as it is written there, so letters need no folding here.
  private func time(of word: String, _ id: Int64, _ field: SearchHit.Field) throws(StoreError) -> Duration? {
    switch field {
    case .title, .notes: nil
    case .chapters:
      try connection.first(
        "SELECT start FROM chapters WHERE episode_id = \(id) AND instr(title, \(word)) > 0 ORDER BY place LIMIT 1"
      ) { $0.optionalLength(0) } ?? nil
    case .transcript:
      try connection.first(
        "SELECT start FROM transcripts WHERE episode_id = \(id) AND instr(text, \(word)) > 0 ORDER BY place LIMIT 1"
      ) { $0.optionalLength(0) } ?? nil
    }
  }
}

/// A text in which control characters stand around the found words.
struct MarkedText {
  static let opening = "\u{1}"
  static let closing = "\u{2}"

  private(set) var text = ""
  /// In bytes of the text's UTF-8.
  private(set) var matches: [Range<Int>] = []
  /// The first found word, as it is written there.
  private(set) var first = ""

  /// Nil when nothing is marked.
  init?(_ marked: String) {
    var bytes: [UInt8] = []
    var start: Int?
    for byte in marked.utf8 {
      switch byte {
      case 1: start = bytes.count
      case 2:
        if let start { matches.append(start..<bytes.count) }
        start = nil
      // One line, whatever the notes were.
      case 9, 10, 13: bytes.append(32)
      default: bytes.append(byte)
      }
    }
    guard let match = matches.first else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
    first = String(decoding: bytes[match], as: UTF8.self)
  }
}
