import Glibc
import PodcastModel
import TestSupport
import Testing

@testable import PodcastStore

/// A huge feed and a kill. The benchmarks measure its time, its memory and the waits of other processes.
@Suite struct HugeFeedTests {
  private let stage: Stage
  private static let items = 20_000

  init() throws {
    stage = try Stage()
    let feed = SampleFeed(title: "Huge", episodes: Self.items).bytes
    let whole = Response.resource(feed, type: "application/rss+xml", etag: "\"whole\"")
    stage.server.serve("/huge.xml") { whole.answering($0) }
  }

  @Test func `X5: the next refresh completes a huge feed after a kill`() async throws {
    let library = stage.home.path + "/podcli/library.db"
    try await stage.subscribe()
    let before = try await stage.library().playlist().count
    let subscribing = try stage.home.podcli("subscribe", stage.server.url("/huge.xml")).start()
    try await eventually("the first slice", watching: stage.home.path + "/podcli") {
      let connection = try? Connection(path: library, mode: .readWrite)
      return (try? connection?.integer("SELECT count(*) FROM episodes")).flatMap { $0 } ?? 0 > before
    }
    subscribing.send(SIGKILL)
    _ = try await subscribing.end()

    let store = try stage.library()
    let huge = try #require(try await store.podcasts().first { $0.title == "Huge" })
    // Without a new ETag the server would answer 304.
    let etag = try await store.feed(of: huge.id)?.validators.etag
    #expect(etag == nil || huge.episodeCount == Self.items)
    for _ in 1...2 {
      #expect(try await stage.run("refresh").status == .exited(0))
      #expect(try await stage.library().podcasts().first { $0.id == huge.id }?.episodeCount == Self.items)
    }
    #expect(try await stage.library().feed(of: huge.id)?.validators.etag == "\"whole\"")
    #expect(try await stage.run("doctor", "--full").status == .exited(0))
  }
}
