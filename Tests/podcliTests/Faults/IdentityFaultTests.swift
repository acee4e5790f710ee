import PodcastModel
import PodcastStore
import TestSupport
import Testing

/// Publishers that change the identifiers of their episodes.
@Suite struct IdentityFaultTests {
  private static func feed(_ episodes: [(guid: String, title: String, url: String)]) -> Response {
    let items = episodes.enumerated().map { number, episode in
      """
      <item><guid>\(episode.guid)</guid><title>\(episode.title)</title>
      <pubDate>Mon, 0\(number + 1) Jan 2024 12:00:00 GMT</pubDate><enclosure url="\(episode.url)" type="audio/mpeg"/></item>
      """
    }
    return .feed(Array("<rss><channel><title>A</title>\(items.joined())</channel></rss>".utf8))
  }

  private static let plain = (1...4).map { ("g\($0)", "Title \($0)", "http://h.example/\($0).mp3") }

  static let changes: [(String, [(guid: String, title: String, url: String)])] = [
    ("I1: every guid", (1...4).map { ("new\($0)", "Title \($0)", "http://h.example/\($0).mp3") }),
    ("I1: every title", (1...4).map { ("g\($0)", "Edited \($0)", "http://h.example/\($0).mp3") }),
    ("I1: every enclosure", (1...4).map { ("g\($0)", "Title \($0)", "http://cdn.example/\($0).mp3") }),
    ("I1: a token in every address", (1...4).map { ("g\($0)", "Title \($0)", "http://h.example/\($0).mp3?t=\($0)x") }),
    ("I2: old ones leave", [("g4", "Title 4", "http://h.example/4.mp3")]),
    ("I2: all of them leave", []),
  ]

  @Test(arguments: changes.indices)
  func `the episodes keep their positions`(index: Int) async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    stage.server.serve("/a", Self.feed(Self.plain))
    _ = try await stage.run("subscribe", stage.server.url("/a"))
    let store = try PodcastStoreForTests.writing(stage.home)
    for id in 1...4 {
      try await store.savePosition(.seconds(Int64(id * 10)), of: .init(rawValue: Int64(id)), urgency: .flush)
    }
    await store.close()
    stage.server.serve("/a", Self.feed(Self.changes[index].1))
    let outcome = try await stage.run("refresh", "--json")
    #expect(outcome.output.contains(#""newEpisodes":0"#), "\(Self.changes[index].0): \(outcome)")
    #expect(try await stage.library().playlist().count == 4)
    for id in 1...4 { #expect(try await stage.position(of: Int64(id)) == Double(id * 10)) }
  }

  @Test func `I3: guids count within a feed, and two items with one guid are two episodes`() async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let twins = [("g", "One", "http://h.example/1.mp3"), ("g", "Two", "http://h.example/2.mp3")]
    for path in ["/a", "/b"] {
      stage.server.serve(path, Self.feed(twins))
      _ = try await stage.run("subscribe", stage.server.url(path))
    }
    #expect(try await stage.library().playlist().count == 4)
    _ = try await stage.run("refresh", "--force")
    #expect(try await stage.library().playlist().count == 4)
  }
}
