import PodcastModel
import Testing

@testable import PodcastStore

struct EpisodeWindowTests {
  private let library = TemporaryLibrary()

  private func titles(_ window: EpisodeWindow) -> [Int] {
    window.entries.compactMap { Int($0.episode.title.dropFirst("Episode ".count)) }
  }

  @Test func `a window begins at either end of a list, or stands around an episode`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample(episodes: 50), at: "https://example.org/feed").podcast
    let filter = EpisodeFilter([.unplayed])
    let start = try await store.window(matching: filter, at: .start, count: 10)
    #expect(titles(start) == Array((40...49).reversed()) && !start.hasMoreBefore && start.hasMoreAfter)
    let end = try await store.window(matching: filter, at: .end, count: 10)
    #expect(titles(end) == Array((0...9).reversed()) && end.hasMoreBefore && !end.hasMoreAfter)
    let cursor = EpisodeCursor(after: try #require(start.entries.last))
    let around = try await store.window(matching: filter, of: podcast, at: .around(cursor), count: 10)
    #expect(titles(around) == Array((36...45).reversed()) && around.hasMoreBefore && around.hasMoreAfter)
  }

  @Test func `windows walk the whole list, each episode once, also those of one date`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 60)
    for index in feed.episodes.indices { feed.episodes[index].publishedAt = Timestamp(seconds: Int64(index / 20)) }
    _ = try await store.subscribe(to: feed, at: "https://example.org/feed")
    let all = try await store.playlist().map(\.episode.id)
    var seen: [EpisodeID] = []
    var anchor = ListAnchor.start
    while true {
      let window = try await store.window(matching: EpisodeFilter(), at: anchor, count: 12)
      seen += window.entries.map(\.episode.id).filter { !seen.contains($0) }
      guard window.hasMoreAfter, let last = window.entries.last else { break }
      anchor = .around(EpisodeCursor(after: last))
    }
    #expect(seen == all)
  }

  @Test func `an episode that no longer matches leaves its neighbours, and another order is read from its start`()
    async throws
  {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 9), at: "https://example.org/feed")
    let entry = try await store.playlist()[4]
    try await store.mark(.played, [entry.episode.id])
    let window = try await store.window(
      matching: EpisodeFilter([.unplayed]), at: .around(EpisodeCursor(after: entry)), count: 4)
    #expect(titles(window) == [6, 5, 3, 2])
    let sorted = try await store.window(
      matching: try EpisodeFilter(words: ["sort:title"]), at: .around(EpisodeCursor(after: entry)), count: 3)
    #expect(titles(sorted) == [0, 1, 2] && sorted.hasMoreAfter)
  }
}
