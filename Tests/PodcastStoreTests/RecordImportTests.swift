import PodcastModel
import Testing

@testable import PodcastStore

/// Records of another library, applied to this one.
@Suite struct RecordImportTests {
  private static let url = "https://example.org/feed"
  private let directory = TemporaryLibrary()
  private let now = Timestamp(seconds: 1_750_000_000)

  private func library(episodes: Int = 3) async throws -> PodcastStore {
    let store = try directory.open()
    _ = try await store.subscribe(to: .sample(episodes: episodes), at: Self.url)
    return store
  }

  private func entry(_ number: Int, in store: PodcastStore) async throws -> EpisodeEntry {
    try #require(try await store.episodes(withGUID: "guid-\(number)").first)
  }

  private func record(_ number: Int, _ change: (inout ListeningRecord) -> Void) -> ListeningRecord {
    var record = ListeningRecord(feedURL: Self.url)
    record.guid = "guid-\(number)"
    change(&record)
    return record
  }

  @discardableResult
  private func apply(_ records: ListeningRecord..., to store: PodcastStore) async throws -> AppliedRecords {
    try await store.apply(PortableLibrary(episodes: records), from: "gPodder", now: now)
  }

  @Test func `a mark made by hand under the date of the listening before counts, and takes nothing back`() async throws
  {
    let store = try await library()
    let heardAt = Timestamp(seconds: now.seconds - 100)
    try await apply(record(0) { ($0.position, $0.listenedAt) = (.seconds(100), heardAt) }, to: store)
    try await apply(record(0) { ($0.isPlayed, $0.listenedAt) = (true, heardAt) }, to: store)
    #expect(try await entry(0, in: store).status.hasCompleted)
    try await apply(record(0) { ($0.position, $0.listenedAt) = (.seconds(100), heardAt) }, to: store)
    #expect(try await entry(0, in: store).status.hasCompleted)
  }

  @Test func `what is finished there leaves the queue, is current no more, and is not lined up`() async throws {
    let store = try await library()
    let ids = [try await entry(0, in: store).episode.id, try await entry(1, in: store).episode.id]
    try await store.enqueue(ids)
    try await store.startPlaying(ids[0], at: Timestamp(seconds: now.seconds - 100))
    let finished = { (record: inout ListeningRecord) in
      (record.isPlayed, record.listenedAt, record.queueNumber) = (true, now, 1)
    }
    try await apply(record(0, finished), record(2, finished), to: store)
    #expect(try await store.queue().map(\.episode.id) == [ids[1]])
    let status = try await entry(0, in: store).status
    #expect(status.hasCompleted && !status.isCurrentlyPlaying)
    _ = try await store.undo()
    #expect(try await entry(0, in: store).status.isCurrentlyPlaying)
  }

  @Test func `what was finished there and is heard again stays lined up`() async throws {
    let store = try await library()
    let applied = try await apply(
      record(1) {
        ($0.isPlayed, $0.position, $0.listenedAt, $0.queueNumber) = (true, .seconds(14), now, 1)
      }, to: store)
    #expect(applied.queued == 1)
    #expect(try await store.queue().map(\.episode.guid) == ["guid-1"])
  }

  @Test func `undo makes new again what the import found new`() async throws {
    let store = try await library()
    // Those of a first merge are not new.
    _ = try await store.merge(.sample(episodes: 5), into: try await entry(0, in: store).podcast.id)
    let new = try await store.episodes(matching: EpisodeFilter([.new])).map(\.episode.id)
    try #require(new.count == 2)
    try await apply(
      record(3) { ($0.isPlayed, $0.listenedAt) = (true, now) },
      record(4) { ($0.isFavourite, $0.isPlayed) = (true, true) },
      to: store)
    #expect(try await store.episodes(matching: EpisodeFilter([.new])).isEmpty)
    _ = try await store.undo()
    #expect(try await store.episodes(matching: EpisodeFilter([.new])).map(\.episode.id) == new)
  }

  @Test func `a time in the future counts as the present`() async throws {
    let store = try await library()
    let later = Timestamp(seconds: now.seconds + 1_000_000)
    try await apply(record(0) { ($0.position, $0.listenedAt) = (.seconds(60), later) }, to: store)
    #expect(try await entry(0, in: store).status.lastPlayedAt == now)
  }

  @Test func `records wait for their podcast or episode, are applied once, and go with an undo`() async throws {
    let store = try await library()
    var elsewhere = record(0) { $0.position = .seconds(61) }
    elsewhere.feedURL = "https://example.org/other"
    elsewhere.queueNumber = 1
    let late = record(4) { $0.position = .seconds(62) }
    let applied = try await apply(elsewhere, late, to: store)
    #expect(applied.parked == 2 && applied.withoutPodcast == 1)
    _ = try await store.subscribe(to: .sample("Other"), at: "https://example.org/other")
    #expect(try await store.episodes(withGUID: "guid-0").compactMap(\.status.lastListenTime) == [.seconds(61)])
    #expect(try await store.waitingRecords() == 1)
    #expect(try await store.queue().map(\.podcast.title) == ["Other"])
    let undone = try await store.undo()
    #expect(undone?.action == .imported && undone?.subject == "gPodder" && undone?.count == 1)
    #expect(try await store.episodes(withGUID: "guid-0").compactMap(\.status.lastListenTime) == [])
    #expect(try await store.queue().isEmpty)
    _ = try await library(episodes: 5)
    #expect(try await entry(4, in: store).status.lastListenTime == nil)
  }

  @Test func `a record that waited goes with the undo of its own import`() async throws {
    let store = try await library()
    for (title, seconds) in [("one", 61), ("two", 62)] {
      var waiting = record(0) { $0.position = .seconds(seconds) }
      (waiting.feedURL, waiting.guid) = ("https://example.org/\(title)", title)
      try await apply(waiting, to: store)
    }
    var feed = Feed.sample("One", episodes: 1)
    feed.episodes[0].guid = "one"
    _ = try await store.subscribe(to: feed, at: "https://example.org/one")
    func position() async throws -> Duration? {
      try await store.episodes(withGUID: "one").first?.status.lastListenTime
    }
    #expect(try await position() == .seconds(61))
    #expect(try await store.undo()?.count == 0)
    #expect(try await position() == .seconds(61))
    #expect(try await store.undo()?.count == 1)
    #expect(try await position() == nil)
  }

  @Test func `an import has no number of one before whose records have found their episodes`() async throws {
    let store = try await library()
    for (title, seconds) in [("one", 61), ("two", 62)] {
      var waiting = record(0) { $0.position = .seconds(seconds) }
      (waiting.feedURL, waiting.guid) = ("https://example.org/\(title)", title)
      try await apply(waiting, to: store)
      var feed = Feed.sample(title, episodes: 1)
      feed.episodes[0].guid = title
      _ = try await store.subscribe(to: feed, at: "https://example.org/\(title)")
    }
    func positions() async throws -> [Duration?] {
      [
        try await store.episodes(withGUID: "one").first?.status.lastListenTime,
        try await store.episodes(withGUID: "two").first?.status.lastListenTime,
      ]
    }
    #expect(try await positions() == [.seconds(61), .seconds(62)])
    #expect(try await store.undo()?.count == 1)
    #expect(try await positions() == [.seconds(61), nil])
    #expect(try await store.undo()?.count == 1)
    #expect(try await positions() == [nil, nil])
  }

  @Test func `an undo leaves what was heard since`() async throws {
    let store = try await library()
    try await apply(record(0) { $0.position = .seconds(60) }, record(1) { $0.position = .seconds(60) }, to: store)
    let id = try await entry(0, in: store).episode.id
    try await store.savePosition(.seconds(90), of: id, urgency: .flush)
    _ = try await store.undo()
    #expect(try await entry(0, in: store).status.lastListenTime == .seconds(90))
    #expect(try await entry(1, in: store).status.lastListenTime == nil)
  }

  @Test func `a podcast that was followed before keeps its title and settings`() async throws {
    let store = try await library()
    let theirs = PodcastImport(ownTitle: "Theirs", subscribedAt: nil, settings: ["speed": "2"])
    for (url, title) in [(Self.url, "Late Night Linux"), ("https://example.org/other", "Theirs")] {
      let result = try await store.subscribe(to: .sample("Late Night Linux"), at: url, imported: theirs, now: now)
      #expect(try await store.podcast(result.podcast)?.title == title)
      #expect(try await store.settings(of: result.podcast).isEmpty == (url == Self.url))
    }
  }

  @Test func `an import that is broken off is taken back, and one that goes on is one entry`() async throws {
    let store = try await library()
    let reference = try await entry(0, in: store).podcast
    let podcast = MergeResult(podcast: reference.id, title: reference.title, isNew: true)
    let noted = try await store.noteFollowed([podcast], byImportFrom: "gPodder", in: nil)
    #expect(try await store.undo()?.count == 0)
    #expect(try await store.podcasts().isEmpty)
    _ = try await store.subscribe(to: .sample("Late Night Linux"), at: Self.url)
    // Its entry is gone.
    let again = try await store.noteFollowed([podcast], byImportFrom: "gPodder", in: noted)
    #expect(again != noted)
    let other = try await store.subscribe(to: .sample("Other"), at: "https://example.org/other")
    #expect(try await store.noteFollowed([other], byImportFrom: "gPodder", in: again) == again)
    let records = PortableLibrary(episodes: [record(0) { $0.position = .seconds(60) }])
    _ = try await store.apply(records, from: "gPodder", in: again, now: now)
    #expect(try await store.undo()?.count == 1)
    #expect(try await store.podcasts().isEmpty)
    #expect(try await store.undo() == nil)
  }
}

extension PodcastStore {
  fileprivate func waitingRecords() throws(StoreError) -> Int64? {
    try connection.integer("SELECT count(*) FROM parked_records")
  }
}
