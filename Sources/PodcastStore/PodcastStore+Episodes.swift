package import PodcastModel

/// Lists, filters, search, details, chapters and transcripts.
extension PodcastStore {
  // MARK: Lists

  /// Episodes of every subscription, newest first. Long lists are read page by page, because a list is held in memory as
  /// a whole. Brief entries have ids, titles, dates, durations and statuses only.
  package func playlist(
    limit: Int? = nil, after cursor: EpisodeCursor? = nil, brief: Bool = false
  ) throws(StoreError) -> [EpisodeEntry] {
    try EpisodeLists(connection: connection).playlist(limit: limit, after: cursor, brief: brief)
  }

  /// One podcast's episodes, newest first.
  package func episodes(
    of podcast: PodcastID, limit: Int? = nil, after cursor: EpisodeCursor? = nil
  ) throws(StoreError) -> [EpisodeEntry] {
    try EpisodeLists(connection: connection).episodes(of: podcast, limit: limit, after: cursor)
  }

  /// Episodes that match a filter: of every subscription, or of one podcast, subscribed or not.
  package func episodes(
    matching filter: EpisodeFilter, of podcast: PodcastID? = nil, limit: Int? = nil, after cursor: EpisodeCursor? = nil,
    now: Timestamp = .now, brief: Bool = false
  ) throws(StoreError) -> [EpisodeEntry] {
    let found = try filtered(filter, of: podcast, now).list(
      includesUnlisted: podcast != nil, limit: limit, after: cursor, brief: brief)
    if found.isEmpty, cursor == nil, filter.searchesText { try SearchIndexer(library: library).refuseIncompleteIndex() }
    return found
  }

  /// A window of at most `count` episodes that match a filter. A list in another order than by date, newest first, is
  /// read from its start.
  package func window(
    matching filter: EpisodeFilter, of podcast: PodcastID? = nil, at anchor: ListAnchor, count: Int,
    now: Timestamp = .now, brief: Bool = false
  ) throws(StoreError) -> EpisodeWindow {
    guard filter.sortKey == .date, filter.isDescending, filter.limit == nil else {
      return try older(filter, podcast, nil, count, now, brief)
    }
    switch anchor {
    case .start: return try older(filter, podcast, nil, count, now, brief)
    case .end: return try newer(filter, podcast, nil, count, now)
    case .around(let cursor):
      let before = try newer(filter, podcast, cursor, count / 2, now)
      let after = try older(filter, podcast, cursor.justBefore, count - count / 2, now)
      return EpisodeWindow(
        before.entries + after.entries, hasMoreBefore: before.hasMoreBefore, hasMoreAfter: after.hasMoreAfter)
    }
  }

  private func older(
    _ filter: EpisodeFilter, _ podcast: PodcastID?, _ cursor: EpisodeCursor?, _ count: Int, _ now: Timestamp,
    _ brief: Bool = false
  ) throws(StoreError) -> EpisodeWindow {
    let found = try episodes(matching: filter, of: podcast, limit: count + 1, after: cursor, now: now, brief: brief)
    return EpisodeWindow(Array(found.prefix(count)), hasMoreAfter: found.count > count)
  }

  private func newer(
    _ filter: EpisodeFilter, _ podcast: PodcastID?, _ cursor: EpisodeCursor?, _ count: Int, _ now: Timestamp
  ) throws(StoreError) -> EpisodeWindow {
    var filter = filter
    filter.isDescending = false
    let found = try episodes(matching: filter, of: podcast, limit: count + 1, after: cursor, now: now)
    return EpisodeWindow(found.prefix(count).reversed(), hasMoreBefore: found.count > count)
  }

  /// Those of `ids` that match a filter, subscribed or not, whatever its order and limit.
  package func episodes(
    among ids: Set<EpisodeID>, matching filter: EpisodeFilter, now: Timestamp = .now
  ) throws(StoreError) -> Set<EpisodeID> {
    try filtered(filter, of: nil, now).matches(among: ids)
  }

  private func filtered(
    _ filter: EpisodeFilter, of podcast: PodcastID?, _ now: Timestamp
  ) throws(StoreError) -> FilteredEpisodes {
    let podcasts = try PodcastRows(connection: connection).podcasts(namedIn: filter, within: podcast)
    let isEmpty = podcasts?.ids.isEmpty ?? false
    if filter.searchesText, !isEmpty { try SearchIndexer(library: library).runBeforeSearch() }
    return FilteredEpisodes(connection: try connection, filter: filter, podcasts: podcasts, now: now)
  }

  // MARK: One episode

  /// An episode by its id.
  package func episode(_ id: EpisodeID) throws(StoreError) -> EpisodeEntry? {
    try EpisodeLists(connection: connection).episode(id)
  }

  /// One podcast's episode by its number: 1 is the newest.
  package func episode(_ number: Int, of podcast: PodcastID) throws(StoreError) -> EpisodeEntry? {
    try EpisodeLists(connection: connection).episode(number, of: podcast)
  }

  /// The oldest or newest unplayed episode of a podcast.
  package func unplayed(_ end: UnplayedEnd, of podcast: PodcastID) throws(StoreError) -> EpisodeEntry? {
    try EpisodeLists(connection: connection).unplayed(end, of: podcast)
  }

  /// Another number once another process has changed the library.
  package func dataVersion() throws(StoreError) -> Int64 { try connection.dataVersion() }

  /// The unplayed episode of the same podcast that was published next.
  package func next(after id: EpisodeID) throws(StoreError) -> EpisodeEntry? {
    try EpisodeLists(connection: connection).next(after: id)
  }

  /// Episodes with this guid. Guids are unique within a podcast only.
  package func episodes(withGUID guid: String) throws(StoreError) -> [EpisodeEntry] {
    try EpisodeLists(connection: connection).episodes(withGUID: guid)
  }

  /// Episodes with this enclosure address.
  package func episodes(withEnclosure url: String) throws(StoreError) -> [EpisodeEntry] {
    try EpisodeLists(connection: connection).episodes(withEnclosure: url)
  }

  /// Episodes with this title; without any, those whose title has all these words, then beginnings of words. Newest first.
  package func episodes(
    titled words: String, of podcast: PodcastID? = nil, limit: Int = 20
  ) throws(StoreError) -> [EpisodeEntry] {
    if !SearchWords(words).words.isEmpty { try SearchIndexer(library: library).runBeforeSearch() }
    let found = try Search.episodes(titled: words, of: podcast, limit: limit, connection)
    if found.isEmpty { try SearchIndexer(library: library).refuseIncompleteIndex() }
    return found
  }

  /// The episodes with this title, in any case of ASCII letters. Needs no full-text index.
  package func episodes(withTitle title: String, limit: Int) throws(StoreError) -> [EpisodeEntry] {
    try EpisodeLists(connection: connection).episodes(withTitle: title, limit: limit)
  }

  /// The newest episodes whose titles begin with `start`, in any case of ASCII letters. Needs no full-text index.
  package func episodes(titleBeginning start: String, limit: Int) throws(StoreError) -> [EpisodeEntry] {
    try EpisodeLists(connection: connection).episodes(titleBeginning: start, limit: limit)
  }

  // MARK: Search

  /// Searches titles, notes, chapters and transcripts, best first; the hits of common words newest first. `"a b"` is a
  /// phrase, `a OR b` either, `-a` what no hit may have. A word that ends in `*` matches every word that begins so; without
  /// any hit, every word of which that is quickly found does. A damaged index is rebuilt.
  /// After a large import it finds the episodes indexed so far.
  package func search(
    _ words: String, in fields: Set<SearchHit.Field> = [], of podcast: PodcastID? = nil, limit: Int = 20
  ) throws(StoreError) -> [SearchHit] {
    try SearchIndexer(library: library).runBeforeSearch()
    let query = SearchQuery(words)
    do {
      let hits = try Search.hits(for: query, in: fields, of: podcast, limit: limit, connection)
      if hits.isEmpty { try SearchIndexer(library: library).refuseIncompleteIndex() }
      return hits
    } catch  where error.isAboutIndex && library.access == .readWrite {
      try rebuild()
      try SearchIndexer(library: library).runBeforeSearch()
      return try Search.hits(for: query, in: fields, of: podcast, limit: limit, connection)
    }
  }

  /// The best hits that match a filter. Of very many episodes with the words those follow that come first in the filter's list.
  package func search(
    _ words: String, in fields: Set<SearchHit.Field> = [], of podcast: PodcastID? = nil, matching filter: EpisodeFilter,
    limit: Int
  ) throws(StoreError) -> (hits: [SearchHit], hasMore: Bool) {
    let limit = min(limit, filter.limit ?? .max)
    guard !filter.conditions.isEmpty else {
      let hits = try search(words, in: fields, of: podcast, limit: limit)
      return (hits, hits.count == limit)
    }
    let hits = try search(words, in: fields, of: podcast, limit: Self.mostFiltered)
    let ids = try episodes(among: Set(hits.map(\.entry.episode.id)), matching: filter)
    let fitting = hits.filter { ids.contains($0.entry.episode.id) }
    guard fitting.count < limit, hits.count == Self.mostFiltered else {
      return (Array(fitting.prefix(limit)), fitting.count > limit || hits.count == Self.mostFiltered)
    }
    // All that match may be behind them. Which field has the words is seen in the texts.
    var filter = filter
    filter.conditions.append(.text(words))
    filter.limit = nil
    let most = fields.isEmpty ? min(limit, Self.mostFiltered) + 1 : 2 * Self.mostFiltered
    let others = try episodes(matching: filter, of: podcast, limit: most).map(\.episode.id).filter { !ids.contains($0) }
    let more = try Search.hits(
      for: SearchQuery(words), in: fields, among: others, limit: limit - fitting.count, connection)
    return (fitting + more, fitting.count + more.count == limit)
  }

  /// The number of best hits that a filter chooses from.
  private static let mostFiltered = 1000

  /// Brings new and changed episodes into the full-text index, in slices, unless another process is at it.
  package func indexForSearch() throws(StoreError) { try SearchIndexer(library: library).runAlone() }

  /// Brings every new and changed episode into the full-text index before it returns.
  package func indexEverything() throws(StoreError) { try SearchIndexer(library: library).runToEnd() }

  /// So many episodes are new or changed that a search does not wait for them all, or an older library has texts to spare.
  package func needsIndexing() throws(StoreError) -> Bool {
    let indexer = SearchIndexer(library: library)
    if try indexer.isFarBehind { return true }
    return try indexer.hasCopies
  }

  /// The percentage of episodes that a search looks at. Nil when it looks at all.
  package func indexedPercentage() throws(StoreError) -> Int? { try SearchIndexer(library: library).progress }

  // MARK: Details

  /// Everything stored about an episode.
  package func details(of id: EpisodeID) throws(StoreError) -> EpisodeDetails? {
    var details = try EpisodeDetailRows(connection: connection).read(of: id)
    details?.bookmarks = try bookmarks(of: id)
    return details
  }

  /// Stores chapters of the document at `url`, or of the media file.
  package func setChapters(_ chapters: [Chapter], of id: EpisodeID, from url: String? = nil) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      try ChapterRows(connection: connection).set(chapters, of: id)
      try DocumentSourceRows(connection: connection).set(chapters.isEmpty ? nil : url, .chapters, of: id)
    }
  }

  /// The transcript that was fetched, or made here.
  package func transcript(of id: EpisodeID) throws(StoreError) -> [TranscriptSegment] {
    try TranscriptRows(connection: connection).read(of: id)
  }

  /// Stores the transcript at `url`, or one that was made here. What was tied to one that it replaces, and that was made
  /// otherwise, is forgotten.
  package func setTranscript(
    _ segments: [TranscriptSegment], of id: EpisodeID, from url: String? = nil, isMadeHere: Bool = false
  ) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      let made = TranscriptionRows(connection: connection)
      let wasMadeHere = try made.isMade(id)
      if isMadeHere || wasMadeHere { try AnchorRows(connection: connection).forget(id) }
      try TranscriptRows(connection: connection).set(segments, of: id)
      try made.set(isMadeHere ? .done : .none, of: id)
      // One that is made in the place of a published one remembers that.
      if !isMadeHere { try DocumentSourceRows(connection: connection).set(url, .transcript, of: id) }
    }
  }

  /// Whether a program of the user made the transcript.
  package func isTranscriptMadeHere(of id: EpisodeID) throws(StoreError) -> Bool {
    try TranscriptionRows(connection: connection).isMade(id)
  }

  /// The transcripts that a program is to make, in the order in which they were asked for; also those that it failed with.
  package func waitingTranscripts(withFailed: Bool = false) throws(StoreError) -> [EpisodeID] {
    try TranscriptionRows(connection: connection).waiting(withFailed: withFailed)
  }

  /// Puts transcripts in the queue of those that a program is to make, or takes them out.
  package func setTranscriptions(_ state: Transcription, of ids: [EpisodeID]) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      for id in ids { try TranscriptionRows(connection: connection).set(state, of: id) }
    }
  }

  /// Where the transcript was tied to the media file, in its order.
  package func anchors(of id: EpisodeID) throws(StoreError) -> [TranscriptAnchor] {
    try AnchorRows(connection: connection).read(of: id)
  }

  /// Ties a time of the transcript to the position at which it is heard. Can be undone.
  package func tieTranscript(of id: EpisodeID, at anchor: TranscriptAnchor) throws(StoreError) {
    try write(patience: BusyHandler.usualPatience) { connection throws(StoreError) in
      try AnchorRows(connection: connection).set(anchor, of: id)
    }
  }
}
