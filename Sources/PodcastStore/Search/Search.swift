internal import PodcastModel

/// One search in the full-text index.
///
/// Ranking reads the places of every match, so only few matches are ranked. Of many the episodes stored last are taken,
/// those with the words in the title first.
struct Search {
  private let connection: Connection
  private let query: SearchQuery
  private let fields: Set<SearchHit.Field>
  private let podcast: PodcastID?
  /// Terms that are taken for the beginning of a word.
  private var beginnings: Set<SearchQuery.Term> = []
  private let fullText: FullText

  /// Ranking so many episodes is quick. Each word more has to be found in each of them: with ten, a thousand take 36 ms, which
  /// is too long for a letter.
  private var rankedEpisodes: Int { query.terms.last?.isPrefix == true ? 2000 / max(2, query.terms.count) : 1000 }

  private init(
    _ query: SearchQuery, in fields: Set<SearchHit.Field>, of podcast: PodcastID?, _ connection: Connection
  ) throws(StoreError) {
    self.connection = connection
    self.query = query
    self.fields = fields
    self.podcast = podcast
    fullText = try connection.fullText()
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
    search.beginnings = try search.affordableBeginnings()
    return search.beginnings.isEmpty ? [] : try search.hits(limit: limit)
  }

  /// Episodes with this title; without any, those whose title has all these words, then beginnings of words. Newest first.
  static func episodes(
    titled words: String, of podcast: PodcastID?, limit: Int, _ connection: Connection
  ) throws(StoreError) -> [EpisodeEntry] {
    let split = SearchWords(words)
    guard let whole = split.wholeTitleMatch, let beginnings = split.titleMatch else { return [] }
    let read = { (match: String) throws(StoreError) in
      let condition: SQL = podcast.map { " AND e.podcast_id = \($0)" } ?? " AND e.is_listed = 1"
      return try EpisodeRows.read(
        """
        \(EpisodeRows.select())WHERE e.id IN (SELECT rowid FROM search WHERE search MATCH \(match) ORDER BY rowid DESC
          LIMIT 2000)\(condition) ORDER BY e.title = \(words) COLLATE NOCASE DESC, e.listed_at DESC, e.id DESC LIMIT \(limit)
        """, from: connection)
    }
    let found = try read(whole)
    let exact = found.filter { $0.episode.title.lowercased() == words.lowercased() }
    if !exact.isEmpty { return exact }
    return found.isEmpty ? try read(beginnings) : found
  }

  // MARK: Beginnings

  /// SQLite reads every word that begins so into memory, so these are the terms for which that is quick.
  private func affordableBeginnings() throws(StoreError) -> Set<SearchQuery.Term> {
    var costs: [(term: SearchQuery.Term, pages: Int64)] = []
    for term in Set(query.terms) where !term.isPrefix {
      guard let word = fullText.words(of: term.text).last else { continue }
      costs.append((term, try pages(ofWordsBeginning: String(decoding: word, as: UTF8.self)).lowerBound))
    }
    costs.sort { ($0.pages, $0.term.text) < ($1.pages, $1.term.text) }
    var left = Self.pagesForBeginnings
    return Set(
      costs.prefix { cost in
        left -= cost.pages
        return left >= 0
      }.map(\.term))
  }

  /// Twenty pages take about a millisecond.
  private static let pagesForBeginnings: Int64 = 150

  /// About the number of the index's pages that hold words with this beginning: at least, and at most. `search_idx` has
  /// the first word of each page of each part of the index, behind the letter `0`, but not of pages on which none begins:
  /// a common word goes on through many of these, and may be the last with the beginning, or the first one behind.
  private func pages(ofWordsBeginning beginning: String) throws(StoreError) -> ClosedRange<Int64> {
    // The index has lists for beginnings of two letters.
    if beginning.unicodeScalars.count == 2 { return 0...0 }
    let page = { (end: SQL) -> SQL in
      """
      ifnull((SELECT pgno >> 1 FROM search_idx WHERE segid = part.id AND term <= CAST('0' || \(beginning)\(end) AS BLOB)
        ORDER BY term DESC LIMIT 1), 0)
      """
    }
    let (first, last) = (page(""), page(" || x'ff'"))
    let next: SQL = """
      ifnull((SELECT pgno >> 1 FROM search_idx WHERE segid = part.id AND term > CAST('0' || \(beginning) || x'ff' AS BLOB)
        ORDER BY term LIMIT 1), \(last))
      """
    let bounds = try connection.first(
      """
      WITH RECURSIVE part (id) AS (
        SELECT min(segid) FROM search_idx
        UNION ALL SELECT (SELECT min(segid) FROM search_idx WHERE segid > id) FROM part WHERE id IS NOT NULL)
      SELECT sum(\(last) - \(first)), sum(\(next) - \(first)) FROM part
      """
    ) { (least: $0.integer(0), most: $0.integer(1)) }
    guard let bounds else { return 0...0 }
    return bounds.least...max(bounds.least, bounds.most)
  }

  // MARK: Finding

  private func hits(limit: Int) throws(StoreError) -> [SearchHit] {
    guard let match = query.match(in: fields, beginnings: beginnings) else { return [] }
    let ids = try ids(limit, match)
    let marker = TextMarker(query.terms, beginnings: beginnings, fullText)
    var hits: [SearchHit] = []
    for id in ids.prefix(limit) {
      if let hit = try hit(id, marker) { hits.append(hit) }
    }
    return hits
  }

  private func ids(_ limit: Int, _ match: String) throws(StoreError) -> [Int64] {
    let prefixes = try CostlyPrefixes(query) { beginning throws(StoreError) in try pages(ofWordsBeginning: beginning) }
    if let prefixes, fields.isEmpty, prefixes.areBest {
      let ids = try newest(limit, prefixes)
      if prefixes.areSure || ids.count >= limit { return ids }
    }
    let counts = try counts
    var ranked = isBroad ? try rankedHits(match, counts, atMost: firstRanked) : []
    if isBroad, ranked.count < firstRanked { return Self.best(ranked) }
    let isLikelyOfMany = isBroad ? try isLikelyOfMany(ranked) : try isLikelyOfMany(counts)
    if isLikelyOfMany, let prefixes, fields.isEmpty, !prefixes.areBest {
      let ids = try newest(limit, prefixes)
      if ids.count >= limit { return ids }
    }
    if isLikelyOfMany, try isOfMany(match) { return try newest(limit, match) }
    ranked += try rankedHits(match, counts, after: ranked.last?.id, atMost: rankedEpisodes + 1 - ranked.count)
    return ranked.count > rankedEpisodes ? try newest(limit, match) : Self.best(ranked)
  }

  /// Where common words are seldom together, finding their episodes takes far longer than ranking them, so these are ranked
  /// before it is known how many there are. If these are all, the index is read once.
  private var firstRanked: Int { min(64, rankedEpisodes) }

  /// A word alone mostly finds many, and so does a beginning while it is typed.
  private var isBroad: Bool {
    let isWord = query.terms.count == 1 && !query.terms[0].text.contains(" ")
    return isWord || query.terms.last?.isPrefix == true
  }

  private func isLikelyOfMany(_ counts: [Int]) throws(StoreError) -> Bool {
    guard !counts.isEmpty else { return false }
    let all = Double(try connection.integer("SELECT sum(episodes) FROM counters") ?? 0)
    return counts.reduce(all) { $0 * Double($1) / max(1, all) } > Double(2 * rankedEpisodes)
  }

  /// By how close together the first ones are.
  private func isLikelyOfMany(_ first: [RankedHit]) throws(StoreError) -> Bool {
    guard podcast == nil, let start = first.first?.id, let end = first.last?.id, end > start else { return true }
    let last = try connection.integer("SELECT max(id) FROM episodes") ?? end
    return Double(first.count) * Double(last - start) / Double(end - start) > Double(rankedEpisodes)
  }

  /// Whether it matches more than can be ranked; asked only where that is likely, as finding few of many takes as long as
  /// ranking them.
  private func isOfMany(_ match: String) throws(StoreError) -> Bool {
    try connection.integer(
      "SELECT 1 FROM search WHERE search MATCH \(match)\(ofPodcast) LIMIT 1 OFFSET \(rankedEpisodes)") != nil
  }

  private typealias RankedHit = (id: Int64, relevance: Double)

  /// Those stored first. A word in a title weighs more than one in an hour's transcript.
  private func rankedHits(
    _ match: String, _ counts: [Int], after id: Int64? = nil, atMost most: Int
  ) throws(StoreError) -> [RankedHit] {
    let counts = counts.map(String.init).joined(separator: " ")
    // FTS5 begins at one lower bound only, which `ofPodcast` has.
    let isAfter: SQL = id.map { " AND rowid > \($0)" } ?? ""
    return try connection.rows(
      """
      SELECT rowid, relevance(search, 8.0, 2.0, 4.0, 1.0, \(counts)) FROM search
      WHERE search MATCH \(match)\(ofPodcast)\(isAfter) ORDER BY rowid LIMIT \(most)
      """
    ) { (id: $0.integer(0), relevance: $0.optionalReal(1) ?? 0) }
  }

  private static func best(_ hits: [RankedHit]) -> [Int64] {
    hits.sorted { ($0.relevance, $0.id) > ($1.relevance, $1.id) }.map(\.id)
  }

  /// About the number of episodes with each term, of excluded ones too. With one term alone it makes no difference, and
  /// the common ones are not told apart.
  private var counts: [Int] {
    get throws(StoreError) {
      let terms = query.terms
      guard (2...Self.countedTerms).contains(terms.count) else { return [] }
      var counts: [Int] = []
      for term in terms { counts.append(try count(of: term)) }
      return counts
    }
  }

  private static let countedTerms = 16
  private static let countedEpisodes = 10_000

  private func count(of term: SearchQuery.Term) throws(StoreError) -> Int {
    if term.isPrefix || beginnings.contains(term) { return 0 }
    let match = "\"\(term.text)\""
    let count = try connection.integer(
      "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH \(match) LIMIT \(Self.countedEpisodes))")
    return Int(count ?? 0)
  }

  private func newest(_ limit: Int, _ match: String) throws(StoreError) -> [Int64] {
    var ids: [Int64] = []
    if fields.isEmpty || fields.contains(.title),
      let titles = query.match(in: [.title], without: fields, beginnings: beginnings)
    {
      ids = try newest(limit, titled: titles)
    }
    guard ids.count < limit else { return ids }
    let known = Set(ids)
    return ids + (try newest(limit + ids.count, matching: match).filter { !known.contains($0) })
  }

  private func newest(_ limit: Int, matching match: String) throws(StoreError) -> [Int64] {
    try connection.rows(
      "SELECT rowid FROM search WHERE search MATCH \(match)\(ofPodcast) ORDER BY rowid DESC LIMIT \(limit)"
    ) { $0.integer(0) }
  }

  /// Matches of titles. The index lists the words of all fields together, so where titles have them seldom it reads on
  /// through every episode. In a large library it begins with the newest ones therefore, and ends after as many as are
  /// quick.
  private func newest(_ limit: Int, titled match: String) throws(StoreError) -> [Int64] {
    let all = try connection.integer("SELECT sum(episodes) FROM counters") ?? 0
    guard podcast == nil, all > Self.quickTitles, let last = try connection.integer("SELECT max(id) FROM episodes")
    else { return try newest(limit, matching: match) }
    let widest = Self.quickTitles / Int64(max(1, query.terms.count))
    var span: Int64 = 1024
    while true {
      // Not each number is that of an episode still.
      let oldest = last - Int64(Double(span) * max(1, Double(last) / Double(all)))
      // In ascending order it ends with the index; in descending order it would read on to the next match.
      let ids = try connection.rows(
        "SELECT rowid FROM search WHERE search MATCH \(match) AND rowid > \(oldest) ORDER BY rowid"
      ) { $0.integer(0) }
      if ids.count >= limit || span >= widest { return Array(ids.reversed().prefix(limit)) }
      span = min(8 * span, widest)
    }
  }

  /// Of one term. Those of several terms take up to 8 ms: each is looked for in each episode that has the others.
  private static let quickTitles: Int64 = 80_000

  /// Those with the words in the title first.
  private func newest(_ limit: Int, _ prefixes: CostlyPrefixes) throws(StoreError) -> [Int64] {
    var ids = try newest(limit, prefixes, isTitled: true)
    guard ids.count < limit else { return ids }
    let known = Set(ids)
    ids += try newest(limit + ids.count, prefixes, isTitled: false).filter { !known.contains($0) }
    return ids
  }

  private func newest(_ limit: Int, _ prefixes: CostlyPrefixes, isTitled: Bool) throws(StoreError) -> [Int64] {
    let text: SQL = isTitled ? "title" : "title || char(10) || notes || char(10) || chapters || char(10) || transcript"
    var ids: [Int64] = []
    // Not their number: another process may index more meanwhile.
    var lowest = Int64.max
    for most in CostlyPrefixes.candidates where ids.count < limit {
      let candidates = try candidates(most, prefixes, isTitled: isTitled)
      for id in candidates.drop(while: { $0 >= lowest }) where ids.count < limit {
        let isFound = try connection.first("SELECT \(text) FROM search_texts WHERE id = \(id)") {
          prefixes.areIn($0.text(0))
        }
        if isFound == true { ids.append(id) }
      }
      guard candidates.count == most else { break }
      lowest = candidates.last ?? lowest
    }
    return ids
  }

  private func candidates(_ most: Int, _ prefixes: CostlyPrefixes, isTitled: Bool) throws(StoreError) -> [Int64] {
    let titles = isTitled ? prefixes.wider.match(in: [.title], without: fields, beginnings: beginnings) : nil
    if let titles { return try newest(most, titled: titles) }
    if let match = prefixes.wider.match(beginnings: beginnings) { return try newest(most, matching: match) }
    let condition: SQL = podcast.map { " WHERE podcast_id = \($0)" } ?? ""
    return try connection.rows("SELECT id FROM episodes\(condition) ORDER BY id DESC LIMIT \(most)") { $0.integer(0) }
  }

  private var ofPodcast: SQL {
    guard let podcast else { return "" }
    return """
       AND rowid BETWEEN (SELECT min(id) FROM episodes WHERE podcast_id = \(podcast))
      AND (SELECT max(id) FROM episodes WHERE podcast_id = \(podcast))
      AND EXISTS (SELECT 1 FROM episodes WHERE id = search.rowid AND podcast_id = \(podcast))
      """
  }

  // MARK: Showing

  /// The passage of the first field that has any of the words; no other text is read.
  private func hit(_ id: Int64, _ marker: TextMarker) throws(StoreError) -> SearchHit? {
    let entry = try EpisodeRows.read("\(EpisodeRows.select())WHERE e.id = \(id)", from: connection).first
    guard let entry else { return nil }
    for field in SearchHit.Field.allCases where fields.isEmpty || fields.contains(field) {
      guard let text = try text(of: field, entry), let passage = marker.passage(of: text) else { continue }
      let time = try time(of: passage.first, id, field)
      return SearchHit(entry: entry, field: field, snippet: passage.text, matches: passage.matches, time: time)
    }
    return SearchHit(entry: entry, field: .title, snippet: entry.episode.title, matches: [])
  }

  private func text(of field: SearchHit.Field, _ entry: EpisodeEntry) throws(StoreError) -> String? {
    if field == .title { return entry.episode.title }
    let column = SQL(text: field.rawValue)
    return try connection.first("SELECT \(column) FROM search_sources WHERE id = \(entry.episode.id)") { $0.text(0) }
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
