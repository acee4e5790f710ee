internal import PodcastModel

/// The rows of `statuses`: positions, the current episode, and which episodes are finished.
struct StatusRows {
  let connection: Connection

  /// The highest number of this episode's stored position and the current one's; zero when there is none.
  func positionNumber(of id: EpisodeID) throws(StoreError) -> Int64 {
    let own = try connection.integer("SELECT position_number FROM statuses WHERE episode_id = \(id)") ?? 0
    let current = try connection.integer("SELECT position_number FROM statuses WHERE is_currently_playing = 1") ?? 0
    return max(own, current)
  }

  /// Makes this the current episode, and no other one. `number` is above that of the one before. Returns the stored one.
  func makeCurrent(_ id: EpisodeID, number: Int64, at now: Timestamp) throws(StoreError) -> Int64 {
    try connection.execute(
      "UPDATE statuses SET is_currently_playing = 0 WHERE is_currently_playing = 1 AND episode_id <> \(id)")
    return try upsert(
      id, SQL("last_played_at, is_currently_playing, position_number"), "\(now), 1, \(number)",
      """
      last_played_at = excluded.last_played_at, is_currently_playing = 1,
      position_number = max(position_number, excluded.position_number)
      """)
  }

  /// Makes an episode with a position the current one, unless the present one was heard later; without one, any other.
  func makeCurrent(heardElsewhere id: EpisodeID) throws(StoreError) {
    let time = try connection.integer(
      """
      SELECT last_played_at FROM statuses WHERE episode_id = \(id) AND last_listen_time IS NOT NULL
        AND last_played_at > coalesce(
          (SELECT last_played_at FROM statuses WHERE is_currently_playing = 1),
          (SELECT last_played_at FROM statuses INDEXED BY statuses_by_time
            WHERE last_played_at IS NOT NULL AND episode_id <> \(id) ORDER BY last_played_at DESC LIMIT 1), 0)
      """)
    guard let time else { return }
    _ = try makeCurrent(id, number: positionNumber(of: id) + 1, at: Timestamp(seconds: time))
  }

  /// Stores a position under this number, or the next free one. Returns the number. `last_played_at` has an index, so
  /// most positions leave it as it is and write one page only.
  func setPosition(
    _ position: Duration, of id: EpisodeID, number: Int64, at now: Timestamp, updatesTime: Bool
  ) throws(StoreError) -> Int64 {
    try upsert(
      id, "last_listen_time, position_number, last_played_at", "\(position), \(number), \(now)",
      """
      last_listen_time = excluded.last_listen_time,
      position_number = max(position_number + 1, excluded.position_number)\(
        updatesTime ? ", last_played_at = excluded.last_played_at" : "" as SQL)
      """)
  }

  /// The mark that took the position with this number from the episode. Nil while that stands.
  func mark(of id: EpisodeID, after number: Int64) throws(StoreError) -> EpisodeMark? {
    let isFinished = try connection.integer(
      """
      SELECT has_completed FROM statuses WHERE episode_id = \(id) AND last_listen_time IS NULL
        AND position_number > \(number)
      """)
    return isFinished.map { $0 == 1 ? .played : .unplayed }
  }

  /// Keeps the length of the media file of an episode that has a status.
  func setMediaDuration(_ duration: Duration, of id: EpisodeID) throws(StoreError) {
    try connection.execute("UPDATE statuses SET media_duration = \(duration) WHERE episode_id = \(id)")
  }

  /// A finished episode has no position and leaves the queue.
  func markCompleted(_ id: EpisodeID, at now: Timestamp) throws(StoreError) {
    _ = try upsert(
      id, "has_completed, last_played_at", "1, \(now)",
      """
      has_completed = 1, last_listen_time = NULL, is_currently_playing = 0, position_number = position_number + 1,
      last_played_at = excluded.last_played_at
      """)
    try QueueRows(connection: connection).remove(id)
  }

  /// Most episodes have no status yet. Returns the number of the position that is stored now.
  func upsert(_ id: EpisodeID, _ columns: SQL, _ values: SQL, _ changes: SQL) throws(StoreError) -> Int64 {
    guard try connection.integer("SELECT 1 FROM episodes WHERE id = \(id)") != nil else {
      throw StoreError(.notFound, message: "no episode has the id \(id.rawValue)", about: connection.path)
    }
    return try connection.integer(
      """
      INSERT INTO statuses (episode_id, \(columns)) VALUES (\(id), \(values))
      ON CONFLICT (episode_id) DO UPDATE SET \(changes) RETURNING position_number
      """) ?? 0
  }

  // MARK: Lists

  /// The episode that plays, or would be resumed.
  func current() throws(StoreError) -> EpisodeEntry? {
    try entries("\(EpisodeRows.selectByStatus(along: "statuses_current"))WHERE s.is_currently_playing = 1").first
  }

  /// Episodes with a position: the current one, which the clock does not change, then the last played.
  func resumable(limit: Int) throws(StoreError) -> [EpisodeEntry] {
    // Sorted as they are, SQLite would read all the columns of each episode that was ever begun.
    try entries(
      """
      \(EpisodeRows.select())WHERE e.id IN (
        SELECT episode_id FROM statuses WHERE is_currently_playing = 1 AND last_listen_time IS NOT NULL
        UNION ALL SELECT * FROM (SELECT episode_id FROM statuses INDEXED BY statuses_unfinished
          WHERE last_listen_time IS NOT NULL ORDER BY last_played_at DESC LIMIT \(limit)))
      ORDER BY s.is_currently_playing DESC, s.last_played_at DESC LIMIT \(limit)
      """)
  }

  /// The episode that was played last, finished or not.
  func lastPlayed() throws(StoreError) -> EpisodeEntry? {
    try entries(
      """
      \(EpisodeRows.selectByStatus(along: "statuses_by_time"))WHERE s.last_played_at IS NOT NULL ORDER BY s.last_played_at DESC LIMIT 1
      """
    ).first
  }

  private func entries(_ sql: SQL) throws(StoreError) -> [EpisodeEntry] {
    try EpisodeRows.read(sql, from: connection)
  }
}
