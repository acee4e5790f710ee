package import PodcastModel

/// Sync with a server: the account, its feeds, and the states of episodes that both sides have.
extension PodcastStore {
  /// Forgets everything about the server but these texts of `syncState`, where its keys begin with `server-`.
  package func forgetServer(keeping keys: [String]) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.execute("DELETE FROM server_feeds")
      try connection.execute("DELETE FROM server_told")
      try connection.execute("DELETE FROM sync_parked WHERE holder GLOB 'server-*'")
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
    // The names are those of the whole library.
    guard !urls.isEmpty else { return [:] }
    let names = try ServerNames(connection)
    var found: [String: PodcastEntry] = [:]
    for url in urls {
      if let id = try names.podcast(at: url) { found[url] = try podcast(id) }
    }
    return found
  }

  // MARK: Plays

  /// The states that the server does not have yet, the oldest first. A sync has noted what changed here.
  package func unsentPlays(
    by clock: ServerClock, to author: String, withRefused: Bool = false
  ) throws(StoreError) -> [UnsentPlay] {
    try ServerPlays(connection: connection, author: author, clock: clock).unsent(withRefused: withRefused)
  }

  /// Records the answer of the server about such states.
  package func note(
    _ plays: [UnsentPlay], areRefused: Bool, by clock: ServerClock, of author: String
  ) throws(StoreError) {
    try write { connection throws(StoreError) in
      try ServerPlays(connection: connection, author: author, clock: clock).note(plays, areRefused: areRefused)
    }
  }
}
