internal import PodcastModel

/// The new episodes of one transaction: updates the podcast's counters and queues them for the full-text index, once for
/// all of them.
struct NewEpisodes {
  let podcast: PodcastID
  let connection: Connection
  private var count = 0
  private var first = EpisodeID(rawValue: 0)
  private var last = EpisodeID(rawValue: 0)
  private var newest: Timestamp?

  init(podcast: PodcastID, connection: Connection) {
    self.podcast = podcast
    self.connection = connection
  }

  mutating func add(_ id: EpisodeID, publishedAt: Timestamp?) {
    if count == 0 { first = id }
    last = id
    count += 1
    if let publishedAt { newest = max(newest ?? publishedAt, publishedAt) }
  }

  /// Ids grow by one within a transaction, so they are a range.
  func finish() throws(StoreError) {
    guard count > 0 else { return }
    try connection.execute(
      "INSERT INTO search_queue (episode_id) SELECT id FROM episodes WHERE id BETWEEN \(first) AND \(last)")
    try connection.execute(
      """
      UPDATE counters SET episodes = episodes + \(count), unplayed = unplayed + \(count),
        newest_at = max(ifnull(newest_at, \(newest)), ifnull(\(newest), newest_at))
      WHERE podcast_id = \(podcast)
      """)
  }
}
