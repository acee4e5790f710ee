package import PodcastModel

extension PodcastStore {
  /// How much a position is worth waiting for.
  package enum Urgency: Sendable {
    /// One of many while playing: it may be skipped when the library is busy; a power cut takes five at most.
    case tick
    /// The last one for now.
    case flush
  }

  /// Makes this the current episode, and no other one.
  package func startPlaying(_ id: EpisodeID, at now: Timestamp = .now) throws(StoreError) {
    // Reading works where writing does not, and a place in the side file must have a higher number than the one kept.
    let known = try connection.integer("SELECT position_number FROM statuses WHERE episode_id = \(id)")
    positionNumbers.startAbove(known ?? 0)
    // Its sound is already on its way: whoever plays must not be kept from counting by a library that is locked.
    let number = try writeInPlace(patience: .milliseconds(400)) { connection throws(StoreError) in
      try connection.execute(
        "UPDATE statuses SET is_currently_playing = 0 WHERE is_currently_playing = 1 AND episode_id <> \(id)")
      return try Self.upsert(
        id, SQL("last_played_at, is_currently_playing"), "\(now), 1",
        "last_played_at = excluded.last_played_at, is_currently_playing = 1", connection)
    }
    positionNumbers.startAbove(number)
  }

  /// Where the listener is. Only a later position than the stored one is written, whatever the clocks say. `byte`: the
  /// position is only guessed; what sounds there is this byte of the medium.
  package func savePosition(
    _ position: Duration, of id: EpisodeID, byte: Int64? = nil, urgency: Urgency, at now: Timestamp = .now
  ) throws(StoreError) {
    let isFlush = urgency == .flush
    let isFourth = unsyncedTicks % Self.ticksAtATime == Self.ticksAtATime - 1
    // One more than those on their way may be lost, not two: on a disk that slow, playing has to wait after all.
    if !isFlush, unsyncedTicks == 1 { logSync.wait() }
    let number = positionNumbers.next()
    let stored = try writeInPlace(
      isFlush ? .full : .normal, patience: isFlush ? .milliseconds(400) : .milliseconds(250),
      toleratedLog: Checkpoint.toleratedByPositions
    ) { connection throws(StoreError) in
      if let byte { try ApproximatePosition(position: max(.zero, position), byte: byte).keep(for: id, connection) }
      // The time goes along now and then: it has an index, and a tick should write one page.
      return try Self.upsert(
        id, "last_listen_time, position_number, last_played_at", "\(max(.zero, position)), \(number), \(now)",
        """
        last_listen_time = excluded.last_listen_time,
        position_number = max(position_number + 1, excluded.position_number)\(
          isFlush || isFourth ? ", last_played_at = excluded.last_played_at" : "" as SQL)
        """, connection)
    }
    positionNumbers.startAbove(stored)
    if isFourth, !isFlush { logSync.begin() }
    unsyncedTicks = isFlush || isFourth ? 0 : unsyncedTicks + 1
  }

  /// So many positions go to the disk together.
  private static let ticksAtATime = 4

  /// Heard to the end, or as good as: there is no place to go back to, and it leaves the queue.
  package func markCompleted(_ id: EpisodeID, at now: Timestamp = .now) throws(StoreError) {
    try writeInPlace { connection throws(StoreError) in
      _ = try Self.upsert(
        id, "has_completed, last_played_at", "1, \(now)",
        """
        has_completed = 1, last_listen_time = NULL, is_currently_playing = 0, position_number = position_number + 1,
        last_played_at = excluded.last_played_at
        """, connection)
      try QueueRows(connection: connection).remove(id)
    }
  }

  /// Most episodes have no status yet. Answers the number of the position that is stored now.
  static func upsert(
    _ id: EpisodeID, _ columns: SQL, _ values: SQL, _ changes: SQL, _ connection: Connection
  ) throws(StoreError) -> Int64 {
    guard try connection.integer("SELECT 1 FROM episodes WHERE id = \(id)") != nil else {
      throw StoreError(.notFound, message: "no episode has the id \(id.rawValue)", about: connection.path)
    }
    return try connection.integer(
      """
      INSERT INTO statuses (episode_id, \(columns)) VALUES (\(id), \(values))
      ON CONFLICT (episode_id) DO UPDATE SET \(changes) RETURNING position_number
      """) ?? 0
  }

  /// The episode that plays, or would be resumed.
  package func current() throws(StoreError) -> EpisodeEntry? {
    try entries("\(EpisodeRows.selectByStatus(along: "statuses_current"))WHERE s.is_currently_playing = 1").first
  }

  /// What was begun and not finished, the last one first.
  package func resumable(limit: Int = 20) throws(StoreError) -> [EpisodeEntry] {
    try entries(
      """
      \(EpisodeRows.selectByStatus(along: "statuses_unfinished"))WHERE s.last_listen_time IS NOT NULL
      ORDER BY s.last_played_at DESC LIMIT \(limit)
      """)
  }

  /// The episode that was played last, finished or not.
  package func lastPlayed() throws(StoreError) -> EpisodeEntry? {
    try entries(
      """
      \(EpisodeRows.selectByStatus(along: "statuses_by_time"))WHERE s.last_played_at IS NOT NULL ORDER BY s.last_played_at DESC LIMIT 1
      """
    ).first
  }

  // MARK: The side file

  /// A position that could not be written when its player ended is written now, unless there is a later one.
  static func mergePendingProgress(into connection: Connection, directory: String) throws(StoreError) {
    guard PendingProgress.exists(in: directory) else { return }
    guard let pending = PendingProgress.read(in: directory) else { return PendingProgress.remove(in: directory) }
    do {
      try connection.write { () throws(StoreError) in
        try connection.execute(
          """
          INSERT INTO statuses (episode_id, last_listen_time, position_number, last_played_at)
          SELECT id, \(pending.position), \(pending.number), \(Timestamp.now) FROM episodes WHERE id = \(pending.episode)
          ON CONFLICT (episode_id) DO UPDATE SET
            last_listen_time = excluded.last_listen_time, position_number = excluded.position_number
          WHERE position_number < excluded.position_number
          """)
        // Where a later one is kept, this guess is none of it.
        if let byte = pending.byte,
          try connection.integer(
            "SELECT 1 FROM statuses WHERE episode_id = \(pending.episode) AND position_number = \(pending.number)")
            != nil
        {
          try ApproximatePosition(position: pending.position, byte: byte).keep(for: pending.episode, connection)
        }
      }
      PendingProgress.remove(in: directory)
    } catch {
      // Still locked or still full: the file waits for a better day. Reading goes on.
      guard error.isTemporary else { throw error }
    }
  }
}

extension StoreError {
  fileprivate var isTemporary: Bool {
    switch code {
    case .busy, .full, .readOnly: true
    default: false
    }
  }
}
