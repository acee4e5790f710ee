internal import PodcastModel

/// One search in the full-text index.
///
/// Ranking reads the places of every match, so only few matches are ranked. Of many the episodes stored last are taken,
/// those with the words in the title first.
struct Search {
  let connection: Connection
  private(set) var query: SearchQuery
  let fields: Set<SearchHit.Field>
  let podcast: PodcastID?
  /// The terms that are taken for the beginning of a word, with about the number of its pages of the index. They are few:
  /// making the type of a dictionary takes longer than looking through them.
  private(set) var pagesOfBeginnings: [(term: SearchQuery.Term, pages: Int64)] = []
  var beginnings: [SearchQuery.Term] { pagesOfBeginnings.map(\.term) }
  let fullText: FullText
  let index: IndexPages
  /// About the number of episodes with each term of each group. None of very many terms.
  private(set) var counts: [[Int64]] = []
  let allEpisodes: Int64

  private init(
    _ query: SearchQuery, in fields: Set<SearchHit.Field>, of podcast: PodcastID?, _ connection: Connection
  ) throws(StoreError) {
    self.connection = connection
    self.query = query
    self.fields = fields
    self.podcast = podcast
    fullText = try connection.fullText()
    index = IndexPages(connection: connection)
    allEpisodes = try connection.integer("SELECT sum(episodes) FROM counters") ?? 0
  }

  /// Without any hit, words are taken for beginnings.
  static func hits(
    for query: SearchQuery, in fields: Set<SearchHit.Field>, of podcast: PodcastID?, limit: Int,
    _ connection: Connection
  ) throws(StoreError) -> [SearchHit] {
    guard !query.isEmpty else { return [] }
    var search = try Search(query, in: fields, of: podcast, connection)
    let hits = try search.hits(limit: limit)
    guard hits.isEmpty else { return hits }
    search.pagesOfBeginnings = try search.affordableBeginnings()
    return search.pagesOfBeginnings.isEmpty ? [] : try search.hits(limit: limit)
  }

  /// The passages of these episodes, which have the words, in these fields.
  static func hits(
    for query: SearchQuery, in fields: Set<SearchHit.Field>, among ids: [EpisodeID], limit: Int,
    _ connection: Connection
  ) throws(StoreError) -> [SearchHit] {
    let search = try Search(query, in: fields, of: nil, connection)
    let marker = TextMarker(query.terms, beginnings: [], areAllWanted: query.hasNoAlternatives, search.fullText)
    var hits: [SearchHit] = []
    for id in ids where hits.count < limit {
      guard let hit = try search.hit(id.rawValue, marker), fields.isEmpty || !hit.matches.isEmpty else { continue }
      hits.append(hit)
    }
    return hits
  }

  /// Episodes with this title; without any, those whose title has all these words, then beginnings of words. Newest first.
  static func episodes(
    titled words: String, of podcast: PodcastID?, limit: Int, _ connection: Connection
  ) throws(StoreError) -> [EpisodeEntry] {
    let split = SearchWords(words)
    guard let whole = split.wholeTitleMatch, let beginnings = split.titleMatch else { return [] }
    let read = { (match: String) throws(StoreError) in
      let condition: SQL = podcast.map { "i.podcast_id = \($0)" } ?? "i.is_listed = 1"
      return try EpisodeRows.read(
        """
        \(EpisodeRows.select())WHERE e.id IN (SELECT search.rowid FROM search CROSS JOIN episodes i ON i.id = search.rowid
          WHERE search MATCH \(match) AND \(condition) ORDER BY search.rowid DESC LIMIT \(Self.mostTitles))
        ORDER BY e.title = \(words) COLLATE NOCASE DESC, e.listed_at DESC, e.id DESC LIMIT \(limit)
        """, from: connection)
    }
    let found = try read(whole)
    let exact = found.filter { $0.episode.title.lowercased() == words.lowercased() }
    if !exact.isEmpty { return exact }
    if let beginning = split.titleBeginningMatch, try isCut(whole, connection) {
      let older = try exactTitles(words, beginning, of: podcast, limit, connection)
      if !older.isEmpty { return older }
    }
    return found.isEmpty ? try read(beginnings) : found
  }

  private static let mostTitles: Int64 = 2000

  private static func isCut(_ match: String, _ connection: Connection) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT count(*) FROM (SELECT rowid FROM search WHERE search MATCH \(match) LIMIT \(mostTitles))") == mostTitles
  }

  /// Those behind the newest titles that have the words. Titles that begin with them are far fewer.
  private static func exactTitles(
    _ words: String, _ beginning: String, of podcast: PodcastID?, _ limit: Int, _ connection: Connection
  ) throws(StoreError) -> [EpisodeEntry] {
    let condition: SQL = podcast.map { "i.podcast_id = \($0)" } ?? "i.is_listed = 1"
    return try EpisodeRows.read(
      """
      \(EpisodeRows.select())WHERE e.id IN (SELECT i.id FROM
          (SELECT rowid FROM search WHERE search MATCH \(beginning) ORDER BY rowid DESC LIMIT \(4 * mostTitles)) f
          CROSS JOIN episodes i ON i.id = f.rowid WHERE \(condition) AND i.title = \(words) COLLATE NOCASE)
      ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit)
      """, from: connection)
  }

  // MARK: Beginnings

  /// SQLite reads every word that begins so into memory, so these are the terms for which that is quick.
  private func affordableBeginnings() throws(StoreError) -> [(term: SearchQuery.Term, pages: Int64)] {
    var costs: [(term: SearchQuery.Term, pages: Int64)] = []
    for term in query.terms where !term.isPrefix && !costs.contains(where: { $0.term == term }) {
      guard let word = fullText.words(of: term.text).last else { continue }
      let pages = try index.pages(ofWordsBeginning: String(decoding: word, as: UTF8.self))
      costs.append((term, pages.lowerBound))
    }
    costs.sort { ($0.pages, $0.term.text) < ($1.pages, $1.term.text) }
    var left = Self.pagesForBeginnings
    return Array(
      costs.prefix { cost in
        left -= cost.pages
        return left >= 0
      })
  }

  /// Twenty pages take about a millisecond.
  private static let pagesForBeginnings: Int64 = 150

  // MARK: Hits

  private mutating func hits(limit: Int) throws(StoreError) -> [SearchHit] {
    try countTerms()
    let marker = TextMarker(query.terms, beginnings: beginnings, areAllWanted: query.hasNoAlternatives, fullText)
    var hits: [SearchHit] = []
    for id in try found(limit).prefix(limit) {
      if let hit = try hit(id, marker) { hits.append(hit) }
    }
    return hits
  }

  /// The most common first: each is looked for in the episodes that have those behind it.
  private mutating func countTerms() throws(StoreError) {
    guard query.terms.count <= Self.countedTerms else { return }
    var counted: [(group: [SearchQuery.Term], counts: [Int64])] = []
    for group in query.groups {
      var counts: [Int64] = []
      for term in group { counts.append(min(max(1, allEpisodes), try count(of: term))) }
      counted.append((group, counts))
    }
    counted.sort { $0.counts.reduce(0, +) > $1.counts.reduce(0, +) }
    query.order(counted.map(\.group))
    counts = counted.map(\.counts)
  }

  private static let countedTerms = 16

  // MARK: Showing

  /// The passage of the first field that has all of the words, or else any; no text behind it is read. With a phrase, the
  /// first that has any.
  private func hit(_ id: Int64, _ marker: TextMarker) throws(StoreError) -> SearchHit? {
    let entry = try EpisodeRows.read("\(EpisodeRows.select())WHERE e.id = \(id)", from: connection).first
    guard let entry else { return nil }
    var first: (field: SearchHit.Field, passage: MarkedText)?
    for field in SearchHit.Field.allCases where fields.isEmpty || fields.contains(field) {
      guard let text = try text(of: field, entry), let passage = marker.passage(of: text) else { continue }
      if !marker.areWords || marker.areAll(in: text) { return try hit(entry, field, passage, marker) }
      first = first ?? (field, passage)
    }
    if let first { return try hit(entry, first.field, first.passage, marker) }
    return SearchHit(entry: entry, field: .title, snippet: entry.episode.title, matches: [])
  }

  private func hit(
    _ entry: EpisodeEntry, _ field: SearchHit.Field, _ passage: MarkedText, _ marker: TextMarker
  ) throws(StoreError) -> SearchHit {
    var passage = passage
    let id = entry.episode.id.rawValue
    let line = try line(of: field, at: passage.offset, id)
    // A chapter is one of several that have nothing to do with each other.
    if field == .chapters, let line { passage = marker.passage(of: line.text) ?? passage }
    let time = field == .transcript ? try heard(line?.start, id) : line?.start
    return SearchHit(entry: entry, field: field, snippet: passage.text, matches: passage.matches, time: time)
  }

  private func text(of field: SearchHit.Field, _ entry: EpisodeEntry) throws(StoreError) -> String? {
    if field == .title { return entry.episode.title }
    let column = SQL(text: field.rawValue)
    return try connection.first("SELECT \(column) FROM plain_texts WHERE id = \(entry.episode.id)") { $0.text(0) }
  }

  /// The chapter or the segment of the transcript at this byte of all of them, which are joined by line feeds.
  private func line(
    of field: SearchHit.Field, at byte: Int, _ id: Int64
  ) throws(StoreError) -> (text: String, start: Duration?)? {
    let (table, text): (SQL, SQL)
    switch field {
    case .title, .notes: return nil
    case .chapters: (table, text) = ("chapters", "title")
    case .transcript: (table, text) = ("transcripts", "text")
    }
    return try connection.first(
      """
      SELECT text, start FROM (
        SELECT \(text) AS text, start, sum(length(CAST(\(text) AS BLOB)) + 1) OVER (ORDER BY place) AS end
        FROM \(table) WHERE episode_id = \(id) AND \(text) IS NOT NULL)
      WHERE end > \(byte) LIMIT 1
      """
    ) { ($0.text(0), $0.optionalLength(1)) }
  }

  /// The position at which something of a transcript is heard.
  private func heard(_ said: Duration?, _ id: Int64) throws(StoreError) -> Duration? {
    guard let said else { return nil }
    return TranscriptAnchor.heard(said, try AnchorRows(connection: connection).read(of: EpisodeID(rawValue: id)))
  }
}
