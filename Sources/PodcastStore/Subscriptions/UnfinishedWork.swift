internal import PodcastModel

/// Work on every episode of a podcast after subscribing, unsubscribing or deleting it. Thousands of episodes take longer
/// than the write lock may be held, so the work goes in slices, and its rows outlive a crash.
struct UnfinishedWork {
  let connection: Connection

  enum Kind: String {
    /// `is_listed` follows the subscription.
    case listing
    /// The podcast is deleted with all its rows.
    case forgetting
  }

  struct Item: Equatable {
    var podcast: PodcastID
    var kind: Kind
  }

  func next(_ kinds: [Kind] = [.listing, .forgetting]) throws(StoreError) -> Item? {
    let wanted = SQL(text: kinds.map { "'\($0.rawValue)'" }.joined(separator: ", "))
    return try connection.first("SELECT podcast_id, kind FROM left_work WHERE kind IN (\(wanted)) LIMIT 1") { row in
      Kind(rawValue: row.text(1)).map { Item(podcast: PodcastID(rawValue: row.integer(0)), kind: $0) }
    } ?? nil
  }

  /// Inside a transaction. Listing replaces forgetting.
  func add(_ item: Item) throws(StoreError) {
    try connection.execute(
      "INSERT OR REPLACE INTO left_work (podcast_id, kind) VALUES (\(item.podcast), \(item.kind.rawValue))")
  }

  // MARK: In slices

  /// The oldest first, so that the newest of a podcast is forgotten last, as its counters say.
  func episodes(of podcast: PodcastID) throws(StoreError) -> [EpisodeID] {
    try connection.rows(
      """
      SELECT id FROM episodes INDEXED BY episodes_of_podcast WHERE podcast_id = \(podcast) ORDER BY listed_at, id
      """
    ) {
      EpisodeID(rawValue: $0.integer(0))
    }
  }

  /// Inside a transaction. Returns how many of them are done; nil when the work was cancelled meanwhile.
  func writeSlice(
    of item: Item, _ episodes: ArraySlice<EpisodeID>, while mayGoOn: () -> Bool
  ) throws(StoreError) -> Int? {
    guard try isStillWanted(item) else { return nil }
    let isListed = try connection.integer("SELECT is_subscribed FROM podcasts WHERE id = \(item.podcast)") ?? 0
    let index = SearchIndex(connection: connection)
    var done = 0
    for id in episodes {
      switch item.kind {
      case .listing:
        try connection.execute(
          "UPDATE episodes SET is_listed = \(isListed) WHERE id = \(id) AND is_listed <> \(isListed)")
      case .forgetting:
        try index.remove(id)
        // Another process may have queued it meanwhile; a row deleted by the foreign key would leave a gap.
        try QueueRows(connection: connection).remove(id)
        try connection.execute("DELETE FROM episodes WHERE id = \(id)")
      }
      done += 1
      // Forgetting takes many times as long as listing.
      if item.kind == .forgetting || done % 8 == 0, !mayGoOn() { break }
    }
    if item.kind == .forgetting, done == episodes.count {
      try connection.execute(
        "UPDATE counters SET newest_at = NULL WHERE podcast_id = \(item.podcast) AND episodes = 0")
    }
    return done
  }

  private func isStillWanted(_ item: Item) throws(StoreError) -> Bool {
    try connection.first("SELECT kind FROM left_work WHERE podcast_id = \(item.podcast)") { $0.text(0) }
      == item.kind.rawValue
  }

  /// Inside a transaction, after the last slice. Episodes that were added meanwhile are left for the next round.
  func conclude(_ item: Item) throws(StoreError) {
    guard try isStillWanted(item) else { return }
    switch item.kind {
    case .listing:
      let stray = try connection.integer(
        """
        SELECT 1 FROM episodes e INDEXED BY episodes_of_podcast WHERE podcast_id = \(item.podcast)
          AND is_listed <> (SELECT is_subscribed FROM podcasts WHERE id = \(item.podcast)) LIMIT 1
        """)
      guard stray == nil else { return }
      try connection.execute("DELETE FROM left_work WHERE podcast_id = \(item.podcast)")
    case .forgetting:
      let stray = try connection.integer("SELECT 1 FROM episodes WHERE podcast_id = \(item.podcast) LIMIT 1")
      guard stray == nil else { return }
      try PodcastIndex.remove(item.podcast, connection)
      try connection.execute("DELETE FROM podcasts WHERE id = \(item.podcast)")
    }
  }
}

extension UnfinishedWork {
  /// After a change that is committed, and is not taken back by a failure here: the next merge goes on with what is left.
  static func finishOrLeave(in library: OpenLibrary) throws(StoreError) {
    do throws(StoreError) { try finish(in: library) } catch { guard error.isAboutWriting else { throw error } }
  }

  /// Goes on with lists that a process has left that was ended, or is writing right now. The command that comes upon it waits
  /// for a moment only. Deletions, which take long, wait for a refresh.
  static func goOn(in library: OpenLibrary) {
    try? finish([.listing], in: library, until: .now + .milliseconds(500), patience: .milliseconds(100))
  }

  /// Completes all unfinished work, in transactions of its own.
  static func finish(
    _ kinds: [Kind] = [.listing, .forgetting], in library: OpenLibrary, until deadline: ContinuousClock.Instant? = nil,
    patience: Duration? = nil
  ) throws(StoreError) {
    while let item = try UnfinishedWork(connection: library.connection).next(kinds) {
      guard try finish(item, in: library, until: deadline, patience) else { return }
    }
  }

  /// False at the deadline.
  private static func finish(
    _ item: Item, in library: OpenLibrary, until deadline: ContinuousClock.Instant?, _ patience: Duration?
  ) throws(StoreError) -> Bool {
    var episodes = try UnfinishedWork(connection: library.connection).episodes(of: item.podcast)[...]
    while !episodes.isEmpty {
      if let deadline, .now > deadline { return false }
      let done = try library.write(.normal, patience: patience, toleratedWAL: Checkpoint.toleratedByMerges) {
        connection throws(StoreError) in
        try UnfinishedWork(connection: connection).writeSlice(of: item, episodes, while: library.slice())
      }
      guard let done else { return true }
      if item.kind == .forgetting { while try SearchIndex.joinParts(in: library) {} }
      episodes = episodes.dropFirst(done)
    }
    try library.write(.normal, patience: patience) { connection throws(StoreError) in
      try UnfinishedWork(connection: connection).conclude(item)
    }
    return true
  }
}
