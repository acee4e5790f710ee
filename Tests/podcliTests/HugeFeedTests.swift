import Glibc
import PodcastModel
import TestSupport
import Testing

@testable import PodcastStore

/// How fast a huge feed is taken, in how much memory, and how long others wait meanwhile, is for the benchmarks to say.
@Suite struct HugeFeedTests {
  private let stage: Stage
  private static let items = 20_000

  init() throws {
    stage = try Stage()
    let feed = SampleFeed(title: "Huge", episodes: Self.items).bytes
    let whole = Response.resource(feed, type: "application/rss+xml", etag: "\"whole\"")
    stage.server.serve("/huge.xml") { whole.answering($0) }
  }

  @Test func `X5: what a kill leaves out of a huge feed comes at the next refresh`() async throws {
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
    // Else the server would say that nothing has changed.
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
