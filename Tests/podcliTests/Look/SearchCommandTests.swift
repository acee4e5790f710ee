import PodcastModel
import PodcastStore
import ScreenKit
import System
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct SearchCommandTests {
  private func stage() async throws -> Stage {
    let stage = try await Stage.library(notes: [2: "<itunes:summary>A walk to the lighthouse</itunes:summary>"])
    try await stage.seed { store in
      try await store.setTranscript(
        [
          TranscriptSegment(start: 5, end: 8, text: "welcome to the show"),
          TranscriptSegment(start: 754.5, end: 760, text: "the garbage collector is never in time"),
        ], of: .init(rawValue: 1))
      try await store.setChapters([Chapter(start: 60, title: "Sourdough")], of: .init(rawValue: 3))
    }
    return stage
  }

  @Test func `a hit has its second, and play takes its reference`() async throws {
    let stage = try await stage()
    let said = try await stage.run("search", "garbage", "collector").output
    #expect(said.hasPrefix("1@12:34\tSample Show\tEpisode 1\ttranscript\t"))
    #expect(try await stage.run("search", "sourdough").output.hasPrefix("3@1:00\tSample Show\tEpisode 3\tchapters\t"))
    #expect(try await stage.run("search", "--in", "title", "garbage").output.isEmpty)
    #expect(lines(try await stage.run("search", "episode", "--podcast", "sample", "-n", "2").output).count == 2)
  }

  @Test func `the JSON of a hit has the matched words`() async throws {
    let document = try await stage().json("search", "garbage")
    #expect(document.hasPrefix(#"[{"episode":{"id":1,"#))
    #expect(document.contains(#""field":"transcript","time":754.5,"#))
    #expect(document.contains(#""matches":["garbage"]"#))
  }

  @Test func `a search after a large import says how far the index is, and completes it in the background`()
    async throws
  {
    let stage = try await Stage.library()
    try await stage.seed { store in
      var feed = Feed()
      feed.episodes = (1...600).map { number in
        var episode = FeedEpisode()
        episode.title = "Again \(number)"
        return episode
      }
      _ = try await store.subscribe(to: feed, at: "https://example.org/long")
    }
    do {
      let lock = try #require(FileLock(path: stage.home.path + "/podcli/library.db.indexing"))
      defer { withExtendedLifetime(lock) {} }
      let outcome = try await stage.run("search", "again")
      #expect(outcome.error.contains("Still indexing, 0 %"))
      #expect(outcome.status == .exited(0))
    }
    _ = try await stage.run("search", "again")
    let deadline = Deadline(after: .seconds(60))
    while try await stage.library().indexedPercentage() != nil, !deadline.hasPassed { await Task.yield() }
    let after = try await stage.run("search", "again", "-n", "1000")
    #expect(lines(after.output).count == 600 && after.error.isEmpty)
  }

  @Test func `no hit is success`() async throws {
    let outcome = try await stage().run("search", "zzz")
    #expect(outcome.status == .exited(0))
    #expect(outcome.error == "Nothing has the words 'zzz'.\n")
    let filtered = try await stage().run("search", "zzz", "minutes>9000")
    #expect(filtered.error == "Nothing that matches has the words 'zzz'.\n")
    #expect(try await TemporaryHome().podcli("search", "--in", "titel", "x").run().status == .exited(2))
  }

  @Test(arguments: [40, 80])
  func `fits the screen, with the words in bold`(columns: Int) async throws {
    let screen = try await stage().screen(["search", "garbage"], columns: columns)
    #expect(screen.contains("\u{1B}[1mgarbage\u{1B}[0m"))
    for line in lines(plain(screen)) { #expect(DisplayWidth.of(String(line)) <= columns) }
  }
}
