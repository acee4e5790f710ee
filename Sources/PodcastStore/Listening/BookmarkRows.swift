internal import PodcastModel

/// The rows of `bookmarks`.
struct BookmarkRows {
  let connection: Connection

  func read(of id: EpisodeID) throws(StoreError) -> [Bookmark] {
    try connection.rows(
      "SELECT id, position, note, created_at FROM bookmarks WHERE episode_id = \(id) ORDER BY position, id"
    ) { Self.bookmark($0, from: 0) }
  }

  /// All of them, with their episodes, the latest first.
  func readAll(limit: Int) throws(StoreError) -> [(entry: EpisodeEntry, bookmark: Bookmark)] {
    var rows = EpisodeRows(connection)
    return try connection.rows(
      """
      SELECT \(EpisodeRows.columns), b.id, b.position, b.note, b.created_at
      FROM bookmarks b CROSS JOIN episodes e ON e.id = b.episode_id LEFT JOIN statuses s ON s.episode_id = e.id
      CROSS JOIN podcasts p ON p.id = e.podcast_id LEFT JOIN media m ON m.episode_id = e.id
      ORDER BY b.created_at DESC, b.id DESC LIMIT \(limit)
      """
    ) { row in (rows.entry(row), Self.bookmark(row, from: EpisodeRows.columnCount)) }
  }

  private static func bookmark(_ row: Statement.Row, from column: Int32) -> Bookmark {
    Bookmark(
      id: row.integer(column), position: .milliseconds(row.integer(column + 1)), note: row.optionalText(column + 2),
      createdAt: Timestamp(seconds: row.integer(column + 3)))
  }

  /// The same one twice in a second is one: machines that share it could not tell them apart.
  func add(at position: Duration, note: String?, in id: EpisodeID, now: Timestamp) throws(StoreError) -> Bookmark {
    let same = try connection.first(
      """
      SELECT id, position, note, created_at FROM bookmarks
      WHERE episode_id = \(id) AND position = \(max(.zero, position)) AND note IS \(note) AND created_at = \(now)
      """
    ) { Self.bookmark($0, from: 0) }
    if let same { return same }
    try connection.execute(
      """
      INSERT INTO bookmarks (episode_id, position, note, created_at)
      VALUES (\(id), \(max(.zero, position)), \(note), \(now))
      """)
    return Bookmark(id: connection.lastInsertedID, position: max(.zero, position), note: note, createdAt: now)
  }

  func remove(_ id: Int64) throws(StoreError) {
    try connection.execute("DELETE FROM bookmarks WHERE id = \(id)")
  }
}
