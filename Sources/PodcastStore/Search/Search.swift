internal import PodcastModel

/// One search in the full-text index.
///
/// Ranking reads every text with the word, so only a rare word is ranked. For a common one the episodes stored last are
/// taken, those with the word in the title first.
struct Search {
  let connection: Connection
  let match: String
  let podcast: PodcastID?

  /// Ranking this many episodes is quick.
  private static let rankedEpisodes = 1000

  /// Without any hit, every word is taken for a beginning.
  static func hits(
    for query: SearchWords, in fields: Set<SearchHit.Field>, of podcast: PodcastID?, limit: Int,
    _ connection: Connection
  ) throws(StoreError) -> [SearchHit] {
    for asPrefixes in [false, true] {
      guard let match = query.match(in: fields, asPrefixes: asPrefixes) else { return [] }
      let search = Search(connection: connection, match: match, podcast: podcast)
      let hits = try search.hits(limit: limit, titleMatch: query.match(in: [.title], asPrefixes: asPrefixes), fields)
      if !hits.isEmpty { return hits }
    }
    return []
  }

  /// Episodes whose title has all these words or beginnings of words, newest first.
  static func episodes(
    titled words: String, of podcast: PodcastID?, limit: Int, _ connection: Connection
  ) throws(StoreError) -> [EpisodeEntry] {
    guard let match = SearchWords(words).match(in: [.title]) else { return [] }
    let condition: SQL = podcast.map { " AND e.podcast_id = \($0)" } ?? " AND e.is_listed = 1"
    return try EpisodeRows.read(
      """
      \(EpisodeRows.select())WHERE e.id IN (SELECT rowid FROM search WHERE search MATCH \(match) ORDER BY rowid DESC
        LIMIT 2000)\(condition) ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit)
      """, from: connection)
  }

  private func hits(limit: Int, titleMatch: String?, _ fields: Set<SearchHit.Field>) throws(StoreError) -> [SearchHit] {
    let finds = try isRare() ? ranked(limit) : newest(limit, titleMatch, fields)
    var hits: [SearchHit] = []
    for find in finds {
      if let hit = try hit(find) { hits.append(hit) }
    }
    return hits
  }

  /// An episode, and the snippet around the words in each of its texts.
  private struct Find {
    let id: Int64
    let texts: [String]

    init(_ row: Statement.Row) {
      id = row.integer(0)
      texts = SearchHit.Field.allCases.indices.map { row.text(1 + Int32($0)) }
    }
  }

  private func isRare() throws(StoreError) -> Bool {
    let cap = Self.rankedEpisodes + 1
    let count = try connection.integer(
      "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH \(match) LIMIT \(cap))")
    return (count ?? 0) < cap
  }

  /// A word in a title weighs more than one in an hour's transcript.
  private func ranked(_ limit: Int) throws(StoreError) -> [Find] {
    let ids = try connection.rows(
      """
      SELECT rowid FROM search WHERE search MATCH \(match)\(ofPodcast)
      ORDER BY bm25(search, 8.0, 2.0, 4.0, 1.0), rowid DESC LIMIT \(limit)
      """
    ) { $0.integer(0) }
    // Snippets are made only for the shown hits: for all of them it takes longer than the ranking.
    var finds: [Find] = []
    for id in ids {
      finds += try connection.rows("\(Self.select)WHERE search MATCH \(match) AND rowid = \(id)") { Find($0) }
    }
    return finds
  }

  private func newest(_ limit: Int, _ titleMatch: String?, _ fields: Set<SearchHit.Field>) throws(StoreError) -> [Find]
  {
    var finds: [Find] = []
    if let titleMatch, fields.isEmpty || fields.contains(.title) { finds = try newest(limit, matching: titleMatch) }
    guard finds.count < limit else { return finds }
    let known = Set(finds.map(\.id))
    finds += try newest(limit + finds.count, matching: match).filter { !known.contains($0.id) }
    return Array(finds.prefix(limit))
  }

  /// Snippets included, in one walk from the end: finding a row again means walking over those before it.
  private func newest(_ limit: Int, matching match: String) throws(StoreError) -> [Find] {
    try connection.rows(
      "\(Self.select)WHERE search MATCH \(match)\(ofPodcast) ORDER BY rowid DESC LIMIT \(limit)"
    ) { Find($0) }
  }

  private static var select: SQL {
    let texts = SearchHit.Field.allCases.indices.map { column -> SQL in
      "snippet(search, \(column), \(MarkedText.opening), \(MarkedText.closing), '…', 16)"
    }
    return "SELECT rowid, \(texts.joined(by: ", ")) FROM search "
  }

  private var ofPodcast: SQL {
    guard let podcast else { return "" }
    return """
       AND rowid BETWEEN (SELECT min(id) FROM episodes WHERE podcast_id = \(podcast))
      AND (SELECT max(id) FROM episodes WHERE podcast_id = \(podcast))
      AND EXISTS (SELECT 1 FROM episodes WHERE id = search.rowid AND podcast_id = \(podcast))
      """
  }

  // MARK: The position

  private func hit(_ find: Find) throws(StoreError) -> SearchHit? {
    let entry = try EpisodeRows.read("\(EpisodeRows.select())WHERE e.id = \(find.id)", from: connection).first
    guard let entry else { return nil }
    for (text, field) in zip(find.texts, SearchHit.Field.allCases) {
      guard let marked = MarkedText(text) else { continue }
      let time = try time(of: marked.first, find.id, field)
      return SearchHit(entry: entry, field: field, snippet: marked.text, matches: marked.matches, time: time)
    }
    return SearchHit(entry: entry, field: .title, snippet: entry.episode.title, matches: [])
  }

  /// `word` is spelled as in the text, so no letters are folded here.
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
      ) { $0.optionalLength(0) }.flatMap(\.self).map { said throws(StoreError) in try heard(said, id) }
    }
  }

  /// The position at which something of a transcript is heard.
  private func heard(_ said: Duration, _ id: Int64) throws(StoreError) -> Duration {
    TranscriptAnchor.heard(said, try AnchorRows(connection: connection).read(of: EpisodeID(rawValue: id)))
  }
}
