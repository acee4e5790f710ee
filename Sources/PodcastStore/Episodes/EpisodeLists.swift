package import PodcastModel

/// The end of a page of a list. The next page starts after it, whatever was added in front meanwhile.
package struct EpisodeCursor: Hashable, Sendable {
  var listedAt: Int64
  var id: EpisodeID

  /// After this entry of a list that is newest first.
  package init(after entry: EpisodeEntry) {
    listedAt = entry.episode.publishedAt?.seconds ?? 0
    id = entry.episode.id
  }
}

/// One end of a podcast's unplayed episodes.
package enum UnplayedEnd: Sendable { case oldest, newest }

/// Lists of episodes, and single episodes found by id, number, guid or address.
struct EpisodeLists {
  let connection: Connection

  /// Episodes of every subscription, newest first.
  func playlist(limit: Int?, after cursor: EpisodeCursor?, brief: Bool) throws(StoreError) -> [EpisodeEntry] {
    try page(along: "playlist", "e.is_listed = 1", limit, cursor, brief: brief)
  }

  /// One podcast's episodes, newest first.
  func episodes(of podcast: PodcastID, limit: Int?, after cursor: EpisodeCursor?) throws(StoreError) -> [EpisodeEntry] {
    try page(along: "episodes_of_podcast", "e.podcast_id = \(podcast)", limit, cursor)
  }

  private func page(
    along index: SQL, _ condition: SQL, _ limit: Int?, _ cursor: EpisodeCursor?, brief: Bool = false
  ) throws(StoreError) -> [EpisodeEntry] {
    if cursor != nil { try connection.enlargeCacheForPages() }
    let rest: SQL = cursor.map { " AND (e.listed_at, e.id) < (\($0.listedAt), \($0.id))" } ?? ""
    return try EpisodeRows.read(
      "\(EpisodeRows.select(along: index, brief: brief))WHERE \(condition)\(rest) ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit ?? -1)",
      brief: brief, from: connection)
  }

  private func entries(_ sql: SQL) throws(StoreError) -> [EpisodeEntry] { try EpisodeRows.read(sql, from: connection) }

  // MARK: One episode

  func episode(_ id: EpisodeID) throws(StoreError) -> EpisodeEntry? {
    try entries("\(EpisodeRows.select())WHERE e.id = \(id)").first
  }

  /// 1 is the newest of the podcast.
  func episode(_ number: Int, of podcast: PodcastID) throws(StoreError) -> EpisodeEntry? {
    guard number > 0 else { return nil }
    return try entries(
      """
      \(EpisodeRows.select())WHERE e.podcast_id = \(podcast)
      ORDER BY e.listed_at DESC, e.id DESC LIMIT 1 OFFSET \(number - 1)
      """
    ).first
  }

  func unplayed(_ end: UnplayedEnd, of podcast: PodcastID) throws(StoreError) -> EpisodeEntry? {
    let order: SQL = end == .oldest ? "e.listed_at, e.id" : "e.listed_at DESC, e.id DESC"
    // One without a media file, such as a text among the episodes, only where there is no other.
    for condition: SQL in ["AND e.enclosure_url IS NOT NULL", ""] {
      let found = try entries(
        """
        \(EpisodeRows.select())WHERE e.podcast_id = \(podcast) AND e.is_played = 0 \(condition) ORDER BY \(order) LIMIT 1
        """)
      if let entry = found.first { return entry }
    }
    return nil
  }

  /// The unplayed episode of the same podcast that was published next.
  func next(after id: EpisodeID) throws(StoreError) -> EpisodeEntry? {
    guard let entry = try episode(id) else { return nil }
    let cursor = EpisodeCursor(after: entry)
    return try entries(
      """
      \(EpisodeRows.select())WHERE e.podcast_id = \(entry.podcast.id) AND e.is_played = 0
        AND (e.listed_at, e.id) > (\(cursor.listedAt), \(cursor.id)) ORDER BY e.listed_at, e.id LIMIT 1
      """
    ).first
  }

  /// Guids are unique within a podcast only, so there may be several.
  func episodes(withGUID guid: String) throws(StoreError) -> [EpisodeEntry] {
    try entries(
      """
      SELECT \(EpisodeRows.columns) FROM podcasts p CROSS JOIN episodes e ON e.podcast_id = p.id AND e.guid = \(guid)
      LEFT JOIN statuses s ON s.episode_id = e.id LEFT JOIN media m ON m.episode_id = e.id ORDER BY e.id LIMIT 20
      """)
  }

  func episodes(withEnclosure url: String) throws(StoreError) -> [EpisodeEntry] {
    try entries(
      """
      SELECT \(EpisodeRows.columns) FROM podcasts p
      CROSS JOIN episodes e ON e.podcast_id = p.id AND e.enclosure_hash = \(ContentHash.of(url)) AND e.enclosure_url = \(url)
      LEFT JOIN statuses s ON s.episode_id = e.id LEFT JOIN media m ON m.episode_id = e.id ORDER BY e.id LIMIT 20
      """)
  }

  /// The episodes with this title, in any case of ASCII letters, without the full-text index.
  func episodes(withTitle title: String, limit: Int) throws(StoreError) -> [EpisodeEntry] {
    try entries(
      """
      \(EpisodeRows.select(along: "playlist"))WHERE e.is_listed = 1 AND e.title = \(title) COLLATE NOCASE
      ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit)
      """)
  }

  /// The newest episodes whose titles begin with `start`, in any case of ASCII letters. The full-text index is not used:
  /// it may not hold all of them yet.
  func episodes(titleBeginning start: String, limit: Int) throws(StoreError) -> [EpisodeEntry] {
    let length = start.unicodeScalars.count
    return try entries(
      """
      \(EpisodeRows.select(along: "playlist"))WHERE e.is_listed = 1 AND substr(e.title, 1, \(length)) = \(start) COLLATE NOCASE
      ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit)
      """)
  }
}
