package import PodcastModel

extension PodcastStore {
  /// Brings new and changed episodes into the full-text index, in slices. False when `budget` ended it before it was done.
  @discardableResult
  package func indexForSearch(budget: Duration = .seconds(3600)) throws(StoreError) -> Bool {
    let deadline = ContinuousClock.now + budget
    while try connection.integer("SELECT 1 FROM search_queue LIMIT 1") != nil {
      guard ContinuousClock.now < deadline else { return false }
      try write(.normal) { connection throws(StoreError) in
        try SearchIndexer(connection: connection).writeSlice(while: slice())
      }
      try joinIndexParts()
    }
    return true
  }

  /// After each slice of work on the index.
  func joinIndexParts() throws(StoreError) {
    try write(.normal, toleratedLog: Checkpoint.toleratedByMerges) { connection throws(StoreError) in
      try SearchIndex.joinParts(connection, while: slice())
    }
  }

  /// After a large import, a question is answered with what can be found so far. Whoever wants all of it
  /// calls `indexForSearch` first, and can say how long that takes.
  static let patienceWithIndex = Duration.seconds(5)

  /// Titles, notes, chapters and transcripts, best first. A word ending in `*` stands for all that begin so;
  /// without any hit, every word does.
  package func search(
    _ words: String, in fields: Set<SearchHit.Field> = [], of podcast: PodcastID? = nil, limit: Int = 20
  ) throws(StoreError) -> [SearchHit] {
    if access == .readWrite { try indexForSearch(budget: Self.patienceWithIndex) }
    do {
      return try find(SearchWords(words), fields, podcast, limit)
    } catch  where error.isAboutIndex && access == .readWrite {
      try rebuild()
      return try find(SearchWords(words), fields, podcast, limit)
    }
  }

  private func find(
    _ query: SearchWords, _ fields: Set<SearchHit.Field>, _ podcast: PodcastID?, _ limit: Int
  ) throws(StoreError) -> [SearchHit] {
    for asPrefixes in [false, true] {
      guard let match = query.match(in: fields, asPrefixes: asPrefixes) else { return [] }
      let search = Search(connection: try connection, match: match, podcast: podcast)
      let hits = try search.hits(limit: limit, titleMatch: query.match(in: [.title], asPrefixes: asPrefixes), fields)
      if !hits.isEmpty { return hits }
    }
    return []
  }
}
