internal import PodcastModel

/// One feed on its way through transactions: its podcast found or added, its episodes merged slice by slice, and last
/// what says that all of it is there.
struct Merging {
  let order: MergeOrder
  private var merge: FeedMerge?
  private var hasBegun = false
  private var title = ""

  /// Reads all it can before anybody has to wait.
  init(_ order: MergeOrder, _ connection: Connection) throws(StoreError) {
    self.order = order
    switch order.target {
    case .podcast(let podcast):
      guard try connection.integer("SELECT 1 FROM podcasts WHERE id = \(podcast)") != nil else {
        throw StoreError(.notFound, message: "no podcast has the id \(podcast.rawValue)", about: connection.path)
      }
      try take(MergeResult(podcast: podcast, title: "", isNew: false), connection)
    case .subscription(let subscription):
      guard let podcast = try PodcastStore.podcastID(for: subscription.feedURL, connection) else { return }
      try take(MergeResult(podcast: podcast, title: "", isNew: false), connection)
    }
  }

  private mutating func take(_ start: MergeResult, _ connection: Connection) throws(StoreError) {
    var merge = FeedMerge(order.digest, into: start, connection: connection, now: order.now)
    try merge.prepare()
    merge.skipUnchanged()
    self.merge = merge
  }

  /// All episodes are there.
  var isWritten: Bool { merge?.isDone ?? false }

  var result: MergeResult {
    var result = merge?.result ?? MergeResult(podcast: PodcastID(rawValue: 0), title: "", isNew: false)
    result.title = title
    return result
  }

  mutating func write(_ connection: Connection, while mayGoOn: () -> Bool) throws(StoreError) {
    if !hasBegun, case .subscription(let subscription) = order.target {
      let start = try SubscriptionRows(connection: connection).follow(subscription, order.digest.feed, order.now)
      // What was read before is about this podcast, unless it is a new one, or somebody has been faster.
      if start.isNew || merge?.result.podcast != start.podcast { try take(start, connection) }
    }
    hasBegun = true
    if !isWritten { try merge?.writeSlice(while: mayGoOn) }
    merge?.skipUnchanged()
    guard isWritten else { return }
    merge?.finish()
    try conclude(connection)
  }

  /// Last, so that nothing claims to be up to date before it is.
  private mutating func conclude(_ connection: Connection) throws(StoreError) {
    let (feed, hash, result) = (order.digest.feed, order.digest.contentHash, result)
    let podcast = result.podcast
    let hasChanged = !result.added.isEmpty || result.updated > 0
    let known = try connection.integer("SELECT content_hash FROM podcasts WHERE id = \(podcast)")
    if known != hash { try PodcastRecord(feed, contentHash: hash).update(podcast, connection) }
    try connection.execute(
      """
      UPDATE feeds SET etag = \(order.validators?.etag), last_modified = \(order.validators?.lastModified),
        document_hash = \(order.validators?.documentHash), checked_at = \(order.now), succeeded_at = \(order.now),
        fetched_at = \(order.now), next_check_at = \(order.nextCheckAt),
        changed_at = CASE WHEN \(hasChanged) THEN \(order.now) ELSE changed_at END,
        failures = 0, error_code = NULL, error = NULL, is_gone = 0, publishing_rules = \(PublishingRules(feed).text)
      WHERE podcast_id = \(podcast)
      """)
    title = try connection.first("SELECT title FROM podcasts WHERE id = \(podcast)") { $0.text(0) } ?? ""
  }
}
