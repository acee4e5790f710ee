package import PodcastModel

/// Sync with a server: the account, its feeds, and the states of episodes that both sides have.
extension PodcastStore {
  /// Forgets everything about the server but these texts of `syncState`, where its keys begin with `server-`.
  package func forgetServer(keeping keys: [String]) throws(StoreError) {
    try write { connection throws(StoreError) in
      for table in ["server_feeds", "server_plays", "server_parked"] as [SQL] {
        try connection.execute("DELETE FROM \(table)")
      }
      let kept = keys.map { "\($0)" as SQL }.joined(by: ", ")
      try connection.execute("DELETE FROM sync_state WHERE key GLOB 'server-*' AND key NOT IN (\(kept))")
    }
  }

  // MARK: Feeds

  /// The feeds that the server has, had or refuses.
  package func serverFeeds() throws(StoreError) -> [ServerFeed] { try ServerFeedRows(connection: connection).all() }

  /// Saves feeds and values in one transaction.
  package func save(_ feeds: [ServerFeed], setting values: [String: String?] = [:]) throws(StoreError) {
    try write { connection throws(StoreError) in
      for feed in feeds { try ServerFeedRows(connection: connection).save(feed) }
      try Self.set(values, connection)
    }
  }

  private static func set(_ values: [String: String?], _ connection: Connection) throws(StoreError) {
    let state = SyncStateRows(connection: connection)
    for (key, value) in values { try state.set(key, to: value) }
  }

  /// The podcasts at these addresses in whatever spelling, subscribed or not.
  package func podcasts(spelled urls: [String]) throws(StoreError) -> [String: PodcastEntry] {
    let names = try ServerNames(connection)
    var found: [String: PodcastEntry] = [:]
    for url in urls {
      if let id = try names.podcast(at: url) { found[url] = try podcast(id) }
    }
    return found
  }

  // MARK: Plays

  /// Merges what other devices reported, and what waits for its episode; `values` are set in the same transaction. The
  /// episode of a player that runs stays as it is.
  package func merge(
    _ plays: [RemotePlay], by clock: ServerClock, isFirst: Bool, setting values: [String: String?],
    now: Timestamp = .now
  ) throws(StoreError) -> MergedPlays {
    try write(patience: BusyHandler.usualPatience) { connection throws(StoreError) -> MergedPlays in
      let parking = ServerParking(connection: connection)
      let (found, unmatched) = try ServerNames(connection).match(try parking.all() + plays)
      let rows = ServerPlayRows(connection: connection, clock: clock)
      try rows.noteChanges(isFirst: isFirst)
      let held = try heldEpisode(connection)
      var result = MergedPlays()
      for (episode, play) in found.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        if try rows.merge(play, into: episode, isHeld: episode == held) { result.applied += 1 }
      }
      try parking.replace(with: unmatched, now: now)
      result.waiting = Int(try connection.integer("SELECT count(*) FROM server_parked") ?? 0)
      try Self.set(values, connection)
      return result
    }
  }

  /// The episode of the player that runs; one that has just started has not said which.
  private func heldEpisode(_ connection: Connection) throws(StoreError) -> EpisodeID? {
    guard let holder = PlayerLock.holder(in: LibraryFile(path: path).directory) else { return nil }
    if let episode = holder.episode { return episode }
    return try StatusRows(connection: connection).current()?.episode.id
  }

  /// The states that the server does not have yet, the oldest first. `merge` has noted what changed here.
  package func unsentPlays() throws(StoreError) -> [UnsentPlay] {
    try ServerPlayRows(connection: connection, clock: ServerClock(date: nil)).unsent()
  }

  /// Records the answer of the server about such states.
  package func markSent(_ sent: [UnsentPlay], refused: [UnsentPlay] = []) throws(StoreError) {
    try write { connection throws(StoreError) in
      let rows = ServerPlayRows(connection: connection, clock: ServerClock(date: nil))
      try rows.markSent(sent)
      try rows.putAside(refused)
    }
  }
}
