import PodcastModel
import Podcatcher
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct ArtworkTests {
  /// A podcast with a red cover, drawn by ffmpeg.
  private func stage(cover: Response? = nil) async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    let file = stage.home.path + "/cover.jpg"
    let drawn = try await stage.home.program(
      "ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=red:s=300x300", "-frames:v", "1", file
    ).run()
    try #require(drawn.status == .exited(0))
    stage.server.serve("/cover.jpg", try cover ?? .ok(contents(of: file), type: "image/jpeg"))
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"))
    feed.channelExtra = "<itunes:image href=\"\(stage.server.url("/cover.jpg"))\"/>"
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    try await stage.subscribe()
    return stage
  }

  private func info(
    _ stage: Stage, answering answer: String = "\u{1B}[?62;c", _ more: [String] = [], colors: String = "truecolor"
  ) async throws -> String {
    let showing = try stage.home.podcli(["info", "sample"] + more).on(Program.Screen()).setting("COLORTERM", colors)
      .start()
    try await showing.wait(forScreen: "\u{1B}[c")
    showing.type(answer)
    return try await showing.end().transcript.screen
  }

  @Test func `a terminal shows the cover in its best kind, and it is fetched once`() async throws {
    let stage = try await stage()
    // JPEG is lossy.
    #expect(try await info(stage).contains("\u{1B}[38;2;25"))
    #expect(try await info(stage, colors: "").contains("\u{1B}[38;5;196;48;5;196m▀▀▀▀"))
    #expect(try await info(stage, answering: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c").contains("\u{1B}_Ga=T,f=24,"))
    #expect(try await info(stage, answering: "\u{1B}[?62;4c", ["--offline"]).contains("\u{1B}Pq"))
    #expect(stage.server.requests.count { $0.path == "/cover.jpg" } == 1)
  }

  @Test func `a pipe, JSON and a terminal without colour get no picture, and nothing is fetched`() async throws {
    let stage = try await stage()
    #expect(try await !stage.run("info", "sample", "--color", "always").output.contains("▀"))
    _ = try await stage.json("info", "sample")
    let plain = try await stage.home.podcli("info", "sample").on(Program.Screen()).setting("NO_COLOR", "1").run()
    #expect(!plain.transcript.screen.contains("▀"))
    #expect(!plain.transcript.screen.contains("\u{1B}[c"))
    #expect(!stage.server.requests.contains { $0.path == "/cover.jpg" })
  }

  @Test(arguments: [Response.status(404), .ok("#EXTM3U\nfile:///etc/passwd\n"), .ok([0xFF, 0xD8, 0xFF, 0xE0, 1, 2])])
  func `a broken picture is skipped silently, and not fetched again at once`(cover: Response) async throws {
    let stage = try await stage(cover: cover)
    for _ in 1...2 {
      let screen = try await info(stage)
      #expect(screen.contains("Sample Show"))
      #expect(!screen.contains("▀"))
    }
    #expect(stage.server.requests.count { $0.path == "/cover.jpg" } == 1)
  }

  @Test func `offline the page has no picture`() async throws {
    let stage = try await stage()
    #expect(try await !info(stage, ["--offline"]).contains("▀"))
    #expect(!stage.server.requests.contains { $0.path == "/cover.jpg" })
  }
}
