package import PodcastModel

extension PodcastStore {
  private static let select: SQL = """
    SELECT p.id, p.title, p.feed_url, p.author, p.link, p.image, p.is_subscribed, p.is_private, p.subscribed_at,
      c.episodes, c.unplayed, c.downloaded, c.newest_at, f.checked_at, f.error, f.is_gone
    FROM podcasts p JOIN counters c ON c.podcast_id = p.id JOIN feeds f ON f.podcast_id = p.id
    """

  /// What you follow, by title.
  package func podcasts() throws(StoreError) -> [PodcastEntry] {
    try podcasts("\(Self.select) WHERE p.is_subscribed = 1 ORDER BY p.title COLLATE NOCASE, p.id")
  }

  package func podcast(_ id: PodcastID) throws(StoreError) -> PodcastEntry? {
    try podcasts("\(Self.select) WHERE p.id = \(id)").first
  }

  /// By its feed's address, a former one included.
  package func podcast(at feedURL: String) throws(StoreError) -> PodcastEntry? {
    guard let id = try Self.podcastID(for: feedURL, connection) else { return nil }
    return try podcast(id)
  }

  /// Podcasts whose title has all these words, or words that start so.
  package func podcasts(titled words: String, limit: Int = 20) throws(StoreError) -> [PodcastEntry] {
    guard let match = SearchWords(words).match(in: [.title]) else { return [] }
    return try podcasts(
      """
      \(Self.select) WHERE p.id IN (SELECT rowid FROM podcast_search WHERE podcast_search MATCH \(match))
      ORDER BY p.is_subscribed DESC, p.title COLLATE NOCASE LIMIT \(limit)
      """)
  }

  private func podcasts(_ sql: SQL) throws(StoreError) -> [PodcastEntry] {
    try connection.rows(sql) { row in
      var entry = PodcastEntry(
        reference: PodcastReference(id: PodcastID(rawValue: row.integer(0)), title: row.text(1), feedURL: row.text(2)))
      entry.author = row.optionalText(3)
      entry.link = row.optionalText(4)
      entry.image = row.optionalText(5)
      entry.isSubscribed = row.flag(6)
      entry.isPrivate = row.flag(7)
      entry.subscribedAt = row.optionalTime(8)
      entry.episodeCount = row.count(9)
      entry.unplayedCount = row.count(10)
      entry.downloadedCount = row.count(11)
      entry.newestAt = row.optionalTime(12)
      entry.lastRefreshedAt = row.optionalTime(13)
      entry.refreshError = row.optionalText(14)
      entry.isGone = row.flag(15)
      return entry
    }
  }
}
