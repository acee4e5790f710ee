package import PodcastModel

extension PodcastStore {
  /// Follows a feed and brings its episodes in. A feed followed already, under this or a former address, is merged.
  package func subscribe(
    to feed: Feed, at feedURL: String, validators: FeedValidators? = nil, ownTitle: String? = nil, tags: [String] = [],
    isPrivate: Bool = false, otherAddresses: [String] = [], isOneOfMany: Bool = false, now: Timestamp = .now
  ) throws(StoreError) -> MergeResult {
    let durability: Connection.Durability = isOneOfMany ? .normal : .full
    let result = try write(durability) { connection throws(StoreError) in
      let known = try Self.podcastID(for: feedURL, connection)
      let result =
        if let known { try Self.follow(known, feed, connection, now) } else {
          try Self.add(feed, at: feedURL, isPrivate: isPrivate, connection, now)
        }
      if let ownTitle { try Self.rename(result.podcast, to: ownTitle, connection) }
      for tag in tags {
        try connection.execute("INSERT OR IGNORE INTO tags (podcast_id, tag) VALUES (\(result.podcast), \(tag))")
      }
      // More ways to it, by which it is found again. Those that lead to another podcast stay that one's.
      for address in otherAddresses {
        try connection.execute(
          "INSERT OR IGNORE INTO addresses (url, podcast_id) VALUES (\(address), \(result.podcast))")
      }
      if isPrivate { try connection.execute("UPDATE podcasts SET is_private = 1 WHERE id = \(result.podcast)") }
      return result
    }
    return try merge(feed, into: result, validators: validators, durability: durability, now: now)
  }

  /// Brings what a feed says now into a podcast that is there already. One of many need not be durable by itself:
  /// a power cut takes back the last ones whole, and the next refresh brings them again.
  package func merge(
    _ feed: Feed, into podcast: PodcastID, validators: FeedValidators? = nil, nextCheckAt: Timestamp? = nil,
    isOneOfMany: Bool = false, now: Timestamp = .now
  ) throws(StoreError) -> MergeResult {
    let title = try title(of: podcast)
    let result = MergeResult(podcast: podcast, title: title, isNew: false)
    return try merge(
      feed, into: result, validators: validators, nextCheckAt: nextCheckAt,
      durability: isOneOfMany ? .normal : .full, now: now)
  }

  private func merge(
    _ feed: Feed, into start: MergeResult, validators: FeedValidators?, nextCheckAt: Timestamp? = nil,
    durability: Connection.Durability = .full, now: Timestamp
  ) throws(StoreError) -> MergeResult {
    var merge = FeedMerge(feed, into: start.podcast, result: start, connection: try connection, now: now)
    try merge.prepare()
    merge.skipUnchanged()
    while !merge.isDone {
      try write(.normal) { connection throws(StoreError) in try merge.writeSlice(while: slice()) }
      merge.skipUnchanged()
    }
    merge.finish()
    var result = merge.result
    result.title = try conclude(feed, result, validators, nextCheckAt, durability, now)
    return result
  }

  /// Says whether long work may go on: for so long, and while nobody waits.
  func slice() -> () -> Bool {
    let deadline = ContinuousClock.now + .milliseconds(20)
    return { [turn] in ContinuousClock.now < deadline && !turn.isTaken }
  }

  /// Last, so that nothing claims to be up to date before it is; and durable, with all that went before.
  private func conclude(
    _ feed: Feed, _ result: MergeResult, _ validators: FeedValidators?, _ nextCheckAt: Timestamp?,
    _ durability: Connection.Durability, _ now: Timestamp
  ) throws(StoreError) -> String {
    let podcast = result.podcast
    let hash = feed.contentHash
    let hasChanged = !result.added.isEmpty || result.updated > 0
    return try write(durability) { connection throws(StoreError) in
      let known = try connection.integer("SELECT content_hash FROM podcasts WHERE id = \(podcast)")
      if known != hash { try PodcastRecord(feed, contentHash: hash).update(podcast, connection) }
      try connection.execute(
        """
        UPDATE feeds SET etag = \(validators?.etag), last_modified = \(validators?.lastModified),
          document_hash = \(validators?.documentHash), checked_at = \(now), succeeded_at = \(now),
          fetched_at = \(now), next_check_at = \(nextCheckAt),
          changed_at = CASE WHEN \(hasChanged) THEN \(now) ELSE changed_at END,
          failures = 0, error_code = NULL, error = NULL, is_gone = 0, publishing_rules = \(PublishingRules(feed).text)
        WHERE podcast_id = \(podcast)
        """)
      return try connection.first("SELECT title FROM podcasts WHERE id = \(podcast)") { $0.text(0) } ?? ""
    }
  }

  private static func add(
    _ feed: Feed, at feedURL: String, isPrivate: Bool, _ connection: Connection, _ now: Timestamp
  ) throws(StoreError) -> MergeResult {
    let record = PodcastRecord(feed, contentHash: 0)
    try connection.execute(
      """
      INSERT INTO podcasts (feed_url, title, subscribed_at, is_private)
      VALUES (\(feedURL), \(record.title(at: feedURL)), \(now), \(isPrivate))
      """)
    let id = PodcastID(rawValue: connection.lastInsertedID)
    try connection.execute("INSERT INTO addresses (url, podcast_id) VALUES (\(feedURL), \(id))")
    return MergeResult(podcast: id, title: "", isNew: true)
  }

  private static func follow(
    _ podcast: PodcastID, _ feed: Feed, _ connection: Connection, _ now: Timestamp
  ) throws(StoreError) -> MergeResult {
    try connection.execute(
      """
      UPDATE podcasts SET is_subscribed = 1, subscribed_at = \(now), unsubscribed_at = NULL
      WHERE id = \(podcast) AND is_subscribed = 0
      """)
    let isReturning = connection.changedRows > 0
    return MergeResult(podcast: podcast, title: "", isNew: isReturning, isReturning: isReturning)
  }

  private static func rename(
    _ podcast: PodcastID, to ownTitle: String, _ connection: Connection
  ) throws(StoreError) {
    try connection.execute(
      "UPDATE podcasts SET own_title = \(ownTitle), title = \(ownTitle) WHERE id = \(podcast)")
    try SearchIndex(connection: connection).rename(podcast)
  }

  /// Its episodes leave the playlist. What you did with them stays, unless `deleting`: then all of it is forgotten.
  package func unsubscribe(_ podcast: PodcastID, deleting: Bool = false, now: Timestamp = .now) throws(StoreError) {
    try write { connection throws(StoreError) in
      if deleting { return try Self.forget(podcast, connection) }
      try connection.execute(
        "UPDATE podcasts SET is_subscribed = 0, unsubscribed_at = \(now) WHERE id = \(podcast) AND is_subscribed = 1")
      guard connection.changedRows > 0 else { return }
      let title = try connection.first("SELECT title FROM podcasts WHERE id = \(podcast)") { $0.text(0) }
      try UndoLog(connection: connection).record(
        .unsubscribed, subject: title ?? "", count: 1,
        steps: [UndoStep(kind: .subscription, subject: podcast.rawValue)])
    }
  }

  private static func forget(_ podcast: PodcastID, _ connection: Connection) throws(StoreError) {
    let queue = QueueRows(connection: connection)
    let queued = try queue.read()
    try SearchIndex(connection: connection).removeEpisodes(of: podcast)
    try connection.execute("DELETE FROM podcasts WHERE id = \(podcast)")
    if !queued.isEmpty { try queue.replace(with: queued) }
  }

  private func title(of podcast: PodcastID) throws(StoreError) -> String {
    let title = try connection.first("SELECT title FROM podcasts WHERE id = \(podcast)") { $0.text(0) }
    guard let title else {
      throw StoreError(.notFound, message: "no podcast has the id \(podcast.rawValue)", about: path)
    }
    return title
  }

  static func podcastID(for feedURL: String, _ connection: Connection) throws(StoreError) -> PodcastID? {
    try connection.integer("SELECT podcast_id FROM addresses WHERE url = \(feedURL)").map(PodcastID.init(rawValue:))
  }

  /// The feed has moved for good. Its former address still leads to it. False when the new address is another podcast's.
  package func moveFeed(of podcast: PodcastID, to feedURL: String) throws(StoreError) -> Bool {
    try write { connection throws(StoreError) in
      if let owner = try Self.podcastID(for: feedURL, connection), owner != podcast { return false }
      try connection.execute("INSERT OR IGNORE INTO addresses (url, podcast_id) VALUES (\(feedURL), \(podcast))")
      try connection.execute("UPDATE podcasts SET feed_url = \(feedURL) WHERE id = \(podcast)")
      return true
    }
  }
}
