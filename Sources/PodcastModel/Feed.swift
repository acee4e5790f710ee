/// A feed as parsed: what the publisher says, before it has an identity in a library.
package struct Feed: Hashable, Sendable {
  package enum Format: String, Sendable { case rss, atom, rdf }

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
  /// How often the publisher wants to be asked, in minutes (`ttl`, `sy:update*`).
  package var timeToLive: Int?
  package var skipHours: [Int] = []
  package var skipDays: [String] = []
  /// The recurrence rule of `podcast:updateFrequency`.
  package var updateRule: String?
  package var episodes: [FeedEpisode] = []
  /// What had to be tolerated to read it.
  package var warnings: [String] = []
  /// The document ended before its root element did.
  package var isIncomplete = false

  package init() {}
}

/// An episode as parsed.
package struct FeedEpisode: Hashable, Sendable {
  package var guid: String?
  package var title: String?
  package var link: String?
  package var description: String?
  package var content: String?
  package var summary: String?
  package var subtitle: String?
  package var author: String?
  package var publishedAt: Timestamp?
  package var updatedAt: Timestamp?
  package var duration: Double?
  /// The one a player would play; see `Enclosure.preferred`.
  package var enclosure: Enclosure?
  package var enclosures: [Enclosure] = []
  package var season: Double?
  package var seasonName: String?
  package var episode: Double?
  package var episodeDisplay: String?
  /// `full`, `trailer` or `bonus`.
  package var episodeType: String?
  package var isExplicit: Bool?
  package var isBlocked: Bool?
  package var image: String?
  package var categories: [String] = []
  package var keywords: [String] = []
  package var chapters: ChaptersLink?
  package var inlineChapters: [Chapter] = []
  package var transcripts: [TranscriptLink] = []
  package var persons: [Person] = []
  package var soundbites: [Soundbite] = []
  package var alternateEnclosures: [AlternateEnclosure] = []
  package var location: Location?
  package var license: License?
  package var value: PaymentInfo?
  package var socialInteracts: [String] = []
  package var fundings: [Funding] = []

  package init() {}
}

package struct Enclosure: Hashable, Sendable {
  package var url: String
  package var type: String?
  package var length: Int64?

  package init(url: String, type: String? = nil, length: Int64? = nil) {
    self.url = url
    self.type = type
    self.length = length
  }
}

package struct Chapter: Hashable, Sendable {
  package var start: Double
  package var end: Double?
  package var title: String
  package var link: String?
  package var image: String?
  /// False for a silent mark, which is left out of lists.
  package var isListed = true

  package init(start: Double, title: String, end: Double? = nil, link: String? = nil, image: String? = nil) {
    self.start = start
    self.title = title
    self.end = end
    self.link = link
    self.image = image
  }
}

/// A stretch of a transcript.
package struct TranscriptSegment: Hashable, Sendable {
  /// Absent in plain text, which has no times.
  package var start: Double?
  package var end: Double?
  package var speaker: String?
  package var text: String

  package init(start: Double? = nil, end: Double? = nil, speaker: String? = nil, text: String) {
    self.start = start
    self.end = end
    self.speaker = speaker
    self.text = text
  }
}
