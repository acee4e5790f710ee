// The fields that few episodes have. A new one is a line in `RareFields` and an accessor at the end of the file: they
// are written out because the store reads them for each episode, and key paths are slower.

extension FeedEpisode {
  /// The fields that few episodes have. The parser collects them here and hands them to `take` when the episode ends.
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

  /// Immutable, so that copies of an episode share it.
  final class RareFieldsBox: Hashable, Sendable {
    let rareFields: RareFields

    init(_ rareFields: consuming RareFields) { self.rareFields = rareFields }

    static func == (left: RareFieldsBox, right: RareFieldsBox) -> Bool { left.rareFields == right.rareFields }

    func hash(into hasher: inout Hasher) { hasher.combine(rareFields) }
  }

  /// All rare fields at once.
  package var rareFields: RareFields {
    get { rareFieldsBox?.rareFields ?? RareFields() }
    set { rareFieldsBox = newValue == RareFields() ? nil : RareFieldsBox(newValue) }
  }

  /// Moves these rare fields into the episode and leaves empty ones behind.
  package mutating func take(_ rareFields: inout RareFields) {
    guard rareFields != RareFields() else { return rareFieldsBox = nil }
    var taken = RareFields()
    swap(&taken, &rareFields)
    rareFieldsBox = RareFieldsBox(taken)
  }

  private mutating func change(isAbsent: Bool, _ body: (inout RareFields) -> Void) {
    if isAbsent, rareFieldsBox == nil { return }
    body(&rareFields)
  }

  package var seasonName: String? {
    get { rareFieldsBox?.rareFields.seasonName }
    set { change(isAbsent: newValue == nil) { $0.seasonName = newValue } }
  }
  package var episodeDisplay: String? {
    get { rareFieldsBox?.rareFields.episodeDisplay }
    set { change(isAbsent: newValue == nil) { $0.episodeDisplay = newValue } }
  }
  package var isBlocked: Bool? {
    get { rareFieldsBox?.rareFields.isBlocked }
    set { change(isAbsent: newValue == nil) { $0.isBlocked = newValue } }
  }
  package var categories: [String] {
    get { rareFieldsBox?.rareFields.categories ?? [] }
    set { change(isAbsent: newValue.isEmpty) { $0.categories = newValue } }
  }
  package var keywords: [String] {
    get { rareFieldsBox?.rareFields.keywords ?? [] }
    set { change(isAbsent: newValue.isEmpty) { $0.keywords = newValue } }
  }
  package var chapters: ChaptersLink? {
    get { rareFieldsBox?.rareFields.chapters }
    set { change(isAbsent: newValue == nil) { $0.chapters = newValue } }
  }
  package var inlineChapters: [Chapter] {
    get { rareFieldsBox?.rareFields.inlineChapters ?? [] }
    set { change(isAbsent: newValue.isEmpty) { $0.inlineChapters = newValue } }
  }
  package var transcripts: [TranscriptLink] {
    get { rareFieldsBox?.rareFields.transcripts ?? [] }
    set { change(isAbsent: newValue.isEmpty) { $0.transcripts = newValue } }
  }
  package var persons: [Person] {
    get { rareFieldsBox?.rareFields.persons ?? [] }
    set { change(isAbsent: newValue.isEmpty) { $0.persons = newValue } }
  }
  package var soundbites: [Soundbite] {
    get { rareFieldsBox?.rareFields.soundbites ?? [] }
    set { change(isAbsent: newValue.isEmpty) { $0.soundbites = newValue } }
  }
  package var alternateEnclosures: [AlternateEnclosure] {
    get { rareFieldsBox?.rareFields.alternateEnclosures ?? [] }
    set { change(isAbsent: newValue.isEmpty) { $0.alternateEnclosures = newValue } }
  }
  package var location: Location? {
    get { rareFieldsBox?.rareFields.location }
    set { change(isAbsent: newValue == nil) { $0.location = newValue } }
  }
  package var license: License? {
    get { rareFieldsBox?.rareFields.license }
    set { change(isAbsent: newValue == nil) { $0.license = newValue } }
  }
  package var value: PaymentInfo? {
    get { rareFieldsBox?.rareFields.value }
    set { change(isAbsent: newValue == nil) { $0.value = newValue } }
  }
  package var socialInteracts: [String] {
    get { rareFieldsBox?.rareFields.socialInteracts ?? [] }
    set { change(isAbsent: newValue.isEmpty) { $0.socialInteracts = newValue } }
  }
  package var fundings: [Funding] {
    get { rareFieldsBox?.rareFields.fundings ?? [] }
    set { change(isAbsent: newValue.isEmpty) { $0.fundings = newValue } }
  }
}
