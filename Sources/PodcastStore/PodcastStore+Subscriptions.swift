package import PodcastModel

extension PodcastStore {
  /// Its episodes leave the playlist. What you did with them stays, unless `deleting`: then all of it is forgotten.
  package func unsubscribe(_ podcast: PodcastID, deleting: Bool = false, now: Timestamp = .now) throws(StoreError) {
    try write { connection throws(StoreError) in
      let isLeaving = try SubscriptionRows(connection: connection).unfollow(podcast, now)
      if deleting {
        try Self.beginForgetting(podcast, connection)
      } else if isLeaving {
        let title = try connection.first("SELECT title FROM podcasts WHERE id = \(podcast)") { $0.text(0) }
        try UndoLog(connection: connection).record(
          .unsubscribed, subject: title ?? "", count: 1,
          steps: [UndoStep(kind: .subscription, subject: podcast.rawValue)])
      }
    }
    try finishUnfinishedWork()
  }

  /// From here on nothing of it is shown, whatever happens to this process.
  private static func beginForgetting(_ podcast: PodcastID, _ connection: Connection) throws(StoreError) {
    guard try connection.integer("SELECT 1 FROM podcasts WHERE id = \(podcast)") != nil else { return }
    try UnfinishedWork(connection: connection).leave(UnfinishedWork.Item(podcast: podcast, kind: .forgetting))
    try UndoLog(connection: connection).forget(podcast)
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
