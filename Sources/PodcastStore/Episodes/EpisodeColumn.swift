internal import PodcastModel

/// A stored field of an episode. The list `all` gives the statements that insert, update and select episodes, the values they
/// bind and read, and the content hash. A new stored field is one line there and one migration.
struct EpisodeColumn: Sendable {
  /// The list or page that shows a column.
  enum Reader: Sendable {
    /// Shown even in a brief list.
    case brief(@Sendable (Statement.Row, Int32, inout EpisodeEntry) -> Void)
    case list(@Sendable (Statement.Row, Int32, inout EpisodeEntry) -> Void)
    /// Shown for one episode only. Such columns are in `episode_details`, so that rows of lists stay short.
    case details(@Sendable (Statement.Row, Int32, inout EpisodeDetails) -> Void)
    /// Used in conditions only.
    case none
  }

  typealias Binder = @Sendable (borrowing FeedEpisode, borrowing EpisodeNames, inout Statement.Values) -> Void

  /// The part of a column in the episode's content hash.
  enum Hashing: Sendable {
    case text(EpisodeTexts.Name)
    case notes
    case value(@Sendable (borrowing FeedEpisode, inout ContentHash) -> Void)
    /// The value follows from other columns.
    case none
  }

  let name: String
  /// Binds the value of a feed's episode.
  let bind: Binder
  let hash: Hashing
  let read: Reader
  /// The value that an update gives the column, made from its parameter.
  let updated: @Sendable (_ parameter: String) -> String

  init(
    _ name: String,
    bind: @escaping Binder, hash: Hashing, read: Reader,
    updated: @escaping @Sendable (String) -> String = { $0 }
  ) {
    self.name = name
    self.bind = bind
    self.hash = hash
    self.read = read
    self.updated = updated
  }

  /// In the order of the content hash, which is stored: another order would write every episode again at the next
  /// refresh. A new field from the feed does so once, and is stored by that; it goes after `chapters_type`.
  static let all: [EpisodeColumn] = [
    EpisodeColumn(
      "guid", bind: { $2.add($1.guid) }, hash: .text(.guid),
      read: .list { $2.episode.guid = $0.text($1) }),
    EpisodeColumn(
      "title", bind: { $2.add($1.title) }, hash: .text(.title),
      read: .brief { $2.episode.title = $0.text($1) }),
    EpisodeColumn(
      "link", bind: { $0.bind(.link, &$2) }, hash: .text(.link),
      read: .list { $2.episode.link = $0.optionalText($1) }),
    EpisodeColumn(
      "notes", bind: { $0.bind($0.nameOfNotes, &$2) }, hash: .notes,
      read: .details { $2.notes = $0.optionalText($1) }),
    EpisodeColumn(
      "summary", bind: { $0.bindSummaryBesideNotes(&$2) }, hash: .text(.summary),
      read: .details { $2.summary = $0.optionalText($1) }),
    EpisodeColumn(
      "subtitle", bind: { $0.bind(.subtitle, &$2) }, hash: .text(.subtitle),
      read: .details { $2.subtitle = $0.optionalText($1) }),
    EpisodeColumn(
      "author", bind: { $0.bind(.author, &$2) }, hash: .text(.author),
      read: .details { $2.author = $0.optionalText($1) }),
    EpisodeColumn(
      "image", bind: { $0.bind(.image, &$2) }, hash: .text(.image),
      read: .list { $2.episode.image = $0.optionalText($1) }),
    EpisodeColumn(
      "episode_type", bind: { $0.bind(.episodeType, &$2) }, hash: .text(.episodeType),
      read: .list { $2.episode.episodeType = $0.optionalText($1) }),
    EpisodeColumn(
      "duration", bind: { $2.add($1.duration) }, hash: .value { $1.add($0.duration) },
      // Earlier versions kept 0.
      read: .brief { $2.episode.duration = $0.optionalLength($1).flatMap { $0 > .zero ? $0 : nil } }),
    EpisodeColumn(
      "season", bind: { $2.add($0.season) }, hash: .value { $1.add($0.season) },
      read: .list { $2.episode.season = $0.optionalReal($1) }),
    EpisodeColumn(
      "episode", bind: { $2.add($0.episode) }, hash: .value { $1.add($0.episode) },
      read: .list { $2.episode.episode = $0.optionalReal($1) }),
    EpisodeColumn(
      "published_at", bind: { $2.add($0.publishedAt) }, hash: .value { $1.add($0.publishedAt) },
      read: .brief { $2.episode.publishedAt = $0.optionalTime($1) }),
    EpisodeColumn(
      "updated_at", bind: { $2.add($0.updatedAt) }, hash: .value { $1.add($0.updatedAt) },
      read: .details { $2.updatedAt = $0.optionalTime($1) }),
    EpisodeColumn(
      "is_explicit", bind: { $2.add($0.isExplicit) }, hash: .value { $1.add($0.isExplicit) },
      read: .list { $2.episode.isExplicit = $0.optionalFlag($1) }),
    EpisodeColumn(
      "enclosure_url", bind: { $0.bind(.enclosureURL, &$2) }, hash: .text(.enclosureURL),
      read: .list { $2.episode.enclosure = $0.optionalText($1).map { Enclosure(url: $0) } }),
    EpisodeColumn(
      "enclosure_type", bind: { $0.bind(.enclosureType, &$2) }, hash: .text(.enclosureType),
      read: .list { $2.episode.enclosure?.type = $0.optionalText($1) }),
    EpisodeColumn(
      "enclosure_length", bind: { $2.add($0.enclosureLength) }, hash: .value { $1.add($0.enclosureLength) },
      read: .list { $2.episode.enclosure?.length = $0.optionalInteger($1) }),
    EpisodeColumn(
      "chapters_url", bind: { $2.add($0.chapters?.url) }, hash: .value { $1.add($0.chapters?.url) },
      read: .details { $2.chaptersLink = $0.optionalText($1).map { ChaptersLink(url: $0) } }),
    EpisodeColumn(
      "chapters_type", bind: { $2.add($0.chapters?.type) },
      hash: .value { if let type = $0.chapters?.type { $1.add(type) } },
      read: .details { $2.chaptersLink?.type = $0.optionalText($1) }),

    // Derived from other fields.
    EpisodeColumn("listed_at", bind: { $2.add($0.publishedAt?.seconds ?? 0) }, hash: .none, read: .none),
    EpisodeColumn("twin", bind: { $2.add($1.twin) }, hash: .none, read: .none),
    EpisodeColumn(
      "enclosure_hash", bind: { $2.add($0.enclosureHash) }, hash: .none, read: .none),
    EpisodeColumn("content_hash", bind: { $2.add($1.contentHash) }, hash: .none, read: .none),
    // Chapters and transcripts that do not come from the feed stay when the feed has none.
    EpisodeColumn(
      "has_transcript", bind: { $2.add(!$0.transcripts.isEmpty) }, hash: .none,
      read: .list { $2.hasTranscript = $0.flag($1) },
      updated: { "max(\($0), EXISTS (SELECT 1 FROM transcripts WHERE episode_id = ?1))" }),
    EpisodeColumn(
      "chapter_count", bind: { $2.add($0.listedChapters) }, hash: .none,
      read: .list { $2.chapterCount = $0.optionalInteger($1).map { Int($0) } },
      updated: { "ifnull(\($0), chapter_count)" }),
  ]

  /// The columns of `episodes`, and those of `episode_details`.
  static let ofEpisodes = all.filter { !$0.isDetail }
  static let ofDetails = all.filter(\.isDetail)

  /// Arrays of functions alone: these run for every episode of a feed, and a loop over columns would copy each of them.
  static let episodeBinders = ofEpisodes.map(\.bind)
  static let detailsBinders = ofDetails.map(\.bind)
  fileprivate static let hashings = all.map(\.hash)

  private var isDetail: Bool { if case .details = read { true } else { false } }
}

extension FeedEpisode {
  /// The longest text that the feed has.
  fileprivate var nameOfNotes: EpisodeTexts.Name {
    texts.has(.content) ? .content : texts.has(.description) ? .description : .summary
  }

  fileprivate func bind(_ name: EpisodeTexts.Name, _ values: inout Statement.Values) {
    texts.withUTF8(of: name) { values.add($0) }
  }

  /// NULL where it repeats the notes, as in most feeds.
  fileprivate func bindSummaryBesideNotes(_ values: inout Statement.Values) {
    guard nameOfNotes == .content else { return values.add(String?.none) }
    texts.withUTF8(of: texts.has(.description) ? .description : .summary) { summary in
      let isRepeated = texts.withUTF8(of: .content) { notes in
        summary.map { text in notes?.elementsEqual(text) ?? false } ?? false
      }
      values.add(isRepeated ? nil : summary)
    }
  }

  fileprivate var enclosureHash: Int64? {
    guard texts.has(.enclosureURL) else { return nil }
    var hash = ContentHash()
    self.hash(.enclosureURL, into: &hash)
    return hash.value
  }

  fileprivate func hash(_ name: EpisodeTexts.Name, into hash: inout ContentHash) {
    texts.withUTF8(of: name) { hash.add($0) }
  }

  fileprivate var listedChapters: Int64? {
    let chapters = inlineChapters
    return chapters.isEmpty ? nil : Int64(chapters.count(where: \.isListed))
  }

  /// Over all that is stored of the episode.
  var contentHash: Int64 {
    var hash = ContentHash()
    for hashing in EpisodeColumn.hashings {
      switch hashing {
      case .text(let name): self.hash(name, into: &hash)
      case .notes: self.hash(nameOfNotes, into: &hash)
      case .value(let add): add(self, &hash)
      case .none: break
      }
    }
    // Elsewhere it is hashed as the notes.
    if nameOfNotes == .content { self.hash(.description, into: &hash) }
    for chapter in inlineChapters { hash.add(chapter) }
    EpisodeParts.transcripts.hash(transcripts, into: &hash)
    EpisodeParts.persons.hash(persons, into: &hash)
    EpisodeParts.renditions.hash(alternateEnclosures, into: &hash)
    return hash.value
  }
}
