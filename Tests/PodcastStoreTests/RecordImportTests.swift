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
  private func apply(
    _ records: ListeningRecord..., following: Set<PodcastID> = [], to store: PodcastStore
  ) async throws -> AppliedRecords {
    try await store.apply(PortableLibrary(episodes: records), following: following, from: "gPodder", now: now)
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
    let late = record(4) { $0.position = .seconds(62) }
    let applied = try await apply(elsewhere, late, to: store)
    #expect(applied.parked == 2 && applied.withoutPodcast == 1)
    _ = try await store.subscribe(to: .sample("Other"), at: "https://example.org/other")
    #expect(try await store.episodes(withGUID: "guid-0").compactMap(\.status.lastListenTime) == [.seconds(61)])
    #expect(try await store.waitingRecords() == 1)
    let undone = try await store.undo()
    #expect(undone?.action == .imported && undone?.subject == "gPodder")
    _ = try await library(episodes: 5)
    #expect(try await entry(4, in: store).status.lastListenTime == nil)
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
    let podcast = try await entry(0, in: store).podcast.id
    var subscription = SubscriptionRecord(feedURL: Self.url)
    (subscription.ownTitle, subscription.settings) = ("Theirs", ["speed": "2"])
    for (following, title) in [(Set<PodcastID>(), "Late Night Linux"), ([podcast], "Theirs")] {
      let records = PortableLibrary(subscriptions: [subscription])
      _ = try await store.apply(records, following: following, from: "gPodder", now: now)
      #expect(try await store.podcasts().map(\.title) == [title])
      #expect(try await store.settings(of: podcast).isEmpty == following.isEmpty)
    }
  }
}

extension PodcastStore {
  fileprivate func waitingRecords() throws(StoreError) -> Int64? {
    try connection.integer("SELECT count(*) FROM parked_records")
  }
}
