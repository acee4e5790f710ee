internal import PodcastModel

/// Reads the rows of episode lists. All lists select the same columns, in the same order.
struct EpisodeRows {
  /// The columns of lists, with the readers of those in `EpisodeColumn`.
  private static let listed = EpisodeColumn.all.compactMap { column -> ListedColumn? in
    switch column.read {
    case .brief(let read): ListedColumn(name: column.name, isBrief: true, read: read)
    case .list(let read): ListedColumn(name: column.name, isBrief: false, read: read)
    case .details, .none: nil
    }
  }

  private struct ListedColumn {
    let name: String
    let isBrief: Bool
    let read: @Sendable (Statement.Row, Int32, inout EpisodeEntry) -> Void
  }

  /// Of the episode, its podcast and its status: in every list, and first.
  private static let own = [
    "e.id", "e.podcast_id", "p.title", "p.feed_url", "s.last_listen_time", "s.last_played_at", "s.has_completed",
    "s.is_currently_playing", "s.is_favourite", "s.media_duration",
  ]
  private static let media = [mediaState, "m.received", "m.total", "m.path", "m.error"]
  /// Without a byte only what was asked for is a download. A deleted one keeps its record, so that it is not downloaded again
  /// automatically.
  private static let mediaState = """
    CASE WHEN m.state = 'paused' AND m.received = 0
      AND (m.path IS NULL OR m.is_kept = 0 AND (m.is_automatic = 0 OR m.requested_at IS NULL)) THEN NULL ELSE m.state END
    """
  private static let shown = listed.filter(\.isBrief)

  /// Of lists that are not brief.
  static let columns = text(own + media, listed)
  private static let briefColumns = text(own, shown)

  /// Written out, as `joined` takes longer than all of the rows of a page.
  private static func text(_ first: [String], _ rest: [ListedColumn]) -> SQL {
    let names = first + rest.map { "e." + $0.name }
    return SQL(text: names.dropFirst().reduce(into: names[0]) { $0 += ", " + $1 })
  }

  /// Further columns of a statement come after `columns`.
  static let columnCount = Int32(own.count + media.count + listed.count)

  // MARK: Statements

  /// For lists that walk over episodes, along this index. If the index does not exist, SQLite refuses the statement.
  static func select(along index: SQL? = nil, brief: Bool = false) -> SQL {
    let index: SQL = index.map { " INDEXED BY \($0)" } ?? ""
    return
      "SELECT \(brief ? briefColumns : columns) FROM episodes e\(index) LEFT JOIN statuses s ON s.episode_id = e.id\(podcastAndMedia) "
  }

  /// For lists that walk over statuses.
  static func selectByStatus(along index: SQL, brief: Bool = false) -> SQL {
    """
    SELECT \(brief ? briefColumns : columns) FROM statuses s INDEXED BY \(index) CROSS JOIN episodes e ON e.id = s.episode_id\(podcastAndMedia)\u{20}
    """
  }

  /// For lists that walk over media records.
  static func selectByMedia(brief: Bool = false) -> SQL {
    """
    SELECT \(brief ? briefColumns : columns) FROM media m CROSS JOIN episodes e ON e.id = m.episode_id
    LEFT JOIN statuses s ON s.episode_id = e.id CROSS JOIN podcasts p ON p.id = e.podcast_id\u{20}
    """
  }

  /// `CROSS` keeps SQLite from walking over podcasts first.
  private static let podcastAndMedia: SQL =
    " CROSS JOIN podcasts p ON p.id = e.podcast_id LEFT JOIN media m ON m.episode_id = e.id"

  static func read(_ sql: SQL, brief: Bool = false, from connection: Connection) throws(StoreError) -> [EpisodeEntry] {
    var rows = EpisodeRows(connection, brief: brief)
    return try connection.rows(sql) { rows.entry($0) }
  }

  // MARK: Rows

  /// Each podcast's texts are read once, because few podcasts have many episodes. The first ones are found in an array: a
  /// page has no more, and making its first dictionary takes as long as reading twenty rows.
  private var firstPodcasts: [PodcastReference] = []
  private var podcasts: [Int64: PodcastReference] = [:]
  private let isBrief: Bool
  private let mediaPath: MediaPath
  private let readers: [Reader]

  private typealias Reader = (column: Int32, read: @Sendable (Statement.Row, Int32, inout EpisodeEntry) -> Void)

  /// A brief list reads few columns; the rest of each entry stays empty.
  init(_ connection: Connection, brief: Bool = false) {
    isBrief = brief
    mediaPath = MediaPath(in: connection.dataFolder)
    readers = brief ? Self.briefReaders : Self.allReaders
  }

  private static let allReaders = readers(of: listed, after: own + media)
  private static let briefReaders = readers(of: shown, after: own)

  private static func readers(of columns: [ListedColumn], after first: [String]) -> [Reader] {
    columns.enumerated().map { (column: Int32(first.count + $0.offset), read: $0.element.read) }
  }

  mutating func entry(_ row: Statement.Row) -> EpisodeEntry {
    let id = EpisodeID(rawValue: row.integer(0))
    var entry = EpisodeEntry(episode: Episode(id: id, guid: "", title: ""), podcast: podcast(row))
    entry.status = EpisodeStatus(
      lastListenTime: row.optionalLength(4), lastPlayedAt: row.optionalTime(5), hasCompleted: row.flag(6),
      isCurrentlyPlaying: row.flag(7))
    entry.mediaDuration = row.optionalLength(9)
    for reader in readers { reader.read(row, reader.column, &entry) }
    if isBrief { return entry }
    entry.isFavourite = row.flag(8)
    entry.download = download(row)
    return entry
  }

  private func download(_ row: Statement.Row) -> Download? {
    guard let state = row.optionalText(10).flatMap(Download.State.init(rawValue:)) else { return nil }
    let total = row.optionalInteger(12).flatMap { $0 > 0 ? Double($0) : nil }
    let progress = state == .complete ? 1 : total.map { min(1, Double(row.integer(11)) / $0) }
    let error = state == .failed ? row.optionalText(14) : nil
    return Download(state: state, progress: progress, path: mediaPath.located(row.optionalText(13)), error: error)
  }

  private mutating func podcast(_ row: Statement.Row) -> PodcastReference {
    let id = row.integer(1)
    if let known = firstPodcasts.first(where: { $0.id.rawValue == id }) ?? podcasts[id] { return known }
    let podcast = PodcastReference(id: PodcastID(rawValue: id), title: row.text(2), feedURL: row.text(3))
    if firstPodcasts.count < 40 { firstPodcasts.append(podcast) } else { podcasts[id] = podcast }
    return podcast
  }
}
