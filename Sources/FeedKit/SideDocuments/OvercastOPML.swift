package import PodcastModel
internal import Text

/// Reads Overcast's extended OPML, in which episodes are outlines inside their feed's. Playlists and whatever else it
/// holds are passed over.
package enum OvercastOPML {
  /// A feed that Overcast knows.
  package struct Feed: Hashable, Sendable {
    package var url: String
    package var title: String?
    package var isSubscribed = false
    package var addedAt: Timestamp?
    package var episodes: [Episode] = []
  }

  /// An episode that was heard, or marked.
  package struct Episode: Hashable, Sendable {
    package var title: String?
    package var enclosure: String?
    package var publishedAt: Timestamp?
    package var updatedAt: Timestamp?
    package var isPlayed = false
    /// In seconds.
    package var progress: Double?
    package var isStarred = false
  }

  /// Every feed with its episodes.
  package static func feeds(in bytes: [UInt8], limits: FeedLimits = .standard) throws(FeedError) -> [Feed] {
    let handler = OvercastHandler()
    let reader = try DocumentReader(
      handler: handler, kinds: .opml, charset: nil, limits: limits, warnings: Warnings(limit: 0))
    bytes.withUnsafeBytes { reader.take($0) }
    reader.finish()
    if let failure = reader.failure { throw failure }
    return handler.feeds
  }
}

private final class OvercastHandler: XMLHandler {
  private(set) var feeds: [OvercastOPML.Feed] = []

  override func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
    guard String(cString: name.local).lowercased() == "outline" else { return }
    switch attributes["type"]?.lowercased() {
    case "rss": addFeed(attributes)
    case "podcast-episode": addEpisode(attributes)
    default: break
    }
  }

  private func addFeed(_ attributes: XMLAttributes) {
    guard let url = attributes["xmlUrl"] else { return }
    var feed = OvercastOPML.Feed(url: url)
    feed.title = (attributes["title"] ?? attributes["text"]).map(PlainText.line)
    feed.isSubscribed = attributes["subscribed"] == "1"
    feed.addedAt = attributes["overcastAddedDate"].flatMap(DateText.timestamp)
    feeds.append(feed)
  }

  private func addEpisode(_ attributes: XMLAttributes) {
    guard !feeds.isEmpty else { return }
    var episode = OvercastOPML.Episode()
    episode.title = (attributes["title"] ?? attributes["text"]).map(PlainText.line)
    episode.enclosure = attributes["enclosureUrl"]
    episode.publishedAt = attributes["pubDate"].flatMap(DateText.timestamp)
    episode.updatedAt = attributes["userUpdatedDate"].flatMap(DateText.timestamp)
    episode.isPlayed = attributes["played"] == "1"
    episode.progress = attributes["progress"].flatMap { Double($0) }
    episode.isStarred = attributes["userRecommendedDate"] != nil
    feeds[feeds.count - 1].episodes.append(episode)
  }
}
