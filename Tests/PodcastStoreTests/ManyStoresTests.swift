import PodcastModel
import TestSupport
import Testing

@testable import PodcastStore

/// Several connections to one file, as several processes would have.
struct ManyStoresTests {
  private let library = TemporaryLibrary()

  @Test func `S6: a library made by several at once is one library`() async throws {
    let path = library.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask {
          let store = try PodcastStore(path: path)
          _ = try await store.subscribe(to: .sample(episodes: 50), at: "https://example.org/\(number)")
          await store.close()
        }
      }
      try await group.waitForAll()
    }
    let store = try library.open()
    #expect(try await store.podcasts().count == 6)
    #expect(try await store.playlist().count == 300)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `S6: the same feed merged by several at once is there once`() async throws {
    let path = library.path
    try await withThrowingTaskGroup(of: MergeResult.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let store = try PodcastStore(path: path)
          defer { withExtendedLifetime(store) {} }
          return try await store.subscribe(to: .sample(episodes: 400), at: "https://example.org/feed")
        }
      }
      var added = 0
      for try await result in group { added += result.added.count }
      #expect(added == 400)
    }
    let store = try library.open()
    #expect(try await store.playlist().count == 400)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `S6: a feed whose episodes all change is merged by several at once, and no episode is there twice`()
    async throws
  {
    let stores = [try library.open(), try library.open(), try library.open()]
    var feed = Feed.sample(episodes: 3000)
    let podcast = try await stores[0].subscribe(to: feed, at: "https://example.org/feed").podcast
    let reader = try Connection(path: library.path, mode: .readWrite)
    for round in 1...3 {
      for index in feed.episodes.indices {
        feed.episodes[index].publishedAt = Timestamp(seconds: Int64(1_600_000_000 + 60 * index + round))
      }
      let feed = feed
      async let first = stores[0].merge(feed, into: podcast)
      // The others begin when a part of it is written.
      let isBegun: SQL =
        "SELECT count(*) FROM episodes WHERE published_at % 60 = \(Int64((1_600_000_000 + round) % 60))"
      let deadline = Deadline()
      while try reader.integer(isBegun) == 0 {
        if deadline.hasPassed { throw Overdue("the first slice") }
        await Task.yield()
      }
      async let second = stores[1].merge(feed, into: podcast)
      async let third = stores[2].merge(feed, into: podcast)
      #expect(try await [first, second, third].allSatisfy { $0.added.isEmpty })
    }
    #expect(try reader.integer("SELECT count(*) FROM episodes") == 3000)
    #expect(try await stores[0].problems(.full) == [])
  }

  @Test func `S6, X5: positions get through while a long feed is merged`() async throws {
    let player = try library.open()
    let id = try await player.subscribe(to: .sample(episodes: 1), at: "https://example.org/played").added[0]
    let path = library.path
    async let merged = {
      let store = try PodcastStore(path: path)
      let result = try await store.subscribe(to: .sample(episodes: 3000), at: "https://example.org/long")
      try await store.indexForSearch()
      return result
    }()
    for second in 1...100 { try await player.savePosition(.seconds(second), of: id, urgency: .tick) }
    #expect(try await merged.added.count == 3000)
    #expect(try await player.episode(id)?.status.lastListenTime == .seconds(100))
  }
}
