/// The id of a podcast in the library. It never changes and is never reused.
package struct PodcastID: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// The data of a podcast that is shown beside its episodes.
package struct PodcastReference: Hashable, Sendable {
  package var id: PodcastID
  package var title: String
  package var feedURL: String

  package init(id: PodcastID, title: String, feedURL: String) {
    self.id = id
    self.title = title
    self.feedURL = feedURL
  }
}

/// A podcast as a line of a list.
package struct PodcastEntry: Hashable, Sendable {
  package var reference: PodcastReference
  package var author: String?
  package var link: String?
  package var image: String?
  package var isSubscribed = true
  /// True when its feed URL is a secret, which is shown and exported only on request.
  package var isPrivate = false
  package var subscribedAt: Timestamp?
  package var episodeCount = 0
  package var unplayedCount = 0
  package var downloadedCount = 0
  /// The publication date of its newest episode.
  package var newestAt: Timestamp?
  package var lastRefreshedAt: Timestamp?
  /// The error of the last refresh.
  package var refreshError: String?
  /// True when the server has answered that the feed no longer exists.
  package var isGone = false

  package var id: PodcastID { reference.id }
  package var title: String { reference.title }

  package init(reference: PodcastReference) { self.reference = reference }
}

/// All other data of a podcast in the library.
package struct PodcastDetails: Hashable, Sendable {
  package var entry: PodcastEntry
  package var description: String?
  package var subtitle: String?
  package var copyright: String?
  package var ownerName: String?
  package var ownerEmail: String?
  package var language: String?
  package var type: String?
  package var isExplicit: Bool?
  package var guid: String?
  package var medium: String?
  package var isComplete: Bool?
  package var categories: [String] = []
  package var fundings: [Funding] = []
  package var tags: [String] = []
  package var settings: [String: String] = [:]

  package init(entry: PodcastEntry) { self.entry = entry }
}
