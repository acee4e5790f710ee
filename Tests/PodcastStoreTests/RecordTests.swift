import PodcastModel
import PodcastStore
import Testing

/// Stored values are read back.
struct RecordTests {
  private let library = TemporaryLibrary()

  private func subscribed(_ feed: Feed = .sample()) async throws -> (store: PodcastStore, result: MergeResult) {
    let store = try library.open()
    return (store, try await store.subscribe(to: feed, at: "https://example.org/feed"))
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

  @Test func `a media record is kept, and the counters and lists follow it`() async throws {
    let (store, result) = try await subscribed()
    var record = MediaRecord(episode: result.added[0], state: .downloading)
    record.isKept = true
    record.path = "/media/1.mp3"
    record.received = 500
    record.total = 2000
    record.etag = "\"x\""
    record.ranges = [0..<100, 200..<600]
    record.requestedAt = Timestamp(seconds: 5)
    try await store.save(record)
    #expect(try await store.mediaRecord(of: result.added[0]) == record)
    #expect(
      try await store.episode(result.added[0])?.download
        == Download(state: .downloading, progress: 0.25, path: record.path))
    #expect(try await store.downloads().count == 1)
    record.state = .complete
    try await store.save(record)
    #expect(try await store.podcast(result.podcast)?.downloadedCount == 1)
    try await store.removeMedia(of: result.added[0])
    #expect(try await store.podcast(result.podcast)?.downloadedCount == 0)
  }

  @Test func `a download that starts over stays one before its first byte, and a deleted one does not`() async throws {
    let (store, result) = try await subscribed()
    var record = MediaRecord(episode: result.added[0], state: .paused)
    record.path = "/media/1.mp3"
    try await store.save(record)
    // A stream that brought nothing.
    #expect(try await store.episode(result.added[0])?.download == nil)
    record.isKept = true
    try await store.save(record)
    #expect(try await store.episode(result.added[0])?.download == Download(state: .paused, path: record.path))
    record.path = nil
    try await store.save(record)
    #expect(try await store.episode(result.added[0])?.download == nil)
  }

  @Test func `a media file is found beside a library that was moved with it`() async throws {
    let (store, result) = try await subscribed()
    let id = result.added[0]
    for (stored, located) in [
      ("/home/before/podcli/media/1-Show/1-One.mp3", library.directory + "/media/1-Show/1-One.mp3"),
      (library.directory + "/media/1-Show/1-One.mp3", library.directory + "/media/1-Show/1-One.mp3"),
      ("/elsewhere/One.mp3", "/elsewhere/One.mp3"),
    ] {
      var record = MediaRecord(episode: id, state: .complete)
      record.path = stored
      try await store.save(record)
      #expect(try await store.mediaRecord(of: id)?.path == located)
      #expect(try await store.episode(id)?.download?.path == located)
    }
  }

  @Test func `bookmarks, skips and sessions are kept`() async throws {
    let (store, result) = try await subscribed()
    let id = result.added[0]
    let bookmark = try await store.addBookmark(at: .seconds(90), note: "here", in: id)
    #expect(try await store.bookmarks(of: id) == [bookmark])
    #expect(try await store.bookmarks().map(\.bookmark) == [bookmark])
    // One of another machine comes later.
    let earlier = Timestamp(seconds: bookmark.createdAt.seconds - 60)
    _ = try await store.addBookmark(at: .seconds(5), note: "before", in: id, now: earlier)
    #expect(try await store.bookmarks().map(\.bookmark.note) == ["here", "before"])
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
