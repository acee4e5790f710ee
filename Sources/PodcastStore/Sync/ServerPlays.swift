internal import PodcastModel
internal import Text

/// Plays between the registers and a server. `server_told` has, of each episode, the latest state that the server is
/// known to have, with its time there. A register with another state has yet to be sent; a report that is no later is old
/// news. Inside a transaction.
struct ServerPlays {
  let connection: Connection
  /// The server among the authors of registers.
  let author: String
  let clock: ServerClock

  private var rows: SyncRegisterRows { SyncRegisterRows(connection: connection) }

  /// A state that the server loses this often stays here.
  private static let mostTries = 3

  private struct Told {
    var stamp: Int64
    var rank: Int64
    /// How often the server lost the state.
    var tries: Int

    /// In place of the number of tries: the server refused the state.
    static let refused = -1
  }

  // MARK: From the server

  /// Merges the newest report of each episode into the registers, and parks those without one. Returns the episodes whose
  /// registers changed.
  func merge(_ plays: [RemotePlay], _ podcasts: SyncPodcasts, now: Int64) throws(StoreError) -> [EpisodeID] {
    let (found, unmatched) = try ServerNames(connection).match(plays)
    var changed: [EpisodeID] = []
    for (id, play) in found.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      if try merge(play, into: id) { changed.append(id) }
    }
    try park(unmatched, podcasts, now: now)
    return changed
  }

  private func merge(_ play: RemotePlay, into id: EpisodeID) throws(StoreError) -> Bool {
    let told = try told(id)
    if let told, (play.at.seconds, play.state.rank) <= (told.stamp, told.rank) {
      try noteLoss(play, told, id)
      return false
    }
    let known = try rows.read(.episode(id, "play"))
    if known == nil, play.state == .unplayed { return false }
    try save(Told(stamp: play.at.seconds, rank: play.state.rank, tries: 0), id)
    let here = known.flatMap { PlayState(registered: $0.register.value) }
    var register = register(of: play)
    guard here?.rank != play.state.rank else {
      try rows.restamp(.episode(id, "play"), to: register.stamp)
      try noteApplied([id])
      return false
    }
    if here == .finished, let known { try leaveQueue(id, finishedAt: known.register.stamp) }
    // Its device knew what we have told.
    if let known, let told, told.rank == here?.rank { register.stamp = max(register.stamp, known.register.stamp + 1) }
    return try rows.merge(register, .episode(id, "play"), over: known, holder: nil)
  }

  /// An episode that was finished after it was queued is not in the queue, by these two times alone: another play would
  /// bring it back.
  private func leaveQueue(_ id: EpisodeID, finishedAt stamp: Int64) throws(StoreError) {
    guard let queued = try rows.read(.episode(id, "q")), queued.register.stamp < stamp else { return }
    let register = SyncRegister("q", stamp: stamp, device: author, value: "null")
    try rows.merge(register, .episode(id, "q"), over: queued, holder: nil)
  }

  /// A server may lose the later state, as it keeps what was uploaded last. Positions are sent with half a minute left.
  private func noteLoss(_ play: RemotePlay, _ told: Told, _ id: EpisodeID) throws(StoreError) {
    var told = told
    if play.state.rank == told.rank || (play.at.seconds == told.stamp && told.rank - 31 <= play.state.rank) {
      guard told.tries > 0, play.at.seconds == told.stamp else { return }
      told.tries = 0
    } else {
      guard told.tries < Self.mostTries else { return }
      (told.rank, told.tries) = (play.state.rank, max(0, told.tries) + 1)
    }
    try save(told, id)
  }

  private func register(of play: RemotePlay) -> SyncRegister {
    let at = play.at.seconds > 0 ? clock.local(play.at) : nil
    let stamp = min(max(0, (at ?? 0) * 1000), SyncRegister.stamps.upperBound)
    return SyncRegister("play", stamp: stamp, device: author, value: play.state.registered(at: at).compact)
  }

  /// The states of these episodes are here as the server has them, though a position behind the end is nearer here.
  func noteApplied(_ ids: [EpisodeID]) throws(StoreError) {
    for id in ids {
      try connection.execute(
        """
        UPDATE server_told SET state = (SELECT \(Self.rank) FROM sync_registers r
          WHERE r.kind = 'episode' AND r.entity = server_told.episode_id AND r.name = 'play')
        WHERE episode_id = \(id) AND EXISTS (SELECT 1 FROM sync_registers r
          WHERE r.kind = 'episode' AND r.entity = server_told.episode_id AND r.name = 'play' AND r.is_applied = 1)
        """)
    }
  }

  // MARK: Parked

  private static let mostParked: Int64 = 20_000
  private static let kept: Int64 = 90 * 86_400_000

  /// Feeds list their latest episodes only, and a podcast may come later. What is older comes again with the weekly
  /// request for everything. The server holds these: they go into no file.
  private func park(
    _ plays: [(play: RemotePlay, podcast: PodcastID?)], _ podcasts: SyncPodcasts, now: Int64
  ) throws(StoreError) {
    let room = max(0, Self.mostParked - (try parkedCount()))
    for (play, podcast) in plays.prefix(Int(room)) where podcast.map({ podcasts.shared[$0] != nil }) ?? true {
      let key = podcast.flatMap { podcasts.shared[$0]?.key } ?? SyncAddress.key(play.feedURL)
      let media = SyncAddress.media(play.enclosure).bare
      let entity = SyncEntity(podcast: key, episode: .init(guid: play.guid, media: media, publishedAt: nil))
      try rows.park(register(of: play), entity.text, holder: author)
    }
    try connection.execute("DELETE FROM sync_parked WHERE holder = \(author) AND stamp < \(now - Self.kept)")
  }

  func parkedCount() throws(StoreError) -> Int64 {
    try connection.integer("SELECT count(*) FROM sync_parked WHERE holder = \(author)") ?? 0
  }

  // MARK: To the server

  /// The state of a register's episode here, as `PlayState.rank`.
  private static let rank: SQL = """
    CASE WHEN r.local IS NULL THEN -1 WHEN r.local LIKE '%,1' THEN \(Int64.max) ELSE CAST(r.local AS INTEGER) / 1000 END
    """

  /// A feed's duration may be wrong: no position is cut to it, so it is longer than the position, of which other clients
  /// keep the last half minute clear.
  private static let claimedLength: SQL = "max(e.duration, CAST(r.local AS INTEGER) + 31000)"

  /// Heard in the latest session, and in those before it that ended clearly after the last state that the server has: they
  /// could not be sent.
  private var heard: SQL {
    """
    (SELECT sum(w.listened + w.saved_by_speed + w.saved_by_trim) FROM sessions w WHERE w.episode_id = e.id
      AND (w.id = h.id OR t.stamp IS NULL
        OR coalesce(w.ended_at, w.started_at + w.listened / 1000) > t.stamp - \(clock.offset) + 20))
    """
  }

  /// Of subscribed podcasts that are not private, the oldest first. A position counts once 20 s were heard for it.
  /// `withRefused`: also those that the server refused, as another one may answer by now, or nothing in its place.
  func unsent(withRefused: Bool) throws(StoreError) -> [UnsentPlay] {
    try connection.rows(
      """
      SELECT r.entity, e.podcast_id, c.feed_url, e.guid, e.enclosure_url, r.local, r.stamp, t.stamp,
        coalesce(s.media_duration, \(Self.claimedLength)), h.start_position, h.end_position, \(heard), t.tries
      FROM sync_registers r INDEXED BY sync_by_name CROSS JOIN episodes e ON e.id = r.entity
      CROSS JOIN podcasts c ON c.id = e.podcast_id LEFT JOIN server_told t ON t.episode_id = r.entity
      LEFT JOIN statuses s ON s.episode_id = e.id
      LEFT JOIN sessions h ON h.id = (SELECT id FROM sessions WHERE episode_id = e.id ORDER BY started_at DESC, id DESC LIMIT 1)
      WHERE r.name = 'play' AND r.kind = 'episode' AND r.is_applied = 1
        AND (\(Self.rank) <> coalesce(t.state, -1) OR \(withRefused) AND t.tries = \(Told.refused))
        AND (t.state IS NOT NULL OR r.device <> \(author)) AND c.is_subscribed = 1 AND c.is_private = 0
      ORDER BY r.stamp, r.entity
      """
    ) { row in
      let state = PlayState(local: row.optionalText(5))
      let total = row.optionalLength(8)
      let (began, ended, heard) = (row.optionalInteger(9), row.optionalInteger(10), row.optionalInteger(11))
      if case .position = state, let heard, heard < Self.leastHeard { return nil as UnsentPlay? }
      let isHeard = state != .finished || (ended ?? 0) + 60_000 >= total?.inMilliseconds ?? .max
      let stamp = max(
        clock.stamp(Timestamp(seconds: row.integer(6) / 1000)), row.optionalInteger(7).map { $0 + 1 } ?? 0)
      return UnsentPlay(
        episode: EpisodeID(rawValue: row.integer(0)), podcast: PodcastID(rawValue: row.integer(1)),
        feedURL: row.text(2), guid: row.text(3), enclosure: row.optionalText(4), state: state, total: total,
        started: isHeard ? began.map(Duration.milliseconds) : nil, stamp: Timestamp(seconds: stamp),
        losses: max(0, row.count(12)))
    }.compactMap(\.self)
  }

  private static let leastHeard = 20_000

  /// The server has these states under these times, or refuses them. The registers get the same times: one order
  /// for all machines, whether they hear of a state by the server or by a folder.
  func note(_ plays: [UnsentPlay], areRefused: Bool) throws(StoreError) {
    for play in plays {
      var told = try told(play.episode) ?? Told(stamp: 0, rank: 0, tries: 0)
      told.rank = play.state.rank
      told.tries = areRefused ? Told.refused : max(0, told.tries)
      if !areRefused { told.stamp = play.stamp.seconds }
      try save(told, play.episode)
      if !areRefused { try rows.restamp(.episode(play.episode, "play"), to: clock.local(play.stamp) * 1000) }
    }
  }

  // MARK: Rows

  private func told(_ id: EpisodeID) throws(StoreError) -> Told? {
    try connection.first("SELECT stamp, state, tries FROM server_told WHERE episode_id = \(id)") {
      Told(stamp: $0.integer(0), rank: $0.integer(1), tries: $0.count(2))
    }
  }

  private func save(_ told: Told, _ id: EpisodeID) throws(StoreError) {
    try connection.execute(
      """
      INSERT OR REPLACE INTO server_told (episode_id, stamp, state, tries)
      VALUES (\(id), \(told.stamp), \(told.rank), \(told.tries))
      """)
  }
}

extension PlayState {
  /// As the registers have it.
  fileprivate func registered(at: Int64?) -> JSON {
    let position: Int64 = if case .position(let position) = self { position.inMilliseconds } else { 0 }
    return SyncValue.play(position: position, length: nil, isFinished: self == .finished, at: at)
  }

  fileprivate init?(registered value: String) {
    guard let value = JSON(parsing: value), let position = value["pos"]?.int else { return nil }
    self = value["done"]?.int == 1 ? .finished : position > 0 ? .position(.milliseconds(position)) : .unplayed
  }

  /// As `LocalPlay` writes it.
  fileprivate init(local: String?) {
    let words = (local ?? "0,0").split(separator: ",")
    let position = words.first.flatMap { Int64($0) } ?? 0
    self = words.last == "1" ? .finished : position > 0 ? .position(.milliseconds(position)) : .unplayed
  }
}
