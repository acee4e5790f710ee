package import PodcastModel
internal import Text

/// The user's data about podcasts and episodes in the terms of no app: read from another app's library, or written for one.
package struct PortableLibrary: Hashable, Sendable {
  package var subscriptions: [SubscriptionRecord]
  package var episodes: [ListeningRecord]

  package init(subscriptions: [SubscriptionRecord] = [], episodes: [ListeningRecord] = []) {
    self.subscriptions = subscriptions
    self.episodes = episodes
  }
}

/// A podcast that is or was followed.
package struct SubscriptionRecord: Hashable, Sendable {
  package var feedURL: String
  /// The feed's title.
  package var title: String?
  /// The user's own title.
  package var ownTitle: String?
  /// The feed's own guid.
  package var guid: String?
  package var subscribedAt: Timestamp?
  package var unsubscribedAt: Timestamp?
  package var isSubscribed = true
  package var isPrivate = false
  package var tags: [String] = []
  /// By the names of podcli's settings.
  package var settings: [String: String] = [:]

  package init(feedURL: String) { self.feedURL = feedURL }
}

/// The user's data about one episode, and the traits by which it is recognised.
package struct ListeningRecord: Hashable, Sendable {
  package var feedURL: String
  package var guid: String?
  package var enclosure: String?
  package var title: String?
  package var publishedAt: Timestamp?
  package var duration: Duration?
  package var position: Duration?
  package var isPlayed = false
  package var listenedAt: Timestamp?
  package var isFavourite = false
  /// Smaller numbers come first; nil when it is not in the queue.
  package var queueNumber: Int64?
  /// Their ids mean nothing.
  package var bookmarks: [Bookmark] = []

  package init(feedURL: String) { self.feedURL = feedURL }

  /// The record says something about listening.
  package var isAboutListening: Bool { isPlayed || position != nil || listenedAt != nil }

  /// It was played, and not begun again.
  package var isOver: Bool { isPlayed && position == nil }

  /// The record says anything at all.
  package var isEmpty: Bool { !isAboutListening && !isFavourite && queueNumber == nil && bookmarks.isEmpty }
}

// MARK: - As JSON

extension ListeningRecord {
  /// The form in which records wait for their episode.
  var parkedText: String {
    let marks = bookmarks.map { mark -> JSON in
      ["at": JSON(mark.position.inMilliseconds), "note": JSON(mark.note), "made": JSON(mark.createdAt.seconds)]
    }
    let record: JSON = [
      "guid": JSON(guid), "media": JSON(enclosure), "title": JSON(title), "published": JSON(publishedAt?.seconds),
      "position": JSON(position?.inMilliseconds), "played": isPlayed ? true : nil, "at": JSON(listenedAt?.seconds),
      "favourite": isFavourite ? true : nil, "queue": JSON(queueNumber), "bookmarks": JSON(nonEmpty: marks),
    ]
    return record.compact
  }

  init?(feedURL: String, parkedText: String) {
    guard let record = JSON(parsing: parkedText) else { return nil }
    self.init(feedURL: feedURL)
    guid = record["guid"]?.text
    enclosure = record["media"]?.text
    title = record["title"]?.text
    publishedAt = record["published"]?.int.map(Timestamp.init(seconds:))
    position = record["position"]?.int.map(Duration.milliseconds)
    isPlayed = record["played"]?.flag ?? false
    listenedAt = record["at"]?.int.map(Timestamp.init(seconds:))
    isFavourite = record["favourite"]?.flag ?? false
    queueNumber = record["queue"]?.int
    bookmarks = (record["bookmarks"]?.elements ?? []).map { mark in
      Bookmark(
        id: 0, position: .milliseconds(mark["at"]?.int ?? 0), note: mark["note"]?.text,
        createdAt: Timestamp(seconds: mark["made"]?.int ?? 0))
    }
  }
}
