internal import PodcastModel

/// The rows of `server_parked`: plays whose episode is not in the library. Feeds list their latest episodes only, and a
/// podcast may come later.
struct ServerParking {
  let connection: Connection

  private static let most = 20_000
  private static let kept: Int64 = 90 * 86_400

  func all() throws(StoreError) -> [RemotePlay] {
    try connection.rows("SELECT feed, enclosure, guid, at, state FROM server_parked") { row in
      RemotePlay(
        feedURL: row.text(0), enclosure: row.text(1), guid: row.optionalText(2),
        at: Timestamp(seconds: row.integer(3)), state: PlayState(milliseconds: row.integer(4)))
    }
  }

  /// Replaces all of them. Those that wait already keep their date.
  func replace(with plays: [RemotePlay], now: Timestamp) throws(StoreError) {
    try connection.execute("UPDATE server_parked SET is_wanted = 0")
    for play in plays.prefix(Self.most) {
      try connection.execute(
        """
        INSERT INTO server_parked (feed, enclosure, guid, at, state, parked_at)
        VALUES (\(play.feedURL), \(play.enclosure), \(play.guid), \(play.at), \(play.state.milliseconds), \(now))
        ON CONFLICT (feed, enclosure) DO UPDATE SET guid = excluded.guid, is_wanted = 1,
          state = iif(excluded.at >= at, excluded.state, state), at = max(at, excluded.at)
        """)
    }
    try connection.execute("DELETE FROM server_parked WHERE is_wanted = 0 OR parked_at < \(now.seconds - Self.kept)")
  }
}

extension PlayState {
  fileprivate var milliseconds: Int64 {
    switch self {
    case .unplayed: -2
    case .finished: -1
    case .position(let position): position.inMilliseconds
    }
  }

  fileprivate init(milliseconds: Int64) {
    self = milliseconds == -2 ? .unplayed : milliseconds < 0 ? .finished : .position(.milliseconds(milliseconds))
  }
}
