package import PodcastModel

/// A feed as the server knows it. The server's spelling of an address is kept as an alias and never replaces ours.
package struct ServerFeed: Hashable, Sendable {
  package enum State: String, Sendable {
    /// The server has it.
    case listed
    /// The server does not have it any more.
    case removed
    /// The server takes no such address.
    case refused
    /// The server has it, and it cannot be fetched from here.
    case waiting
  }

  /// The spelling in requests.
  package var url: String
  /// The spelling that the server made of it.
  package var alias: String?
  package var podcast: PodcastID?
  package var state: State
  package var triedAt: Timestamp?

  /// Of a podcast that the user gave another address, which the server has yet to get: the key in `syncState`.
  package static func movedKey(_ podcast: PodcastID) -> String { "server-moved-\(podcast.rawValue)" }

  package init(url: String, podcast: PodcastID?, state: State, alias: String? = nil, triedAt: Timestamp? = nil) {
    self.url = url
    self.alias = alias
    self.podcast = podcast
    self.state = state
    self.triedAt = triedAt
  }
}

/// The rows of `server_feeds`.
struct ServerFeedRows {
  let connection: Connection

  func all() throws(StoreError) -> [ServerFeed] {
    try connection.rows("SELECT url, alias, podcast_id, state, tried_at FROM server_feeds ORDER BY url") { row in
      ServerFeed(
        url: row.text(0), podcast: row.optionalInteger(2).map(PodcastID.init(rawValue:)),
        state: ServerFeed.State(rawValue: row.text(3)) ?? .listed, alias: row.optionalText(1),
        triedAt: row.optionalTime(4))
    }
  }

  func save(_ feed: ServerFeed) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO server_feeds (url, alias, podcast_id, state, tried_at)
      VALUES (\(feed.url), \(feed.alias), \(feed.podcast), \(feed.state.rawValue), \(feed.triedAt))
      ON CONFLICT (url) DO UPDATE SET alias = coalesce(excluded.alias, alias), podcast_id = excluded.podcast_id,
        state = excluded.state, tried_at = excluded.tried_at
      """)
  }
}
