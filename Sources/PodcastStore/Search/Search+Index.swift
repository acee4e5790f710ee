internal import PodcastModel

/// The readings of the full-text index that a search makes.
///
/// Opening a word in each part of the index takes about as long as reading a few thousand of its episodes, so they are few.
extension Search {
  /// Ranking so many episodes is quick. Each word more has to be found in each of them: with ten, a thousand take 36 ms, which
  /// is too long for a letter.
  private var rankedEpisodes: Int { query.terms.contains(where: \.isPrefix) ? 2000 / max(2, query.terms.count) : 1000 }

  /// Episodes in the order in which they are shown.
  func found(_ limit: Int) throws(StoreError) -> [Int64] {
    guard let match = query.match(in: fields, beginnings: beginnings, isOrdered: !counts.isEmpty),
      !counts.contains(where: { $0.allSatisfy { $0 == 0 } })
    else { return [] }
    let prefixes = try CostlyPrefixes(query, limit: limit, isOfMany: isLikelyOfMany, index)
    if let prefixes, fields.isEmpty {
      if let few = try few(prefixes) { return few }
      if prefixes.areBest {
        let ids = try newest(limit, prefixes)
        if prefixes.areSure || ids.count >= limit { return ids }
      }
    }
    if isSurelyOfMany {
      return try newestTitled(
        limit, prefixes,
        then: { titled throws(StoreError) in
          titled < limit ? try newest(limit + titled, matching: match) : []
        })
    }
    var matches = try matches(match, max(limit, rankedEpisodes + 1), isRanked: !isLikelyOfMany)
    if matches.count > rankedEpisodes { return try newestTitled(limit, prefixes, then: { _ in matches.map(\.id) }) }
    if isLikelyOfMany { matches = try self.matches(match, rankedEpisodes, isRanked: true) }
    return Self.best(matches, rarities(of: counts))
  }

  // MARK: Counts

  private static let countedEpisodes: Int64 = 10_000
  /// Asking for the pages takes longer than this.
  private static let soonCounted: Int64 = 100
  /// Of a word in notes, which mostly have it once.
  private static let episodesPerPage: Int64 = 600

  /// About the number of episodes with a term, of a common one by the pages that it takes; zero only if none has it.
  func count(of term: SearchQuery.Term) throws(StoreError) -> Int64 {
    let words = fullText.words(of: term.text).map { String(decoding: $0, as: UTF8.self) }
    if term.isPrefix || beginnings.contains(term) {
      guard words.count == 1 else { return 1 }
      return max(1, try pages(ofBeginning: words[0], term) * Self.episodesPerPage)
    }
    if query.terms.count == 1 {
      // Counting a phrase takes as long as finding it, and how common one term alone is makes no difference to the order.
      let most = isOneWord ? rankedEpisodes : 2 * rankedEpisodes
      return words.count > 1 ? 1 : try count(of: term, atMost: Int64(most + 1))
    }
    guard words.count == 1 else { return try count(of: term, atMost: Self.countedEpisodes) }
    let few = try count(of: term, atMost: Self.soonCounted)
    if few < Self.soonCounted { return few }
    let pages = try index.pages(filledBy: words[0], isBeginning: false)
    if pages * Self.episodesPerPage >= Self.countedEpisodes { return pages * Self.episodesPerPage }
    return try count(of: term, atMost: Self.countedEpisodes)
  }

  private func count(of term: SearchQuery.Term, atMost most: Int64) throws(StoreError) -> Int64 {
    let match = "\"\(term.text)\""
    return try connection.integer(
      "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH \(match) LIMIT \(most))") ?? 0
  }

  private func pages(ofBeginning word: String, _ term: SearchQuery.Term) throws(StoreError) -> Int64 {
    if word.unicodeScalars.count == 2 { return try index.pages(filledBy: word, isBeginning: true) }
    if let known = pagesOfBeginnings.first(where: { $0.term == term }) { return known.pages }
    return try index.pages(ofWordsBeginning: word).lowerBound
  }

  /// One word in any field of any episode.
  private var isOneWord: Bool {
    query.terms.count == 1 && !query.terms[0].isPrefix && query.excluded.isEmpty && beginnings.isEmpty
      && fields.isEmpty && podcast == nil
  }

  private var isSurelyOfMany: Bool { isOneWord && counts.joined().reduce(0, +) > rankedEpisodes }

  private var isLikelyOfMany: Bool { likelyMatches() > Double(2 * rankedEpisodes) }

  /// As if the terms had nothing to do with each other, and the groups with these numbers were not there.
  private func likelyMatches(without groups: Set<Int> = []) -> Double {
    guard !counts.isEmpty else { return 0 }
    let all = max(1, Double(allEpisodes))
    return counts.enumerated().reduce(all) { likely, group in
      groups.contains(group.offset) ? likely : likely * min(1, Double(group.element.reduce(0, +)) / all)
    }
  }

  // MARK: Matches

  /// An episode that matches. `weights` say of each term what it adds to the relevance, before it is known how rare it is.
  private struct Match {
    let id: Int64
    let weights: [Double]
  }

  /// Those stored last. From the first on, the index is read in half the time, so few are read so.
  private func matches(_ match: String, _ most: Int, isRanked: Bool) throws(StoreError) -> [Match] {
    if likelyMatches() < Double(most / 2) {
      let all = try matches(match, most, isRanked: isRanked, order: "ASC")
      if all.count < most { return all.reversed() }
    }
    return try matches(match, most, isRanked: isRanked, order: "DESC")
  }

  private func matches(_ match: String, _ most: Int, isRanked: Bool, order: SQL) throws(StoreError) -> [Match] {
    // A word in a title weighs more than one in an hour's transcript.
    let weights: SQL = isRanked ? "term_weights(search, 8.0, 2.0, 4.0, 1.0)" : "NULL"
    return try connection.rows(
      """
      SELECT rowid, \(weights) FROM search
      WHERE search MATCH \(match)\(ofPodcast) ORDER BY rowid \(order) LIMIT \(most)
      """
    ) { Match(id: $0.integer(0), weights: TermWeights.read($0.optionalBlob(1) ?? [])) }
  }

  private func rarities(of counts: [[Int64]]) -> [Double] {
    TermWeights.rarities(counts.flatMap(\.self), of: allEpisodes)
  }

  private static func best(_ matches: [Match], _ rarities: [Double]) -> [Int64] {
    matches.map { (relevance: TermWeights.relevance($0.weights, rarities), id: $0.id) }
      .sorted { ($0.relevance, $0.id) > ($1.relevance, $1.id) }.map(\.id)
  }

  private func newest(_ limit: Int, matching match: String) throws(StoreError) -> [Int64] {
    try connection.rows(
      "SELECT rowid FROM search WHERE search MATCH \(match)\(ofPodcast) ORDER BY rowid DESC LIMIT \(limit)"
    ) { $0.integer(0) }
  }

  // MARK: Titles

  /// Those with the words in the title, and behind them others.
  private func newestTitled(
    _ limit: Int, _ prefixes: CostlyPrefixes?, then others: (Int) throws(StoreError) -> [Int64]
  ) throws(StoreError) -> [Int64] {
    let titled = try newestTitled(limit, prefixes)
    let known = Set(titled)
    return titled + (try others(titled.count).filter { !known.contains($0) })
  }

  private func newestTitled(_ limit: Int, _ prefixes: CostlyPrefixes?) throws(StoreError) -> [Int64] {
    // Reading all words with a beginning again would take as long as the first time.
    if let prefixes, fields.isEmpty { return try newest(limit, prefixes, isTitled: true) }
    guard fields.isEmpty || fields.contains(.title) else { return [] }
    let match = query.match(in: [.title], without: fields, beginnings: beginnings, isOrdered: !counts.isEmpty)
    return try match.map { match throws(StoreError) in try newest(limit, titled: match) } ?? []
  }

  /// The index lists the words of all fields together, so where titles have them seldom it reads on through every episode.
  /// In a large library it begins with the newest ones therefore, and ends after as many as are quick.
  private func newest(_ limit: Int, titled match: String) throws(StoreError) -> [Int64] {
    let terms = Int64(max(1, query.terms.count))
    let widest = Self.quickTitles / terms
    guard podcast == nil, allEpisodes > widest, let last = try connection.integer("SELECT max(id) FROM episodes")
    else { return try newest(limit, matching: match) }
    // Titles seldom have several words, and each reading opens all of them anew.
    var span = terms > 2 ? widest : 1024
    while true {
      // Not each number is that of an episode still.
      let oldest = last - Int64(Double(span) * max(1, Double(last) / Double(allEpisodes)))
      // In ascending order it ends with the index; in descending order it would read on to the next match.
      let ids = try connection.rows(
        "SELECT rowid FROM search WHERE search MATCH \(match) AND rowid > \(oldest) ORDER BY rowid"
      ) { $0.integer(0) }
      if ids.count >= limit || span >= widest { return Array(ids.reversed().prefix(limit)) }
      span = 8 * span > widest / 2 ? widest : 8 * span
    }
  }

  /// Of one term. Those of several terms take up to 8 ms: each is looked for in each episode that has the others.
  private static let quickTitles: Int64 = 80_000

  // MARK: Costly beginnings

  /// The best ones, where few episodes have the other words: the beginnings are looked for in their texts. Nil where that would
  /// take long.
  private func few(_ prefixes: CostlyPrefixes) throws(StoreError) -> [Int64]? {
    guard !counts.isEmpty, likelyMatches(without: prefixes.groups) <= Double(Self.fewEpisodes / 4),
      let match = prefixes.wider.match(beginnings: beginnings, isOrdered: true)
    else { return nil }
    let matches = try matches(match, Self.fewEpisodes + 1, isRanked: true)
    guard matches.count <= Self.fewEpisodes else { return nil }
    let marker = TextMarker(prefixes.groups.sorted().map { query.groups[$0][0] }, beginnings: [], fullText)
    var (found, bytes): ([Match], Int) = ([], 0)
    for match in matches {
      let text =
        try connection.first("SELECT \(Self.allText) FROM search_texts WHERE id = \(match.id)") { $0.text(0) } ?? ""
      bytes += text.utf8.count
      if bytes > Self.bytesReadQuickly { return nil }
      if marker.areAll(in: text) { found.append(match) }
    }
    let kept = counts.indices.filter { !prefixes.leftOut.contains($0) }.map { counts[$0] }
    return Self.best(found, rarities(of: kept))
  }

  private static let fewEpisodes = 256
  private static let bytesReadQuickly = 1 << 19
  private static let allText: SQL = "title || char(10) || notes || char(10) || chapters || char(10) || transcript"

  /// Those with the words in the title first.
  private func newest(_ limit: Int, _ prefixes: CostlyPrefixes) throws(StoreError) -> [Int64] {
    var ids = try newest(limit, prefixes, isTitled: true)
    guard ids.count < limit else { return ids }
    let known = Set(ids)
    ids += try newest(limit + ids.count, prefixes, isTitled: false).filter { !known.contains($0) }
    return ids
  }

  private func newest(_ limit: Int, _ prefixes: CostlyPrefixes, isTitled: Bool) throws(StoreError) -> [Int64] {
    let text: SQL = isTitled ? "title FROM episodes" : "\(Self.allText) FROM search_texts"
    var ids: [Int64] = []
    // Not their number: another process may index more meanwhile.
    var lowest = Int64.max
    // Titles are soon looked at.
    for most in CostlyPrefixes.candidates.suffix(isTitled ? 1 : 2) where ids.count < limit {
      let candidates = try candidates(most, prefixes, isTitled: isTitled)
      for id in candidates.drop(while: { $0 >= lowest }) where ids.count < limit {
        let isFound = try connection.first("SELECT \(text) WHERE id = \(id)") { prefixes.areIn($0.text(0)) }
        if isFound == true { ids.append(id) }
      }
      guard candidates.count == most, prefixes.areSure || prefixes.areLikely(limit, by: ids.count) else { break }
      lowest = candidates.last ?? lowest
    }
    return ids
  }

  private func candidates(_ most: Int, _ prefixes: CostlyPrefixes, isTitled: Bool) throws(StoreError) -> [Int64] {
    let titles =
      isTitled
      ? prefixes.wider.match(in: [.title], without: fields, beginnings: beginnings, isOrdered: !counts.isEmpty) : nil
    if let titles { return try newest(most, titled: titles) }
    if let match = prefixes.wider.match(beginnings: beginnings, isOrdered: !counts.isEmpty) {
      return try newest(most, matching: match)
    }
    let ofPodcast: SQL? = podcast.map { "podcast_id = \($0)" }
    let isWanted: SQL? = query.exclusion(in: fields).map { exclusion in
      "id NOT IN (SELECT rowid FROM search WHERE search MATCH \(exclusion))"
    }
    let conditions = [ofPodcast, isWanted].compactMap(\.self)
    let condition: SQL = conditions.isEmpty ? "" : " WHERE \(conditions.joined(by: " AND "))"
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
}
