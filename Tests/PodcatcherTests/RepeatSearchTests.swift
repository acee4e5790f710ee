import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import Podcatcher

/// A library of measured episodes, and what is found in them.
@Suite struct RepeatSearchTests {
  private let home: TemporaryHome
  private let store: PodcastStore
  private let ids: [EpisodeID]
  private let podcast = PodcastID(rawValue: 1)

  private init(medium: String? = nil) async throws {
    home = try TemporaryHome()
    store = try PodcastStore(path: home.path + "/library.db")
    var feed = Feed()
    (feed.title, feed.medium) = ("Show", medium)
    feed.episodes = (1...3).map { number in
      var episode = FeedEpisode()
      (episode.guid, episode.title) = ("\(number)", "\(number)")
      episode.publishedAt = Timestamp(seconds: Int64(number) * 86_400)
      return episode
    }
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    ids = try await store.playlist().map(\.episode.id).reversed()
  }

  init() async throws { try await self.init(medium: nil) }

  private func measure(_ index: Int, _ data: [UInt8]? = nil) async throws {
    let data = data ?? RepeatFinderTests.episode(index + 1).data
    try await store.save(SoundPrintRecord(episode: ids[index], file: "\(index)", data: data))
  }

  private func kinds(_ index: Int) async throws -> [Repeat.Kind]? {
    try await store.repeats(of: ids[index])?.repeats.map(\.kind)
  }

  @Test func `each measured episode is compared with what is there, and again once there is more`() async throws {
    let search = RepeatSearch(store: store)
    try await search.update(podcast)
    try await measure(0)
    try await search.update(podcast, and: ids[0])
    #expect(try await store.repeats(of: ids[0])?.compared == nil)
    try await measure(1)
    var begun: [[Int]] = []
    try await search.update(podcast) { begun.append([$0, $1]) }
    #expect(begun == [[1, 2], [2, 2]])
    #expect(try await kinds(0) == [.intro, .inserted, .outro])
    #expect(try await store.repeats(of: ids[0])?.compared == 1)
    try await measure(2)
    try await search.update(podcast)
    // The first and the third have an advert in common.
    for index in [0, 2] { #expect(try await kinds(index) == [.inserted, .intro, .inserted, .outro]) }
    #expect(try await store.repeats(of: ids[1])?.compared == 2)
  }

  @Test func `a print that cannot be read shares nothing, and is not read again`() async throws {
    try await measure(0, [99, 1, 2])
    try await measure(1, [])
    try await measure(2, [1])
    try await RepeatSearch(store: store).update(podcast)
    for index in 0..<3 { #expect(try await kinds(index) == []) }
  }

  @Test func `in music nothing is looked for`() async throws {
    let music = try await Self(medium: "music")
    for index in 0..<2 { try await music.measure(index) }
    try await RepeatSearch(store: music.store).update(podcast)
    #expect(try await music.store.repeats(of: music.ids[0])?.compared == nil)
  }

  @Test func `two processes at once find the same`() async throws {
    for index in 0..<2 { try await measure(index) }
    let other = RepeatSearch(store: try PodcastStore(path: home.path + "/library.db"))
    async let first: Void = RepeatSearch(store: store).update(podcast)
    async let second: Void = other.update(podcast)
    _ = try await (first, second)
    #expect(try await kinds(1) == [.intro, .inserted, .outro])
  }
}
