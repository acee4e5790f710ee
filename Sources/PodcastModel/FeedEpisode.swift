/// An episode as parsed: its texts, its numbers and dates, and the fields that few episodes have.
///
/// A long feed is a hundred thousand of them in memory, so the texts share one piece of memory and the rare fields are
/// in a box that most episodes do without. A rare field is read and written as if it were the episode's own.
package struct FeedEpisode: Hashable, Sendable {
  package var texts = EpisodeTexts()
  package var publishedAt: Timestamp?
  package var updatedAt: Timestamp?
  package var duration: Double?
  package private(set) var enclosureLength: Int64?
  /// All enclosures, where they are not just the chosen one.
  private var listedEnclosures: [Enclosure]?
  package var season: Double?
  package var episode: Double?
  package var isExplicit: Bool?
  var rareFieldsBox: RareFieldsBox?

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

  /// The one to play, as the parser chose it (`EnclosureChoice.preferred` of FeedKit).
  package var enclosure: Enclosure? {
    get { texts[.enclosureURL].map { Enclosure(url: $0, type: texts[.enclosureType], length: enclosureLength) } }
    set {
      texts[.enclosureURL] = newValue?.url
      texts[.enclosureType] = newValue?.type
      enclosureLength = newValue?.length
      listedEnclosures = Self.listed(enclosures: listedEnclosures, beside: newValue)
    }
  }

  /// Completes the enclosures after `texts` was set: the length of the chosen one, and all that it was chosen from.
  package mutating func setEnclosure(length: Int64?, among all: [Enclosure], isAnyChosen: Bool) {
    enclosureLength = length
    listedEnclosures = all.count > (isAnyChosen ? 1 : 0) ? all : nil
  }

  /// All enclosures, in the order of the document.
  package var enclosures: [Enclosure] {
    get { listedEnclosures ?? enclosure.map { [$0] } ?? [] }
    set { listedEnclosures = Self.listed(enclosures: newValue, beside: enclosure) }
  }

  private static func listed(enclosures: [Enclosure]?, beside one: Enclosure?) -> [Enclosure]? {
    guard let enclosures else { return nil }
    guard let one else { return enclosures.isEmpty ? nil : enclosures }
    return enclosures.count == 1 && enclosures[0] == one ? nil : enclosures
  }

  /// The bytes that it takes in memory without its texts and without the values of its rare fields.
  package var ownSize: Int {
    let own = MemoryLayout<Self>.stride + (rareFieldsBox == nil ? 0 : MemoryLayout<RareFields>.stride)
    guard let listedEnclosures else { return own }
    return listedEnclosures.reduce(own) { $0 + $1.ownSize }
  }
}
