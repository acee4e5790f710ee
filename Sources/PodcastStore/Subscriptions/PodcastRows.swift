internal import PodcastModel

/// Reads podcasts: their list, one by id or address, and everything a feed says of one.
struct PodcastRows {
  let connection: Connection

  private static let select: SQL = """
    SELECT p.id, p.title, p.feed_url, p.author, p.link, p.image, p.is_subscribed, p.is_private, p.subscribed_at,
      c.episodes, c.unplayed, c.downloaded, c.newest_at, f.checked_at, f.error, f.is_gone
    FROM podcasts p JOIN counters c ON c.podcast_id = p.id JOIN feeds f ON f.podcast_id = p.id
    """

  /// The subscriptions, by title.
  func subscribed() throws(StoreError) -> [PodcastEntry] {
    try podcasts("\(Self.select) WHERE p.is_subscribed = 1 ORDER BY p.title COLLATE NOCASE, p.id")
  }

  func subscribedCount() throws(StoreError) -> (all: Int, withImage: Int) {
    try connection.first("SELECT count(*), count(image) FROM podcasts WHERE is_subscribed = 1") {
      ($0.count(0), $0.count(1))
    } ?? (0, 0)
  }

  func podcast(_ id: PodcastID) throws(StoreError) -> PodcastEntry? {
    try podcasts("\(Self.select) WHERE p.id = \(id)").first
  }

  /// By its feed's address, a former one included.
  func podcast(at feedURL: String) throws(StoreError) -> PodcastEntry? {
    guard let id = try id(at: feedURL) else { return nil }
    return try podcast(id)
  }

  func id(at feedURL: String) throws(StoreError) -> PodcastID? {
    try connection.integer("SELECT podcast_id FROM addresses WHERE url = \(feedURL)").map(PodcastID.init(rawValue:))
  }

  /// Podcasts whose title has all these words or beginnings of words.
  func podcasts(titled words: String, limit: Int) throws(StoreError) -> [PodcastEntry] {
    guard let match = SearchWords(words).titleMatch else { return [] }
    return try podcasts(
      """
      \(Self.select) WHERE p.id IN (SELECT rowid FROM podcast_search_words WHERE podcast_search_words MATCH \(match))
      ORDER BY p.title = \(words) COLLATE NOCASE DESC, p.is_subscribed DESC, p.title COLLATE NOCASE LIMIT \(limit)
      """)
  }

  /// A podcast by its id, by its feed's address, or by words of its title; those that are called exactly so go before others.
  func podcasts(called name: String) throws(StoreError) -> [PodcastEntry] {
    if let id = Int64(name), let podcast = try podcast(PodcastID(rawValue: id)) { return [podcast] }
    if name.contains("://"), let podcast = try podcast(at: name) { return [podcast] }
    let found = try podcasts(titled: name, limit: 1000)
    let whole = found.filter { $0.title.lowercased() == name.lowercased() }
    return whole.isEmpty ? found : whole
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

  // MARK: Everything of one

  func details(of podcast: PodcastID) throws(StoreError) -> PodcastDetails? {
    guard let entry = try self.podcast(podcast) else { return nil }
    var details = PodcastDetails(entry: entry)
    try connection.forEachRow(
      """
      SELECT d.description, d.subtitle, d.copyright, d.owner_name, d.owner_email, d.categories, d.feed_guid, d.medium,
        d.is_complete, p.language, p.type, p.is_explicit
      FROM podcasts p JOIN podcast_details d ON d.podcast_id = p.id WHERE p.id = \(podcast)
      """
    ) { row in
      details.description = row.optionalText(0)
      details.subtitle = row.optionalText(1)
      details.copyright = row.optionalText(2)
      details.ownerName = row.optionalText(3)
      details.ownerEmail = row.optionalText(4)
      details.categories = row.text(5).split(separator: "\n").map(String.init)
      details.guid = row.optionalText(6)
      details.medium = row.optionalText(7)
      details.isComplete = row.optionalFlag(8)
      details.language = row.optionalText(9)
      details.type = row.optionalText(10)
      details.isExplicit = row.optionalFlag(11)
    }
    details.fundings = try connection.rows(
      "SELECT url, text FROM fundings WHERE podcast_id = \(podcast) ORDER BY place"
    ) { Funding(url: $0.text(0), text: $0.optionalText(1)) }
    details.tags = try SettingRows(connection: connection).tags(of: podcast)
    details.settings = try SettingRows(connection: connection).settings(of: podcast)
    return details
  }

  // MARK: Filters

  /// Resolves the names and tags of a filter. Nil when it has none and `podcast` is nil.
  func podcasts(
    namedIn filter: EpisodeFilter, within podcast: PodcastID?
  ) throws(StoreError) -> FilterCompiler.Podcasts? {
    var named: Set<PodcastID>? = podcast.map { [$0] }
    for condition in filter.conditions {
      let ids: [PodcastID]
      switch condition {
      case .podcast(let name): ids = try podcasts(called: name).map(\.id)
      case .tag(let tag): ids = try SettingRows(connection: connection).podcasts(tagged: tag)
      default: continue
      }
      named = named?.intersection(ids) ?? Set(ids)
    }
    guard let named else { return nil }
    let ids = named.sorted { $0.rawValue < $1.rawValue }
    return FilterCompiler.Podcasts(
      ids: ids, episodes: try episodeCount(of: ids), allEpisodes: try episodeCount(of: nil))
  }

  private func episodeCount(of ids: [PodcastID]?) throws(StoreError) -> Int64 {
    var total: Int64 = 0
    let wanted = ids.map(Set.init)
    try connection.forEachRow("SELECT podcast_id, episodes FROM counters") { row in
      if wanted?.contains(PodcastID(rawValue: row.integer(0))) ?? true { total += row.integer(1) }
    }
    return total
  }
}
