package import PodcastModel

/// Where a page of a list ends. The next page starts behind it, however much was added in front meanwhile.
package struct EpisodeCursor: Hashable, Sendable {
  var listedAt: Int64
  var id: EpisodeID

  /// Behind this entry of a list that is newest first.
  package init(after entry: EpisodeEntry) {
    listedAt = entry.episode.publishedAt?.seconds ?? 0
    id = entry.episode.id
  }
}

extension PodcastStore {
  /// Episodes of every subscription, newest first. Without a limit the whole list is held in memory:
  /// long lists are read page by page. A brief one has numbers, titles, dates, lengths and statuses, and nothing else.
  package func playlist(
    limit: Int? = nil, after cursor: EpisodeCursor? = nil, brief: Bool = false
  ) throws(StoreError) -> [EpisodeEntry] {
    try page(along: "playlist", "e.is_listed = 1", limit, cursor, brief: brief)
  }

  /// One podcast's episodes, newest first.
  package func episodes(
    of podcast: PodcastID, limit: Int? = nil, after cursor: EpisodeCursor? = nil
  ) throws(StoreError) -> [EpisodeEntry] {
    try page(along: "episodes_of_podcast", "e.podcast_id = \(podcast)", limit, cursor)
  }

  private func page(
    along index: SQL, _ condition: SQL, _ limit: Int?, _ cursor: EpisodeCursor?, brief: Bool = false
  ) throws(StoreError) -> [EpisodeEntry] {
    if cursor != nil { try connection.prepareToReadOn() }
    let rest: SQL = cursor.map { " AND (e.listed_at, e.id) < (\($0.listedAt), \($0.id))" } ?? ""
    return try entries(
      "\(EpisodeRows.select(along: index))WHERE \(condition)\(rest) ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit ?? -1)",
      brief: brief)
  }

  func entries(_ sql: SQL, brief: Bool = false) throws(StoreError) -> [EpisodeEntry] {
    try EpisodeRows.read(sql, brief: brief, from: connection)
  }

  // MARK: One episode

  package func episode(_ id: EpisodeID) throws(StoreError) -> EpisodeEntry? {
    try entries("\(EpisodeRows.select())WHERE e.id = \(id)").first
  }

  /// One podcast's episode by its place: 1 is the newest.
  package func episode(_ place: Int, of podcast: PodcastID) throws(StoreError) -> EpisodeEntry? {
    guard place > 0 else { return nil }
    return try entries(
      """
      \(EpisodeRows.select())WHERE e.podcast_id = \(podcast)
      ORDER BY e.listed_at DESC, e.id DESC LIMIT 1 OFFSET \(place - 1)
      """
    ).first
  }

  package enum Unplayed: Sendable { case oldest, newest }

  package func unplayed(_ which: Unplayed, of podcast: PodcastID) throws(StoreError) -> EpisodeEntry? {
    let order: SQL = which == .oldest ? "e.listed_at, e.id" : "e.listed_at DESC, e.id DESC"
    return try entries(
      """
      \(EpisodeRows.select())WHERE e.podcast_id = \(podcast) AND e.is_played = 0 ORDER BY \(order) LIMIT 1
      """
    ).first
  }

  /// The unplayed episode of the same podcast that follows this one in time.
  package func next(after id: EpisodeID) throws(StoreError) -> EpisodeEntry? {
    guard let entry = try episode(id) else { return nil }
    let cursor = EpisodeCursor(after: entry)
    return try entries(
      """
      \(EpisodeRows.select())WHERE e.podcast_id = \(entry.podcast.id) AND e.is_played = 0
        AND (e.listed_at, e.id) > (\(cursor.listedAt), \(cursor.id)) ORDER BY e.listed_at, e.id LIMIT 1
      """
    ).first
  }

  // MARK: What people call an episode

  /// Guids are unique within a podcast only, so there may be several.
  package func episodes(withGUID guid: String) throws(StoreError) -> [EpisodeEntry] {
    try entries(
      """
      SELECT \(EpisodeRows.columns) FROM podcasts p CROSS JOIN episodes e ON e.podcast_id = p.id AND e.guid = \(guid)
      LEFT JOIN statuses s ON s.episode_id = e.id LEFT JOIN media m ON m.episode_id = e.id ORDER BY e.id LIMIT 20
      """)
  }

  package func episodes(withEnclosure url: String) throws(StoreError) -> [EpisodeEntry] {
    try entries(
      """
      SELECT \(EpisodeRows.columns) FROM podcasts p
      CROSS JOIN episodes e ON e.podcast_id = p.id AND e.enclosure_hash = \(ContentHash.of(url)) AND e.enclosure_url = \(url)
      LEFT JOIN statuses s ON s.episode_id = e.id LEFT JOIN media m ON m.episode_id = e.id ORDER BY e.id LIMIT 20
      """)
  }

  /// Episodes whose title has all these words, or words that start so; newest first.
  package func episodes(
    titled words: String, of podcast: PodcastID? = nil, limit: Int = 20
  ) throws(StoreError) -> [EpisodeEntry] {
    guard let match = SearchWords(words).match(in: [.title]) else { return [] }
    if access == .readWrite { try indexForSearch(budget: Self.patienceWithIndex) }
    let condition: SQL = podcast.map { " AND e.podcast_id = \($0)" } ?? " AND e.is_listed = 1"
    return try entries(
      """
      \(EpisodeRows.select())WHERE e.id IN (SELECT rowid FROM search WHERE search MATCH \(match) ORDER BY rowid DESC
        LIMIT 2000)\(condition) ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit)
      """)
  }

  /// The newest of those whose titles begin so, in any case of ASCII letters. The index of words is not asked: it may
  /// not know all of them yet.
  package func episodes(titleBeginning start: String, limit: Int) throws(StoreError) -> [EpisodeEntry] {
    let length = start.unicodeScalars.count
    return try entries(
      """
      \(EpisodeRows.select(along: "playlist"))WHERE e.is_listed = 1 AND substr(e.title, 1, \(length)) = \(start) COLLATE NOCASE
      ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit)
      """)
  }
}
