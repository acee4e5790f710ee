import PodcastModel
import PodcastStore
import Testing

/// What goes in comes out.
struct RecordTests {
  private let library = TemporaryLibrary()

  private func subscribed(_ feed: Feed = .sample()) async throws -> (store: PodcastStore, result: MergeResult) {
    let store = try library.open()
    return (store, try await store.subscribe(to: feed, at: "https://example.org/feed"))
  }

  @Test func `everything a feed says of an episode is kept`() async throws {
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].content = "<p>All</p>"
    feed.episodes[0].description = "Short"
    feed.episodes[0].author = "Someone"
    feed.episodes[0].season = 1.5
    feed.episodes[0].isExplicit = false
    feed.episodes[0].chapters = ChaptersLink(url: "https://c", type: "application/json")
    feed.episodes[0].inlineChapters = [Chapter(start: 1.25, title: "One", link: "https://l")]
    var link = TranscriptLink(url: "https://t")
    link.language = "de"
    feed.episodes[0].transcripts = [link]
    feed.episodes[0].persons = [Person(name: "Ada")]
    let (store, result) = try await subscribed(feed)
    let details = try #require(try await store.details(of: result.added[0]))
    #expect(details.notes == "<p>All</p>" && details.summary == "Short" && details.author == "Someone")
    #expect(details.entry.episode.season == 1.5 && details.entry.episode.isExplicit == false)
    #expect(details.entry.episode.enclosure == feed.episodes[0].enclosure)
    #expect(details.chaptersLink == feed.episodes[0].chapters)
    #expect(details.chapters == feed.episodes[0].inlineChapters && details.entry.chapterCount == 1)
    #expect(details.transcripts == [link] && details.entry.hasTranscript)
    #expect(details.persons == feed.episodes[0].persons)
  }

  @Test func `whatever a feed changes of an episode is changed`() async throws {
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].content = "<p>All</p>"
    feed.episodes[0].chapters = ChaptersLink(url: "https://c")
    feed.episodes[0].inlineChapters = [Chapter(start: 1, title: "One")]
    feed.episodes[0].transcripts = [TranscriptLink(url: "https://t")]
    feed.episodes[0].persons = [Person(name: "Ada")]
    var other = AlternateEnclosure()
    other.sources = [.init(uri: "https://o")]
    feed.episodes[0].alternateEnclosures = [other]
    let changes: [(inout FeedEpisode) -> Void] = [
      { $0.content = "<p>More</p>" }, { $0.description = "Short" }, { $0.subtitle = "Shorter" },
      { $0.chapters?.type = "application/json" }, { $0.inlineChapters[0].end = 9 },
      { $0.inlineChapters[0].isListed = false }, { $0.transcripts[0].type = "text/vtt" },
      { $0.transcripts[0].language = "de" }, { $0.transcripts[0].relation = "captions" },
      { $0.persons[0].image = "https://i" }, { $0.persons[0].link = "https://l" },
      { $0.alternateEnclosures[0].sources[0].contentType = "audio/opus" }, { $0.alternateEnclosures[0].length = 5 },
      { $0.alternateEnclosures[0].bitrate = 64 }, { $0.alternateEnclosures[0].height = 720 },
      { $0.alternateEnclosures[0].language = "de" }, { $0.alternateEnclosures[0].title = "Small" },
    ]
    let (store, result) = try await subscribed(feed)
    var known = try await store.details(of: result.added[0])
    for (number, change) in changes.enumerated() {
      change(&feed.episodes[0])
      _ = try await store.merge(feed, into: result.podcast)
      let details = try await store.details(of: result.added[0])
      #expect(details != known, "change \(number)")
      known = details
    }
  }

  @Test func `everything a feed says of a podcast is kept`() async throws {
    var feed = Feed.sample()
    feed.description = "About"
    feed.categories = ["Technology", "Society & Culture > Documentary"]
    feed.fundings = [Funding(url: "https://pay", text: "Pay")]
    feed.guid = "9-1"
    feed.language = "en-us"
    let (store, result) = try await subscribed(feed)
    let details = try #require(try await store.details(of: result.podcast))
    #expect(details.description == "About" && details.categories == feed.categories)
    #expect(details.fundings == feed.fundings && details.guid == "9-1" && details.language == "en-us")
  }

  @Test func `a medium keeps all it knows, and the counters and lists know it`() async throws {
    let (store, result) = try await subscribed()
    var medium = MediaRecord(episode: result.added[0], state: .downloading)
    medium.isKept = true
    medium.path = "/media/1.mp3"
    medium.received = 500
    medium.total = 2000
    medium.etag = "\"x\""
    medium.ranges = [0..<100, 200..<600]
    medium.requestedAt = Timestamp(seconds: 5)
    try await store.save(medium)
    #expect(try await store.mediaRecord(of: result.added[0]) == medium)
    #expect(
      try await store.episode(result.added[0])?.download
        == Download(state: .downloading, progress: 0.25, path: medium.path))
    #expect(try await store.downloads().count == 1)
    medium.state = .complete
    try await store.save(medium)
    #expect(try await store.podcast(result.podcast)?.downloadedCount == 1)
    try await store.removeMedia(of: result.added[0])
    #expect(try await store.podcast(result.podcast)?.downloadedCount == 0)
  }

  @Test func `bookmarks, skips and sessions are kept`() async throws {
    let (store, result) = try await subscribed()
    let id = result.added[0]
    let bookmark = try await store.addBookmark(at: .seconds(90), note: "here", in: id)
    #expect(try await store.bookmarks(of: id) == [bookmark])
    #expect(try await store.bookmarks().map(\.bookmark) == [bookmark])
    try await store.addSkip(.seconds(10) ..< .seconds(20), in: id)
    #expect(try await store.skips(of: id) == [.seconds(10) ..< .seconds(20)])
    var session = ListeningSession(startedAt: Timestamp(seconds: 90_000), startPosition: .seconds(5))
    let number = try await store.beginSession(session, of: id)
    session.listened = .seconds(60)
    session.endPosition = .seconds(95)
    session.endedAt = Timestamp(seconds: 90_060)
    try await store.update(number, to: session)
    #expect(try await store.history().map(\.session) == [session])
    let statistics = try await store.statistics()
    #expect(statistics.listened == .seconds(60) && statistics.episodes == 1)
    #expect(statistics.days == [.init(date: Timestamp(seconds: 86_400), listened: .seconds(60))])
    #expect(statistics.podcasts.map(\.listened) == [.seconds(60)])
  }

  @Test func `a feed's validators and failures are kept, and a success clears the failures`() async throws {
    let (store, result) = try await subscribed()
    try await store.record(
      [FeedRecord(result.podcast, .failed(code: "network", message: "no route", isGone: false))],
      now: Timestamp(seconds: 10))
    #expect(try await store.feed(of: result.podcast)?.failures == 1)
    #expect(try await store.podcasts().first?.refreshError == "no route")
    let validators = FeedValidators(etag: "\"e\"", lastModified: "yesterday")
    _ = try await store.merge(.sample(), into: result.podcast, validators: validators)
    let state = try #require(try await store.feed(of: result.podcast))
    #expect(state.validators == validators && state.failures == 0 && state.error == nil)
  }

  @Test func `text with a zero in it and strange numbers survive`() async throws {
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].title = "a\u{0}b"
    feed.episodes[0].duration = .infinity
    feed.episodes[0].publishedAt = Timestamp(seconds: .min)
    feed.episodes[0].season = .nan
    feed.episodes[0].enclosure?.length = .max
    let (store, result) = try await subscribed(feed)
    let episode = try #require(try await store.episode(result.added[0])?.episode)
    #expect(episode.title == "a\u{0}b" && episode.duration == nil && episode.season == nil)
    #expect(episode.enclosure?.length == .max && episode.publishedAt == Timestamp(seconds: .min))
  }
}
