/// A feed as parsed: the publisher's data, before it has an identity in a library.
package struct Feed: Hashable, Sendable {
  /// The family of the root element, or JSON Feed.
  package enum Format: String, Sendable { case rss, atom, rdf, json }

  package var url: String?
  package var format: Format = .rss
  package var title: String?
  package var link: String?
  package var description: String?
  package var subtitle: String?
  package var author: String?
  package var ownerName: String?
  package var ownerEmail: String?
  package var language: String?
  package var image: String?
  package var copyright: String?
  package var generator: String?
  package var categories: [String] = []
  package var keywords: [String] = []
  package var isExplicit: Bool?
  /// `episodic` or `serial`.
  package var type: String?
  package var isBlocked: Bool?
  package var newFeedURL: String?
  package var nextPageURL: String?
  package var publishedAt: Timestamp?
  package var updatedAt: Timestamp?
  package var guid: String?
  package var medium: String?
  package var isLocked: Bool?
  package var isComplete: Bool?
  package var fundings: [Funding] = []
  package var persons: [Person] = []
  package var location: Location?
  package var license: License?
  package var trailers: [Trailer] = []
  package var podroll: [RemoteItem] = []
  package var liveItems: [LiveItem] = []
  package var value: PaymentInfo?
  /// The publisher's refresh interval in minutes (`ttl`, `sy:update*`).
  package var timeToLive: Int?
  package var skipHours: [Int] = []
  package var skipDays: [String] = []
  /// The recurrence rule of `podcast:updateFrequency`.
  package var updateRule: String?
  package var episodes: [FeedEpisode] = []
  /// The defects that were repaired or tolerated.
  package var warnings: [String] = []
  /// True when the document ended before its root element.
  package var isIncomplete = false

  package init() {}
}
