internal import FeedKit
internal import PodcastModel
internal import PodcastStore

extension ForeignApp {
  /// "All data" of overcast.fm/account: OPML with the episodes in it. Its playlists are not a queue.
  static let overcast = ForeignApp(
    name: "overcast", title: "Overcast", lacks: ["guids of episodes", "queue"], form: .outlines)
}

extension PortableLibrary {
  init(_ feeds: [OvercastOPML.Feed]) {
    self.init()
    for feed in feeds {
      var subscription = SubscriptionRecord(feedURL: feed.url)
      subscription.title = feed.title
      subscription.isSubscribed = feed.isSubscribed
      subscription.subscribedAt = feed.addedAt
      subscriptions.append(subscription)
      for episode in feed.episodes {
        var record = ListeningRecord(feedURL: feed.url)
        record.enclosure = episode.enclosure
        record.title = episode.title
        record.publishedAt = episode.publishedAt
        record.isPlayed = episode.isPlayed
        if !episode.isPlayed, let progress = episode.progress, progress > 0 {
          record.position = Duration(validSeconds: progress)
        }
        if record.isAboutListening { record.listenedAt = episode.updatedAt }
        record.isFavourite = episode.isStarred
        if !record.isEmpty { episodes.append(record) }
      }
    }
  }
}
