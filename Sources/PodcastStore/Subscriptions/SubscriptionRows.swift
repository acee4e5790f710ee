package import PodcastModel

/// A request to follow a feed.
struct Subscription: Sendable {
  var feedURL: String
  /// Empty for the feed's own title.
  var ownTitle: String?
  var tags: [String]
  var isPrivate: Bool
  /// More addresses under which the podcast is found.
  var otherAddresses: [String]
  /// For a podcast that is new here.
  var imported: PodcastImport?
}

/// The user's own values of a podcast in another library.
package struct PodcastImport: Hashable, Sendable {
  package var ownTitle: String?
  package var subscribedAt: Timestamp?
  /// By the names of podcli's settings.
  package var settings: [String: String]

  package init(ownTitle: String?, subscribedAt: Timestamp?, settings: [String: String]) {
    self.ownTitle = ownTitle
    self.subscribedAt = subscribedAt
    self.settings = settings
  }
}

/// The outcome of following a feed.
struct Following {
  var podcast: PodcastID
  /// The podcast was not followed before.
  var isNew: Bool
  /// It was unsubscribed once.
  var isReturning = false
}

/// The rows that hold subscriptions. Inside a transaction.
struct SubscriptionRows {
  let connection: Connection

  // MARK: Following

  /// Finds the podcast, or adds it.
  func follow(_ subscription: Subscription, _ feed: Feed, _ now: Timestamp) throws(StoreError) -> Following {
    let known = try PodcastRows(connection: connection).id(at: subscription.feedURL)
    let following = if let known { try follow(known, now) } else { try add(subscription, feed, now) }
    let podcast = following.podcast
    if let title = subscription.ownTitle {
      try changeOwnTitle(title.isEmpty ? nil : title, of: podcast, isUndoable: !following.isNew)
    }
    let settings = SettingRows(connection: connection)
    if following.isNew || subscription.imported != nil {
      try settings.add(tags: subscription.tags, to: podcast)
    } else {
      // The podcast stays when this is undone; its new tags do not.
      try settings.change(tags: subscription.tags, of: podcast, adding: true)
    }
    if following.isNew, let imported = subscription.imported { try restore(podcast, as: imported) }
    // An address of another podcast stays with that one.
    for address in subscription.otherAddresses { try addAddress(address, of: podcast) }
    if subscription.isPrivate {
      try connection.execute("UPDATE podcasts SET is_private = 1 WHERE id = \(podcast)")
    }
    return following
  }

  private func add(_ subscription: Subscription, _ feed: Feed, _ now: Timestamp) throws(StoreError) -> Following {
    let url = subscription.feedURL
    let record = PodcastRecord(feed, contentHash: 0)
    try connection.execute(
      """
      INSERT INTO podcasts (feed_url, title, subscribed_at, is_private)
      VALUES (\(url), \(record.title(at: url)), \(now), \(subscription.isPrivate))
      """)
    let id = PodcastID(rawValue: connection.lastInsertedID)
    try connection.execute("INSERT INTO addresses (url, podcast_id) VALUES (\(url), \(id))")
    return Following(podcast: id, isNew: true)
  }

  /// Follows again a podcast that was left.
  func follow(_ podcast: PodcastID, _ now: Timestamp) throws(StoreError) -> Following {
    try connection.execute(
      """
      UPDATE podcasts SET is_subscribed = 1, subscribed_at = \(now), unsubscribed_at = NULL
      WHERE id = \(podcast) AND is_subscribed = 0
      """)
    let isReturning = connection.changedRows > 0
    // Deleting it ends here; the rows that are left stay.
    if isReturning {
      try UnfinishedWork(connection: connection).add(UnfinishedWork.Item(podcast: podcast, kind: .listing))
    }
    return Following(podcast: podcast, isNew: isReturning, isReturning: isReturning)
  }

  /// Follows a feed that has yet to be fetched: the next refresh does it.
  func addUnfetched(
    _ url: String, title: String?, otherAddresses: [String], _ now: Timestamp
  ) throws(StoreError) -> PodcastID {
    var feed = Feed()
    feed.title = title
    let subscription = Subscription(
      feedURL: url, ownTitle: nil, tags: [], isPrivate: false, otherAddresses: otherAddresses)
    let podcast = try follow(subscription, feed, now).podcast
    try PodcastIndex.rename(podcast, connection)
    return podcast
  }

  private func changeOwnTitle(_ title: String?, of podcast: PodcastID, isUndoable: Bool) throws(StoreError) {
    let former = try connection.first("SELECT own_title, title FROM podcasts WHERE id = \(podcast)") {
      (own: $0.optionalText(0), shown: $0.text(1))
    }
    guard let former, former.own != title else { return }
    try setOwnTitle(title, of: podcast)
    guard isUndoable else { return }
    let step = UndoStep(kind: .title, subject: podcast.rawValue, name: former.shown, value: former.own)
    try UndoLog(connection: connection).record(.renamed, subject: former.shown, count: 1, steps: [step])
  }

  /// Gives a podcast its former title.
  func revertTitle(_ step: UndoStep) throws(StoreError) {
    let podcast = PodcastID(rawValue: step.subject)
    if let title = step.name { try rename(podcast, to: title) }
    try setOwnTitle(step.value, of: podcast)
  }

  /// The user's own title; nil for the feed's, which the next refresh brings. `feedTitle`: as far as it is known before.
  func setOwnTitle(_ title: String?, of podcast: PodcastID, feedTitle: String? = nil) throws(StoreError) {
    if let title { return try rename(podcast, to: title) }
    let former =
      try connection.first("SELECT own_title FROM podcasts WHERE id = \(podcast)") { $0.optionalText(0) } ?? nil
    if let feedTitle, let former, former != feedTitle { try rename(podcast, to: feedTitle) }
    try connection.execute("UPDATE podcasts SET own_title = NULL, content_hash = 0 WHERE id = \(podcast)")
    // A feed that has not changed would not be sent.
    try connection.execute(
      "UPDATE feeds SET etag = NULL, last_modified = NULL, document_hash = NULL WHERE podcast_id = \(podcast)")
  }

  private func rename(_ podcast: PodcastID, to ownTitle: String) throws(StoreError) {
    try connection.execute(
      "UPDATE podcasts SET own_title = \(ownTitle), title = \(ownTitle) WHERE id = \(podcast)")
    try PodcastIndex.rename(podcast, connection)
  }

  private func restore(_ podcast: PodcastID, as record: PodcastImport) throws(StoreError) {
    if let date = record.subscribedAt {
      try connection.execute(
        "UPDATE podcasts SET subscribed_at = min(subscribed_at, \(date)) WHERE id = \(podcast)")
    }
    let title = try connection.first("SELECT coalesce(own_title, title) FROM podcasts WHERE id = \(podcast)") {
      $0.text(0)
    }
    if let ownTitle = record.ownTitle, ownTitle != title { try rename(podcast, to: ownTitle) }
    for (key, value) in record.settings {
      try SettingRows(connection: connection).fill(key, with: value, of: podcast)
    }
  }

  // MARK: Leaving

  /// Unsubscribes and records how to undo it: all of them at once.
  func unsubscribe(_ podcasts: [PodcastID], _ now: Timestamp) throws(StoreError) {
    var left: [PodcastID] = []
    for podcast in podcasts where try unfollow(podcast, now) { left.append(podcast) }
    guard let first = left.first else { return }
    let title = try connection.first("SELECT title FROM podcasts WHERE id = \(first)") { $0.text(0) }
    try UndoLog(connection: connection).record(
      .unsubscribed, subject: left.count == 1 ? title ?? "" : "", count: left.count,
      steps: left.map { UndoStep(kind: .subscription, subject: $0.rawValue) })
  }

  /// True when it was followed.
  func unfollow(_ podcast: PodcastID, _ now: Timestamp) throws(StoreError) -> Bool {
    try connection.execute(
      "UPDATE podcasts SET is_subscribed = 0, unsubscribed_at = \(now) WHERE id = \(podcast) AND is_subscribed = 1")
    return connection.changedRows > 0
  }

  /// Subscribes again.
  func revert(_ step: UndoStep) throws(StoreError) {
    try connection.execute("UPDATE podcasts SET is_subscribed = 1, unsubscribed_at = NULL WHERE id = \(step.subject)")
  }

  /// Takes back that an import followed a podcast, and what it brought with it.
  func revertFollowing(_ step: UndoStep) throws(StoreError) {
    let podcast = PodcastID(rawValue: step.subject)
    if step.number == 1 {
      try setOwnTitle(nil, of: podcast)
      try connection.execute("DELETE FROM tags WHERE podcast_id = \(podcast)")
      try connection.execute("DELETE FROM settings WHERE podcast_id = \(podcast)")
    }
    _ = try unfollow(podcast, .now)
  }

  /// Unsubscribes and begins to delete. From this commit on nothing of the podcast is shown, even if the process dies.
  func beginForgetting(_ podcast: PodcastID, _ now: Timestamp) throws(StoreError) {
    _ = try unfollow(podcast, now)
    guard try connection.integer("SELECT 1 FROM podcasts WHERE id = \(podcast)") != nil else { return }
    try UnfinishedWork(connection: connection).add(UnfinishedWork.Item(podcast: podcast, kind: .forgetting))
    let undoLog = UndoLog(connection: connection)
    try undoLog.forget(podcast)
    // Otherwise the next `undo` would take back what was done before, such as the import of all podcasts.
    let title = try connection.first("SELECT title FROM podcasts WHERE id = \(podcast)") { $0.text(0) }
    try undoLog.record(.deleted, subject: title ?? "", count: 1, steps: [])
    let queued = try connection.rows(
      "SELECT episode_id FROM queue WHERE episode_id NOT IN (SELECT id FROM episodes WHERE podcast_id = \(podcast)) ORDER BY place"
    ) { EpisodeID(rawValue: $0.integer(0)) }
    try QueueRows(connection: connection).replace(with: queued)
    try connection.execute(
      """
      UPDATE statuses SET is_currently_playing = 0 WHERE is_currently_playing = 1
        AND episode_id IN (SELECT id FROM episodes WHERE podcast_id = \(podcast))
      """)
  }

  // MARK: Addresses

  /// Changes the feed's address; the former one still finds the podcast. False when another podcast has the new one.
  func moveFeed(of podcast: PodcastID, to feedURL: String, isPrivate: Bool) throws(StoreError) -> Bool {
    if let owner = try PodcastRows(connection: connection).id(at: feedURL), owner != podcast { return false }
    try addAddress(feedURL, of: podcast)
    try connection.execute(
      "UPDATE podcasts SET feed_url = \(feedURL), is_private = is_private OR \(isPrivate) WHERE id = \(podcast)")
    return true
  }

  /// Takes former addresses away from a podcast: they serve another one now.
  func release(_ urls: [String], of podcast: PodcastID) throws(StoreError) {
    for url in urls {
      try connection.execute(
        """
        DELETE FROM addresses WHERE url = \(url) AND podcast_id = \(podcast)
          AND url <> (SELECT feed_url FROM podcasts WHERE id = \(podcast))
        """)
    }
  }

  func addAddress(_ url: String, of podcast: PodcastID) throws(StoreError) {
    try connection.execute("INSERT OR IGNORE INTO addresses (url, podcast_id) VALUES (\(url), \(podcast))")
  }
}
