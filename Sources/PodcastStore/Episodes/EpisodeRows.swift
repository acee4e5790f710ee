internal import PodcastModel

/// Reads the rows of episode lists. All of them select the same columns, in this order.
struct EpisodeRows {
  static let columns: SQL = """
    e.id, e.podcast_id, e.guid, e.title, e.link, e.published_at, e.duration, e.season, e.episode, e.episode_type,
    e.is_explicit, e.image, e.enclosure_url, e.enclosure_type, e.enclosure_length, e.chapter_count, e.has_transcript,
    s.last_listen_time, s.last_played_at, s.has_completed, s.is_currently_playing, s.is_favourite,
    m.state, m.received, m.total, m.path, p.title, p.feed_url
    """

  /// What else a statement selects comes behind these.
  static let columnCount: Int32 = 28

  /// For lists that walk over episodes, along this index. A list whose index has gone is refused, not slow.
  static func select(along index: SQL? = nil) -> SQL {
    let index: SQL = index.map { " INDEXED BY \($0)" } ?? ""
    return "SELECT \(columns) FROM episodes e\(index) LEFT JOIN statuses s ON s.episode_id = e.id\(podcastAndMedia) "
  }

  /// For lists that walk over what you did.
  static func selectByStatus(along index: SQL) -> SQL {
    """
    SELECT \(columns) FROM statuses s INDEXED BY \(index) CROSS JOIN episodes e ON e.id = s.episode_id\(podcastAndMedia)\u{20}
    """
  }

  /// For lists that walk over what is on this machine, or wanted here.
  static let selectByMedia: SQL = """
    SELECT \(columns) FROM media m CROSS JOIN episodes e ON e.id = m.episode_id
    LEFT JOIN statuses s ON s.episode_id = e.id CROSS JOIN podcasts p ON p.id = e.podcast_id\u{20}
    """

  /// `CROSS` keeps SQLite from walking over podcasts first.
  private static let podcastAndMedia: SQL =
    " CROSS JOIN podcasts p ON p.id = e.podcast_id LEFT JOIN media m ON m.episode_id = e.id"

  /// Few podcasts, many episodes: each podcast's texts are read once.
  private var podcasts: [Int64: PodcastReference] = [:]
  /// Only what a line of a list says is read; the rest of each entry is left empty.
  private let isBrief: Bool

  init(brief: Bool = false) { isBrief = brief }

  static func read(_ sql: SQL, brief: Bool = false, from connection: Connection) throws(StoreError) -> [EpisodeEntry] {
    var rows = EpisodeRows(brief: brief)
    return try connection.rows(sql) { rows.entry($0) }
  }

  mutating func entry(_ row: Statement.Row) -> EpisodeEntry {
    var entry = EpisodeEntry(episode: episode(row), podcast: podcast(row))
    entry.status = EpisodeStatus(
      lastListenTime: row.optionalLength(17), lastPlayedAt: row.optionalTime(18), hasCompleted: row.flag(19),
      isCurrentlyPlaying: row.flag(20))
    if isBrief { return entry }
    entry.isFavourite = row.flag(21)
    entry.download = download(row)
    entry.chapterCount = row.optionalInteger(15).map { Int($0) }
    entry.hasTranscript = row.flag(16)
    return entry
  }

  private func episode(_ row: Statement.Row) -> Episode {
    let id = EpisodeID(rawValue: row.integer(0))
    var episode = Episode(id: id, guid: isBrief ? "" : row.text(2), title: row.text(3))
    episode.publishedAt = row.optionalTime(5)
    episode.duration = row.optionalLength(6)
    if isBrief { return episode }
    episode.link = row.optionalText(4)
    episode.season = row.optionalReal(7)
    episode.episode = row.optionalReal(8)
    episode.episodeType = row.optionalText(9)
    episode.isExplicit = row.optionalFlag(10)
    episode.image = row.optionalText(11)
    episode.enclosure = row.optionalText(12).map {
      Enclosure(url: $0, type: row.optionalText(13), length: row.optionalInteger(14))
    }
    return episode
  }

  private func download(_ row: Statement.Row) -> Download? {
    guard let state = row.optionalText(22).flatMap(Download.State.init(rawValue:)) else { return nil }
    // What was here once and was thrown away is known, so that it does not come back by itself.
    if state == .paused, row.integer(23) == 0 { return nil }
    let total = row.optionalInteger(24).flatMap { $0 > 0 ? Double($0) : nil }
    let progress = state == .complete ? 1 : total.map { min(1, Double(row.integer(23)) / $0) }
    return Download(state: state, progress: progress, path: row.optionalText(25))
  }

  private mutating func podcast(_ row: Statement.Row) -> PodcastReference {
    let id = row.integer(1)
    if let known = podcasts[id] { return known }
    let podcast = PodcastReference(id: PodcastID(rawValue: id), title: row.text(26), feedURL: row.text(27))
    podcasts[id] = podcast
    return podcast
  }
}
