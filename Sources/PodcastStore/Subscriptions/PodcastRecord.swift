internal import PodcastModel

/// Writes a feed's own fields into the rows of its podcast.
struct PodcastRecord {
  private let feed: Feed
  private let contentHash: Int64

  init(_ feed: Feed, contentHash: Int64) {
    self.feed = feed
    self.contentHash = contentHash
  }

  func title(at feedURL: String) -> String {
    if let title = feed.title, !title.isEmpty { return title }
    let host = feedURL.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first
    return String(host?.split(separator: "@").last ?? "Untitled")
  }

  /// The user's own title stays. An empty title is ignored, so the former one stays too.
  func update(_ id: PodcastID, _ connection: Connection) throws(StoreError) {
    let title = feed.title.flatMap { $0.isEmpty ? nil : $0 }
    try connection.execute(
      """
      UPDATE podcasts SET title = coalesce(own_title, \(title), title), author = \(feed.author), link = \(feed.link),
        image = \(feed.image), language = \(feed.language), type = \(feed.type), is_explicit = \(feed.isExplicit),
        content_hash = \(contentHash)
      WHERE id = \(id)
      """)
    try PodcastIndex.rename(id, connection)
    try connection.execute(
      """
      INSERT OR REPLACE INTO podcast_details (podcast_id, description, subtitle, copyright, owner_name, owner_email,
        categories, feed_guid, medium, is_complete)
      VALUES (\(id), \(feed.description), \(feed.subtitle), \(feed.copyright), \(feed.ownerName), \(feed.ownerEmail),
        \(feed.categories.isEmpty ? nil : feed.categories.joined(separator: "\n")), \(feed.guid), \(feed.medium),
        \(feed.isComplete))
      """)
    try connection.execute("DELETE FROM fundings WHERE podcast_id = \(id)")
    for (index, funding) in feed.fundings.enumerated() {
      try connection.execute(
        "INSERT INTO fundings (podcast_id, place, url, text) VALUES (\(id), \(index), \(funding.url), \(funding.text))")
    }
  }
}
