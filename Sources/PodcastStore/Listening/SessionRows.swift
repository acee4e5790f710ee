internal import PodcastModel

/// The id of one stretch of listening in the history.
package struct SessionID: RawRepresentable, Hashable, Sendable {
  /// The row id.
  package var rawValue: Int64
  /// The id of this row.
  package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The rows of `sessions`: the listening history.
struct SessionRows {
  let connection: Connection

  func begin(_ session: ListeningSession, of id: EpisodeID) throws(StoreError) -> SessionID {
    try connection.execute(
      """
      INSERT INTO sessions (episode_id, started_at, start_position, end_position)
      VALUES (\(id), \(session.startedAt), \(session.startPosition), \(session.endPosition))
      """)
    return SessionID(rawValue: connection.lastInsertedID)
  }

  func update(_ id: SessionID, to session: ListeningSession) throws(StoreError) {
    try connection.execute(
      """
      UPDATE sessions SET ended_at = \(session.endedAt), end_position = \(session.endPosition),
        listened = \(session.listened), saved_by_speed = \(session.savedBySpeed),
        saved_by_trim = \(session.savedByTrim)
      WHERE id = \(id.rawValue)
      """)
  }

  /// The latest first.
  func history(limit: Int) throws(StoreError) -> [HistoryEntry] {
    var rows = EpisodeRows(connection)
    return try connection.rows(
      """
      SELECT \(EpisodeRows.columns), h.started_at, h.ended_at, h.start_position, h.end_position, h.listened,
        h.saved_by_speed, h.saved_by_trim
      FROM sessions h INDEXED BY sessions_by_time CROSS JOIN episodes e ON e.id = h.episode_id
      LEFT JOIN statuses s ON s.episode_id = e.id CROSS JOIN podcasts p ON p.id = e.podcast_id
      LEFT JOIN media m ON m.episode_id = e.id
      ORDER BY h.started_at DESC, h.id DESC LIMIT \(limit)
      """
    ) { row in
      HistoryEntry(entry: rows.entry(row), session: Self.session(row, from: EpisodeRows.columnCount))
    }
  }

  private static func session(_ row: Statement.Row, from column: Int32) -> ListeningSession {
    var session = ListeningSession(
      startedAt: Timestamp(seconds: row.integer(column)), startPosition: .milliseconds(row.integer(column + 2)))
    session.endedAt = row.optionalTime(column + 1)
    session.endPosition = .milliseconds(row.integer(column + 3))
    session.listened = .milliseconds(row.integer(column + 4))
    session.savedBySpeed = .milliseconds(row.integer(column + 5))
    session.savedByTrim = .milliseconds(row.integer(column + 6))
    return session
  }

  /// Over all sessions that began since a day's beginning. Days are local, each given as midnight UTC of its date.
  func statistics(sinceDay day: Timestamp?) throws(StoreError) -> ListeningStatistics {
    var since = Int64.min
    if let day {
      since =
        try connection.integer("SELECT CAST(strftime('%s', \(day.seconds), 'unixepoch', 'utc') AS INTEGER)")
        ?? day.seconds
    }
    var statistics = ListeningStatistics()
    try connection.forEachRow(
      """
      SELECT sum(listened), sum(saved_by_speed), sum(saved_by_trim), count(DISTINCT episode_id)
      FROM sessions INDEXED BY sessions_by_time WHERE started_at >= \(since)
      """
    ) { row in
      statistics.listened = .milliseconds(row.integer(0))
      statistics.savedBySpeed = .milliseconds(row.integer(1))
      statistics.savedByTrim = .milliseconds(row.integer(2))
      statistics.episodes = row.count(3)
    }
    statistics.podcasts = try shares(since: since)
    statistics.days = try connection.rows(
      """
      SELECT CAST(strftime('%s', started_at, 'unixepoch', 'localtime', 'start of day') AS INTEGER) AS day, sum(listened)
      FROM sessions INDEXED BY sessions_by_time WHERE started_at >= \(since) GROUP BY day ORDER BY day
      """
    ) { row in
      ListeningStatistics.Day(date: Timestamp(seconds: row.integer(0)), listened: .milliseconds(row.integer(1)))
    }
    return statistics
  }

  private func shares(since moment: Int64) throws(StoreError) -> [ListeningStatistics.Share] {
    try connection.rows(
      """
      SELECT p.id, p.title, p.feed_url, sum(h.listened) AS total, count(DISTINCT h.episode_id)
      FROM sessions h INDEXED BY sessions_by_time CROSS JOIN episodes e ON e.id = h.episode_id
      CROSS JOIN podcasts p ON p.id = e.podcast_id
      WHERE h.started_at >= \(moment) GROUP BY p.id ORDER BY total DESC
      """
    ) { row in
      let podcast = PodcastReference(
        id: PodcastID(rawValue: row.integer(0)), title: row.text(1), feedURL: row.text(2))
      return ListeningStatistics.Share(
        podcast: podcast, listened: .milliseconds(row.integer(3)), episodes: row.count(4))
    }
  }
}
