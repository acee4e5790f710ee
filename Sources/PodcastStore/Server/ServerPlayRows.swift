internal import PodcastModel

/// The rows of `server_plays`: of each episode the state that was last compared with the server, with its time by the
/// server's clock, and whether the server has it. A state that differs from its row was changed here since then, so no
/// other code has to report changes.
struct ServerPlayRows {
  let connection: Connection
  let clock: ServerClock

  /// A report that the server has refused this often stays here.
  static let mostTries = 3

  private struct Row {
    var stamp: Int64
    var position: Int64?
    var isFinished: Bool
    var isSent: Bool

    var state: PlayState { isFinished ? .finished : position.map { .position(.milliseconds($0)) } ?? .unplayed }
  }

  // MARK: Changes here

  /// Stamps each state that changed here. A change is later than all that it replaced, whatever the clock says. Before
  /// the first sync a state without a date is older than everything.
  func noteChanges(isFirst: Bool) throws(StoreError) {
    let changed = try connection.rows(
      """
      SELECT s.episode_id, s.last_listen_time, s.has_completed, s.last_played_at, p.stamp
      FROM statuses s LEFT JOIN server_plays p ON p.episode_id = s.episode_id
      WHERE (p.episode_id IS NULL AND (s.last_listen_time IS NOT NULL OR s.has_completed = 1))
        OR p.position IS NOT s.last_listen_time AND p.episode_id IS NOT NULL OR p.is_finished <> s.has_completed
      """
    ) { row in
      (
        id: EpisodeID(rawValue: row.integer(0)), position: row.optionalInteger(1), isFinished: row.flag(2),
        playedAt: row.optionalTime(3), known: row.optionalInteger(4)
      )
    }
    for change in changed {
      let heard = change.playedAt.map(clock.stamp)
      let stamp =
        if let known = change.known {
          heard.flatMap { $0 > known ? $0 : nil } ?? max(known + 1, clock.present.seconds)
        } else {
          heard ?? (isFirst ? 1 : clock.present.seconds)
        }
      let row = Row(stamp: stamp, position: change.position, isFinished: change.isFinished, isSent: false)
      try save(row, change.id)
    }
  }

  private func save(_ row: Row, _ id: EpisodeID) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO server_plays (episode_id, stamp, position, is_finished, is_sent)
      VALUES (\(id), \(row.stamp), \(row.position), \(row.isFinished), \(row.isSent))
      ON CONFLICT (episode_id) DO UPDATE SET stamp = excluded.stamp, position = excluded.position,
        is_finished = excluded.is_finished, is_sent = excluded.is_sent, tries = 0
      """)
  }

  // MARK: Changes elsewhere

  /// Applies a play unless the state here is later. True when the episode changed. `isHeld`: a player has it; its next
  /// position will win.
  func merge(_ play: RemotePlay, into id: EpisodeID, isHeld: Bool) throws(StoreError) -> Bool {
    let known = try connection.first(
      "SELECT stamp, position, is_finished, is_sent FROM server_plays WHERE episode_id = \(id)"
    ) { Row(stamp: $0.integer(0), position: $0.optionalInteger(1), isFinished: $0.flag(2), isSent: $0.flag(3)) }
    if let known, (play.at.seconds, play.state.rank) <= (known.stamp, known.state.rank) {
      // The server has lost the later state, as it keeps what was uploaded last. It never has one within half a minute
      // of the end.
      if known.isSent, play.state.rank != known.state.rank,
        play.at.seconds < known.stamp || known.state.rank - 31 > play.state.rank
      {
        try connection.execute(
          "UPDATE server_plays SET is_sent = 0 WHERE episode_id = \(id) AND tries < \(Self.mostTries)")
      }
      return false
    }
    if known == nil, play.state == .unplayed { return false }
    var row = known ?? Row(stamp: 0, position: nil, isFinished: false, isSent: true)
    (row.stamp, row.isSent) = (play.at.seconds, true)
    let isChange = !isHeld && play.state.rank != row.state.rank
    if isChange { (row.position, row.isFinished) = try apply(play, to: id) }
    try save(row, id)
    return isChange
  }

  private func apply(_ play: RemotePlay, to id: EpisodeID) throws(StoreError) -> (position: Int64?, isFinished: Bool) {
    let rows = StatusRows(connection: connection)
    let at = play.at.seconds > 0 ? play.at : nil
    switch play.state {
    case .finished:
      try rows.markCompleted(id, at: at ?? Timestamp(seconds: 0))
      if at == nil { try connection.execute("UPDATE statuses SET last_played_at = NULL WHERE episode_id = \(id)") }
      return (nil, true)
    case .unplayed:
      try rows.setRemotely(nil, of: id, at: at)
      return (nil, false)
    case .position(let position):
      let kept = try withinLength(position, of: id)
      try rows.setRemotely(kept, of: id, at: at)
      return (kept.inMilliseconds, false)
    }
  }

  /// Advertisements differ, so the file here may be shorter.
  private func withinLength(_ position: Duration, of id: EpisodeID) throws(StoreError) -> Duration {
    let length = try connection.integer(
      """
      SELECT coalesce(s.media_duration, e.duration) FROM episodes e LEFT JOIN statuses s ON s.episode_id = e.id
      WHERE e.id = \(id)
      """)
    guard let length, length > 30_000 else { return position }
    return min(position, .milliseconds(length - 15_000))
  }

  // MARK: To the server

  /// Of subscribed podcasts that are not private, the oldest first. A position counts once 20 s were heard for it.
  func unsent() throws(StoreError) -> [UnsentPlay] {
    try connection.rows(
      """
      SELECT p.episode_id, e.podcast_id, c.feed_url, e.guid, e.enclosure_url, p.position, p.is_finished, p.stamp,
        coalesce(s.media_duration, e.duration), h.start_position, h.end_position,
        h.listened + h.saved_by_speed + h.saved_by_trim
      FROM server_plays p CROSS JOIN episodes e ON e.id = p.episode_id CROSS JOIN podcasts c ON c.id = e.podcast_id
      LEFT JOIN statuses s ON s.episode_id = e.id
      LEFT JOIN sessions h ON h.id = (SELECT id FROM sessions WHERE episode_id = e.id ORDER BY started_at DESC, id DESC LIMIT 1)
      WHERE p.is_sent = 0 AND p.tries < \(Self.mostTries) AND c.is_subscribed = 1 AND c.is_private = 0
      ORDER BY p.stamp, p.episode_id
      """
    ) { row in
      let position = row.optionalInteger(5)
      let isFinished = row.flag(6)
      let total = row.optionalLength(8)
      let (began, ended, heard) = (row.optionalInteger(9), row.optionalInteger(10), row.optionalInteger(11))
      if position != nil, !isFinished, let heard, heard < Self.leastHeard { return nil as UnsentPlay? }
      let isHeard = !isFinished || (ended ?? 0) + 60_000 >= total?.inMilliseconds ?? .max
      return UnsentPlay(
        episode: EpisodeID(rawValue: row.integer(0)), podcast: PodcastID(rawValue: row.integer(1)),
        feedURL: row.text(2), guid: row.text(3), enclosure: row.optionalText(4),
        state: isFinished ? .finished : position.map { .position(.milliseconds($0)) } ?? .unplayed, total: total,
        started: isHeard ? began.map(Duration.milliseconds) : nil, stamp: Timestamp(seconds: row.integer(7)))
    }.compactMap(\.self)
  }

  private static let leastHeard = 20_000

  /// The server has these states under these times, unless they have changed meanwhile.
  func markSent(_ plays: [UnsentPlay]) throws(StoreError) {
    for play in plays {
      try connection.execute(
        """
        UPDATE server_plays SET is_sent = 1, tries = tries + 1, stamp = max(stamp, \(play.stamp))
        WHERE episode_id = \(play.episode) AND is_sent = 0
        """)
    }
  }

  /// The server refuses these.
  func putAside(_ plays: [UnsentPlay]) throws(StoreError) {
    for play in plays {
      try connection.execute(
        "UPDATE server_plays SET tries = \(Self.mostTries) WHERE episode_id = \(play.episode) AND is_sent = 0")
    }
  }
}

extension StatusRows {
  /// A position from elsewhere, or none. Unfinished either way.
  fileprivate func setRemotely(_ position: Duration?, of id: EpisodeID, at: Timestamp?) throws(StoreError) {
    _ = try upsert(
      id, "last_listen_time, position_number, last_played_at", "\(position), 1, \(at)",
      """
      last_listen_time = excluded.last_listen_time, has_completed = 0, position_number = position_number + 1,
      last_played_at = coalesce(excluded.last_played_at, last_played_at)
      """)
  }
}
