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
///
/// A long feed is a hundred thousand of them in memory, so what few episodes have is kept aside.
package struct FeedEpisode: Hashable, Sendable {
  package var texts = EpisodeTexts()
  package var publishedAt: Timestamp?
  package var updatedAt: Timestamp?
  package var duration: Double?
  package private(set) var enclosureLength: Int64?
  /// All of them, where that is not just the one.
  private var listedEnclosures: [Enclosure]?
  package var season: Double?
  package var episode: Double?
  package var isExplicit: Bool?
  private var aside: RareFieldsBox?

  package init() {}
}

extension FeedEpisode {
  package var guid: String? {
    get { texts[.guid] }
    set { texts[.guid] = newValue }
  }
  package var title: String? {
    get { texts[.title] }
    set { texts[.title] = newValue }
  }
  package var link: String? {
    get { texts[.link] }
    set { texts[.link] = newValue }
  }
  package var description: String? {
    get { texts[.description] }
    set { texts[.description] = newValue }
  }
  package var content: String? {
    get { texts[.content] }
    set { texts[.content] = newValue }
  }
  package var summary: String? {
    get { texts[.summary] }
    set { texts[.summary] = newValue }
  }
  package var subtitle: String? {
    get { texts[.subtitle] }
    set { texts[.subtitle] = newValue }
  }
  package var author: String? {
    get { texts[.author] }
    set { texts[.author] = newValue }
  }
  package var image: String? {
    get { texts[.image] }
    set { texts[.image] = newValue }
  }
  /// `full`, `trailer` or `bonus`.
  package var episodeType: String? {
    get { texts[.episodeType] }
    set { texts[.episodeType] = newValue }
  }

  /// The one a player would play; see `Enclosure.preferred`.
  package var enclosure: Enclosure? {
    get { texts[.enclosureURL].map { Enclosure(url: $0, type: texts[.enclosureType], length: enclosureLength) } }
    set {
      texts[.enclosureURL] = newValue?.url
      texts[.enclosureType] = newValue?.type
      enclosureLength = newValue?.length
      listedEnclosures = Self.listed(enclosures: listedEnclosures, beside: newValue)
    }
  }

  /// For who has set the texts: the length of the chosen one, and all that it was chosen from.
  package mutating func setEnclosure(length: Int64?, among all: [Enclosure], isAnyChosen: Bool) {
    enclosureLength = length
    listedEnclosures = all.count > (isAnyChosen ? 1 : 0) ? all : nil
  }

  /// In the order of the document.
  package var enclosures: [Enclosure] {
    get { listedEnclosures ?? enclosure.map { [$0] } ?? [] }
    set { listedEnclosures = Self.listed(enclosures: newValue, beside: enclosure) }
  }

  private static func listed(enclosures: [Enclosure]?, beside one: Enclosure?) -> [Enclosure]? {
    guard let enclosures else { return nil }
    guard let one else { return enclosures.isEmpty ? nil : enclosures }
    return enclosures.count == 1 && enclosures[0] == one ? nil : enclosures
  }

  /// What few episodes have. Who gathers an episode gathers these by themselves, and sets them once.
  package struct RareFields: Hashable, Sendable {
    package var seasonName: String?
    package var episodeDisplay: String?
    package var isBlocked: Bool?
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

  /// What it takes in memory without its texts, and without the values that are kept aside.
  package var ownSize: Int {
    let own = MemoryLayout<Self>.stride + (aside == nil ? 0 : MemoryLayout<RareFields>.stride)
    guard let listedEnclosures else { return own }
    return listedEnclosures.reduce(own) { $0 + $1.ownSize }
  }

  /// Never changed once made: copies of an episode share it.
  fileprivate final class RareFieldsBox: Hashable, Sendable {
    let rareFields: RareFields

    init(_ rareFields: consuming RareFields) { self.rareFields = rareFields }

    static func == (left: RareFieldsBox, right: RareFieldsBox) -> Bool { left.rareFields == right.rareFields }
    func hash(into hasher: inout Hasher) { hasher.combine(rareFields) }
  }

  package var rareFields: RareFields {
    get { aside?.rareFields ?? RareFields() }
    set { aside = newValue == RareFields() ? nil : RareFieldsBox(newValue) }
  }

  /// Sets them to these, and leaves none behind.
  package mutating func take(_ rareFields: inout RareFields) {
    guard rareFields != RareFields() else { return aside = nil }
    var none = RareFields()
    swap(&none, &rareFields)
    aside = RareFieldsBox(none)
  }

  private mutating func change(isNothing: Bool, _ body: (inout RareFields) -> Void) {
    if isNothing, aside == nil { return }
    body(&rareFields)
  }

  package var seasonName: String? {
    get { aside?.rareFields.seasonName }
    set { change(isNothing: newValue == nil) { $0.seasonName = newValue } }
  }
  package var episodeDisplay: String? {
    get { aside?.rareFields.episodeDisplay }
    set { change(isNothing: newValue == nil) { $0.episodeDisplay = newValue } }
  }
  package var isBlocked: Bool? {
    get { aside?.rareFields.isBlocked }
    set { change(isNothing: newValue == nil) { $0.isBlocked = newValue } }
  }
  package var categories: [String] {
    get { aside?.rareFields.categories ?? [] }
    set { change(isNothing: newValue.isEmpty) { $0.categories = newValue } }
  }
  package var keywords: [String] {
    get { aside?.rareFields.keywords ?? [] }
    set { change(isNothing: newValue.isEmpty) { $0.keywords = newValue } }
  }
  package var chapters: ChaptersLink? {
    get { aside?.rareFields.chapters }
    set { change(isNothing: newValue == nil) { $0.chapters = newValue } }
  }
  package var inlineChapters: [Chapter] {
    get { aside?.rareFields.inlineChapters ?? [] }
    set { change(isNothing: newValue.isEmpty) { $0.inlineChapters = newValue } }
  }
  package var transcripts: [TranscriptLink] {
    get { aside?.rareFields.transcripts ?? [] }
    set { change(isNothing: newValue.isEmpty) { $0.transcripts = newValue } }
  }
  package var persons: [Person] {
    get { aside?.rareFields.persons ?? [] }
    set { change(isNothing: newValue.isEmpty) { $0.persons = newValue } }
  }
  package var soundbites: [Soundbite] {
    get { aside?.rareFields.soundbites ?? [] }
    set { change(isNothing: newValue.isEmpty) { $0.soundbites = newValue } }
  }
  package var alternateEnclosures: [AlternateEnclosure] {
    get { aside?.rareFields.alternateEnclosures ?? [] }
    set { change(isNothing: newValue.isEmpty) { $0.alternateEnclosures = newValue } }
  }
  package var location: Location? {
    get { aside?.rareFields.location }
    set { change(isNothing: newValue == nil) { $0.location = newValue } }
  }
  package var license: License? {
    get { aside?.rareFields.license }
    set { change(isNothing: newValue == nil) { $0.license = newValue } }
  }
  package var value: PaymentInfo? {
    get { aside?.rareFields.value }
    set { change(isNothing: newValue == nil) { $0.value = newValue } }
  }
  package var socialInteracts: [String] {
    get { aside?.rareFields.socialInteracts ?? [] }
    set { change(isNothing: newValue.isEmpty) { $0.socialInteracts = newValue } }
  }
  package var fundings: [Funding] {
    get { aside?.rareFields.fundings ?? [] }
    set { change(isNothing: newValue.isEmpty) { $0.fundings = newValue } }
  }
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

  /// What it takes in memory.
  package var ownSize: Int { MemoryLayout<Self>.stride + 64 + url.utf8.count }
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
