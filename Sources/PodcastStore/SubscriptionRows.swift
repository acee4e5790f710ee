internal import PodcastModel

/// The rows that say what is followed. Inside a transaction.
struct SubscriptionRows {
  let connection: Connection

  /// Finds the podcast, or adds it.
  func follow(
    _ subscription: MergeOrder.Subscription, _ feed: Feed, _ now: Timestamp
  ) throws(StoreError) -> MergeResult {
    let known = try PodcastStore.podcastID(for: subscription.feedURL, connection)
    let result = if let known { try follow(known, now) } else { try add(subscription, feed, now) }
    if let ownTitle = subscription.ownTitle { try rename(result.podcast, to: ownTitle) }
    for tag in subscription.tags {
      try connection.execute("INSERT OR IGNORE INTO tags (podcast_id, tag) VALUES (\(result.podcast), \(tag))")
    }
    // More ways to it, by which it is found again. Those that lead to another podcast stay that one's.
    for address in subscription.otherAddresses {
      try connection.execute("INSERT OR IGNORE INTO addresses (url, podcast_id) VALUES (\(address), \(result.podcast))")
    }
    if subscription.isPrivate {
      try connection.execute("UPDATE podcasts SET is_private = 1 WHERE id = \(result.podcast)")
    }
    return result
  }

  private func add(
    _ subscription: MergeOrder.Subscription, _ feed: Feed, _ now: Timestamp
  ) throws(StoreError) -> MergeResult {
    let url = subscription.feedURL
    let record = PodcastRecord(feed, contentHash: 0)
    try connection.execute(
      """
      INSERT INTO podcasts (feed_url, title, subscribed_at, is_private)
      VALUES (\(url), \(record.title(at: url)), \(now), \(subscription.isPrivate))
      """)
    let id = PodcastID(rawValue: connection.lastInsertedID)
    try connection.execute("INSERT INTO addresses (url, podcast_id) VALUES (\(url), \(id))")
    return MergeResult(podcast: id, title: "", isNew: true)
  }

  private func follow(_ podcast: PodcastID, _ now: Timestamp) throws(StoreError) -> MergeResult {
    try connection.execute(
      """
      UPDATE podcasts SET is_subscribed = 1, subscribed_at = \(now), unsubscribed_at = NULL
      WHERE id = \(podcast) AND is_subscribed = 0
      """)
    let isReturning = connection.changedRows > 0
    // What was being forgotten stays, as far as it is still there.
    if isReturning {
      try UnfinishedWork(connection: connection).leave(UnfinishedWork.Item(podcast: podcast, kind: .listing))
    }
    return MergeResult(podcast: podcast, title: "", isNew: isReturning, isReturning: isReturning)
  }

  private func rename(_ podcast: PodcastID, to ownTitle: String) throws(StoreError) {
    try connection.execute(
      "UPDATE podcasts SET own_title = \(ownTitle), title = \(ownTitle) WHERE id = \(podcast)")
    try PodcastIndex.rename(podcast, connection)
  }

  /// True when it was followed.
  func unfollow(_ podcast: PodcastID, _ now: Timestamp) throws(StoreError) -> Bool {
    try connection.execute(
      "UPDATE podcasts SET is_subscribed = 0, unsubscribed_at = \(now) WHERE id = \(podcast) AND is_subscribed = 1")
    return connection.changedRows > 0
  }
}
