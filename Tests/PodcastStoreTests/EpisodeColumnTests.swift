import PodcastModel
import Testing

@testable import PodcastStore

/// The table of stored fields is complete: a field that is missing anywhere fails a test here.
struct EpisodeColumnTests {
  private let library = TemporaryLibrary()

  /// An episode with a value in every stored field.
  private var full: FeedEpisode {
    var episode = FeedEpisode.sample(1)
    episode.link = "https://example.org/1"
    episode.content = "<p>All</p>"
    episode.description = "Short"
    episode.summary = "Shorter"
    episode.subtitle = "Shortest"
    episode.author = "Ada"
    episode.image = "https://example.org/1.png"
    episode.episodeType = "bonus"
    episode.season = 1.5
    episode.episode = 7
    episode.updatedAt = Timestamp(seconds: 1_700_000_500)
    episode.isExplicit = false
    episode.chapters = ChaptersLink(url: "https://c", type: "application/json")
    episode.inlineChapters = [Chapter(start: 1.25, title: "One", end: 9, link: "https://l", image: "https://i")]
    var link = TranscriptLink(url: "https://t")
    link.type = "text/vtt"
    link.language = "de"
    link.relation = "captions"
    episode.transcripts = [link]
    var person = Person(name: "Ada")
    person.role = "host"
    person.image = "https://i"
    person.link = "https://l"
    episode.persons = [person]
    var rendition = AlternateEnclosure()
    rendition.sources = [.init(uri: "https://o", contentType: "audio/opus")]
    rendition.type = "audio/opus"
    rendition.length = 5
    rendition.bitrate = 64
    rendition.height = 720
    rendition.language = "de"
    rendition.title = "Small"
    episode.alternateEnclosures = [rendition]
    return episode
  }

  private func subscribed() async throws -> (store: PodcastStore, result: MergeResult, feed: Feed) {
    var feed = Feed.sample(episodes: 1)
    feed.episodes = [full]
    feed.link = "https://example.org/"
    let store = try library.open()
    return (store, try await store.subscribe(to: feed, at: "https://example.org/feed"), feed)
  }

  @Test func `the table names every column of the schema`() async throws {
    let store = try library.open()
    let owned = EpisodeWriter.Owner.columns
    #expect(
      try await store.columns(of: "episodes")
        == Set(EpisodeColumn.ofEpisodes.map(\.name) + owned + ["id", "is_played"]))
    #expect(
      try await store.columns(of: "episode_details") == Set(EpisodeColumn.ofDetails.map(\.name) + ["episode_id"]))
    for (table, columns) in [
      (EpisodeParts.transcripts.name, EpisodeParts.transcripts.columns),
      (EpisodeParts.persons.name, EpisodeParts.persons.columns),
      (EpisodeParts.renditions.name, EpisodeParts.renditions.columns),
    ] {
      #expect(try await store.columns(of: table) == Set(columns + ["episode_id", "place"]))
    }
  }

  @Test func `every column is written`() async throws {
    let (store, _, _) = try await subscribed()
    for table in ["episodes", "episode_details", "transcript_links", "persons", "renditions", "chapters"] {
      for column in try await store.columns(of: table) {
        #expect(try await store.count("\(column) IS NULL", in: table) == 0, "\(table).\(column)")
      }
    }
  }

  @Test func `every field is read back`() async throws {
    let (store, result, feed) = try await subscribed()
    let details = try #require(try await store.details(of: result.added[0]))
    #expect(
      Self.emptyFields(of: details) == [
        "entry.status.lastListenTime", "entry.status.lastPlayedAt", "entry.download", "entry.mediaDuration",
        "chaptersSource", "transcriptSource", "bookmarks",
      ])
    let episode = feed.episodes[0]
    #expect(details.entry.episode.enclosure == episode.enclosure)
    #expect(details.notes == "<p>All</p>" && details.summary == "Short" && details.author == "Ada")
    #expect(details.entry.episode.season == 1.5 && details.entry.episode.isExplicit == false)
    #expect(details.chaptersLink == episode.chapters && details.entry.chapterCount == 1)
    #expect(details.chapters == episode.inlineChapters && details.transcripts == episode.transcripts)
    #expect(details.persons == episode.persons && details.alternateEnclosures == episode.alternateEnclosures)
    #expect(details.entry.hasTranscript)
  }

  /// The paths of all fields that are nil or an empty text or list.
  private static func emptyFields(of value: Any, at path: String = "") -> [String] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { emptyFields(of: $0.value, at: path) } ?? [path]
    case .collection: return mirror.children.isEmpty ? [path] : []
    case .struct:
      return mirror.children.flatMap { child in
        emptyFields(of: child.value, at: [path, child.label ?? ""].filter { !$0.isEmpty }.joined(separator: "."))
      }
    default: return (value as? String)?.isEmpty == true ? [path] : []
    }
  }

  private typealias Change = @Sendable (inout FeedEpisode) -> Void

  /// A change of each column that is part of the content hash.
  private static let changes: [String: Change] = [
    "guid": { $0.guid = "another" }, "title": { $0.title = "Another" }, "link": { $0.link = "https://another" },
    "notes": { $0.content = "<p>More</p>" }, "summary": { $0.summary = "More" }, "subtitle": { $0.subtitle = "More" },
    "author": { $0.author = "Grace" }, "image": { $0.image = "https://another" },
    "episode_type": { $0.episodeType = "trailer" }, "duration": { $0.duration = 5 }, "season": { $0.season = 2 },
    "episode": { $0.episode = 8 }, "published_at": { $0.publishedAt = Timestamp(seconds: 1_700_000_001) },
    "updated_at": { $0.updatedAt = Timestamp(seconds: 1_700_000_501) }, "is_explicit": { $0.isExplicit = true },
    "enclosure_url": { $0.enclosure?.url = "https://another" }, "enclosure_type": { $0.enclosure?.type = "audio/ogg" },
    "enclosure_length": { $0.enclosure?.length = 1 }, "chapters_url": { $0.chapters?.url = "https://another" },
    "chapters_type": { $0.chapters?.type = "text/plain" },
  ]

  @Test func `a change of any field is merged`() async throws {
    #expect(Set(Self.changes.keys) == Set(EpisodeColumn.all.filter(\.isHashed).map(\.name)))
    var (store, result, feed) = try await subscribed()
    let parts: [Change] = [
      { $0.description = "Longer" }, { $0.inlineChapters[0].end = 10 }, { $0.inlineChapters[0].isListed = false },
      { $0.transcripts[0].url = "https://t2" }, { $0.transcripts[0].type = "text/plain" },
      { $0.transcripts[0].language = "en" }, { $0.transcripts[0].relation = nil },
      { $0.persons[0].name = "Grace" }, { $0.persons[0].role = "guest" }, { $0.persons[0].image = nil },
      { $0.persons[0].link = nil }, { $0.alternateEnclosures[0].sources[0].uri = "https://o2" },
      { $0.alternateEnclosures[0].sources[0].contentType = "audio/ogg" }, { $0.alternateEnclosures[0].length = 6 },
      { $0.alternateEnclosures[0].bitrate = 96 }, { $0.alternateEnclosures[0].height = 480 },
      { $0.alternateEnclosures[0].language = "en" }, { $0.alternateEnclosures[0].title = "Smaller" },
    ]
    let changes = Self.changes.sorted { $0.key < $1.key }.map { (name: $0.key, change: $0.value) }
    for (name, change) in changes + parts.enumerated().map({ (name: "part \($0)", change: $1) }) {
      change(&feed.episodes[0])
      let merged = try await store.merge(feed, into: result.podcast)
      #expect(merged.updated == 1 && merged.added.isEmpty, "\(name)")
    }
  }

  @Test func `a change that a feed makes is shown`() async throws {
    var (store, result, feed) = try await subscribed()
    var known = try await store.details(of: result.added[0])
    // The summary is the description, where there is one.
    for (name, change) in Self.changes.sorted(by: { $0.key < $1.key }) where name != "summary" {
      change(&feed.episodes[0])
      _ = try await store.merge(feed, into: result.podcast)
      let details = try await store.details(of: result.added[0])
      #expect(details != known, "\(name)")
      known = details
    }
  }

  /// Libraries hold these hashes. A new field changes them, and with them every episode at the next refresh; nothing else
  /// should.
  @Test func `the content hash does not change`() {
    #expect(full.contentHash == 4_921_582_216_267_518_534)
    #expect(FeedEpisode.sample(1).contentHash == -5_660_196_936_490_414_049)
  }
}

extension PodcastStore {
  fileprivate func columns(of table: String) throws(StoreError) -> Set<String> {
    Set(try connection.rows(SQL(text: "SELECT name FROM pragma_table_info('\(table)')")) { $0.text(0) })
  }

  fileprivate func count(_ condition: String, in table: String) throws(StoreError) -> Int64? {
    try connection.integer(SQL(text: "SELECT count(*) FROM \(table) WHERE \(condition)"))
  }
}

extension EpisodeColumn {
  fileprivate var isHashed: Bool { if case .none = hash { false } else { true } }
}
