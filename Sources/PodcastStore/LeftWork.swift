internal import PodcastModel

/// What follows from subscribing and unsubscribing for each of a podcast's episodes. Of thousands that takes longer than
/// anybody may hold the write lock, so it goes in slices, and the library remembers what is left to do.
struct UnfinishedWork {
  let connection: Connection

  enum Kind: String {
    /// `is_listed` follows the subscription.
    case listing
    /// The podcast goes, with everything of it.
    case forgetting
  }

  struct Item: Equatable {
    var podcast: PodcastID
    var kind: Kind
  }

  func next() throws(StoreError) -> Item? {
    try connection.first("SELECT podcast_id, kind FROM left_work LIMIT 1") { row in
      Kind(rawValue: row.text(1)).map { Item(podcast: PodcastID(rawValue: row.integer(0)), kind: $0) }
    } ?? nil
  }

  /// Inside a transaction. Listing what is being forgotten ends the forgetting.
  func leave(_ item: Item) throws(StoreError) {
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

  /// Inside a transaction. Answers how many of them are done; nil when somebody has changed his mind meanwhile.
  func writeSlice(
    of item: Item, _ episodes: ArraySlice<EpisodeID>, while mayGoOn: () -> Bool
  ) throws(StoreError) -> Int? {
    guard try isStillWanted(item) else { return nil }
    let isListed = try connection.integer("SELECT is_subscribed FROM podcasts WHERE id = \(item.podcast)") ?? 0
    let index = try SearchIndex(connection: connection)
    var done = 0
    for id in episodes {
      switch item.kind {
      case .listing:
        try connection.execute(
          "UPDATE episodes SET is_listed = \(isListed) WHERE id = \(id) AND is_listed <> \(isListed)")
      case .forgetting:
        try index.remove(id)
        // Somebody who saw it before may have put it there meanwhile; what goes with its row would leave a gap.
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

  /// Inside a transaction, when no episode is left to do; if there are some after all, they are for the next round.
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

extension PodcastStore {
  /// Until nothing is left, here or by another process.
  func finishUnfinishedWork() throws(StoreError) {
    while let item = try UnfinishedWork(connection: connection).next() { try finish(item) }
  }

  private func finish(_ item: UnfinishedWork.Item) throws(StoreError) {
    var episodes = try UnfinishedWork(connection: connection).episodes(of: item.podcast)[...]
    while !episodes.isEmpty {
      let done = try write(.normal, toleratedLog: Checkpoint.toleratedByMerges) { connection throws(StoreError) in
        try UnfinishedWork(connection: connection).writeSlice(of: item, episodes, while: slice())
      }
      guard let done else { return }
      if item.kind == .forgetting { try joinIndexParts() }
      episodes = episodes.dropFirst(done)
    }
    try write(.normal) { connection throws(StoreError) in try UnfinishedWork(connection: connection).conclude(item) }
  }
}
