import Playback
import PodcastModel
import TestSupport
import Testing
import Text

@testable import podcli

@Suite struct PictureTextTests {
  /// Red and green above, blue and white below.
  private func sample() throws -> Picture {
    try #require(Picture(width: 2, height: 2, pixels: [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]))
  }

  @Test func `half blocks show two points in a cell`() throws {
    let text = PictureText(kind: .halfBlocks(.all), rows: 1).rendered(try sample())
    #expect(text == "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀\u{1B}[38;2;0;255;0;48;2;255;255;255m▀\u{1B}[0m\n")
    let few = PictureText(kind: .halfBlocks(.palette), rows: 1).rendered(try sample())
    #expect(few == "\u{1B}[38;5;196;48;5;21m▀\u{1B}[38;5;46;48;5;231m▀\u{1B}[0m\n")
  }

  @Test func `kitty gets the points themselves, in pieces it takes`() throws {
    #expect(
      PictureText(kind: .kitty, rows: 3).rendered(try sample())
        == "\u{1B}_Ga=T,f=24,q=2,s=2,v=2,r=3,m=0;/wAAAP8AAAD/////\u{1B}\\\n")
    let large = try #require(Picture(width: 64, height: 64, pixels: [UInt8](repeating: 9, count: 64 * 64 * 3)))
    let pieces = PictureText(kind: .kitty, rows: 3).rendered(large).split(separator: "\u{1B}\\")
    #expect(pieces.count == 5)
    #expect(pieces.allSatisfy { $0.utf8.count < 4096 + 64 })
    #expect(pieces[1].hasPrefix("\u{1B}_Gm=1;"))
    #expect(pieces[3].hasPrefix("\u{1B}_Gm=0;"))
  }

  @Test func `a sixel says its size, its colours and its stripes`() throws {
    let picture = try #require(Picture(width: 8, height: 6, pixels: [UInt8](repeating: 255, count: 8 * 6 * 3)))
    #expect(Sixel(picture).text == "\u{1B}Pq\"1;1;8;6#215;2;100;100;100#215!8~\u{1B}\\")
  }

  @Test(arguments: [
    ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c", PictureText.Kind.kitty), ("\u{1B}[?62;4;6c", .sixel),
  ])
  func `a terminal says what it draws`(answer: String, kind: PictureText.Kind) {
    #expect(PictureTerminal.kind(answering: answer) == kind)
  }

  @Test(arguments: ["", "\u{1B}[?62;c", "\u{1B}[?1;2c", "\u{1B}_Gi=31;ENOTSUPPORTED\u{1B}\\\u{1B}[?64;14c", "4c"])
  func `one that draws nothing is taken at its word`(answer: String) {
    #expect(PictureTerminal.kind(answering: answer) == nil)
  }
}

@Suite struct ArtworkTests {
  /// A podcast whose cover ffmpeg draws: red.
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

  @Test func `a terminal shows the cover as well as it can, and it is fetched once`() async throws {
    let stage = try await stage()
    // JPEG is not exact.
    #expect(try await info(stage).contains("\u{1B}[38;2;25"))
    #expect(try await info(stage, colors: "").contains("\u{1B}[38;5;196;48;5;196m▀▀▀▀"))
    #expect(try await info(stage, answering: "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c").contains("\u{1B}_Ga=T,f=24,"))
    #expect(try await info(stage, answering: "\u{1B}[?62;4c", ["--offline"]).contains("\u{1B}Pq"))
    #expect(stage.server.requests.count { $0.path == "/cover.jpg" } == 1)
  }

  @Test func `a pipe, JSON and whoever wants no colour get no picture, and nothing is asked for`() async throws {
    let stage = try await stage()
    #expect(try await !stage.run("info", "sample", "--color", "always").output.contains("▀"))
    _ = try await stage.json("info", "sample")
    let plain = try await stage.home.podcli("info", "sample").on(Program.Screen()).setting("NO_COLOR", "1").run()
    #expect(!plain.transcript.screen.contains("▀"))
    #expect(!plain.transcript.screen.contains("\u{1B}[c"))
    #expect(!stage.server.requests.contains { $0.path == "/cover.jpg" })
  }

  @Test(arguments: [Response.status(404), .ok("#EXTM3U\nfile:///etc/passwd\n"), .ok([0xFF, 0xD8, 0xFF, 0xE0, 1, 2])])
  func `what is no picture is passed over in silence, and not asked for again at once`(cover: Response) async throws {
    let stage = try await stage(cover: cover)
    for _ in 1...2 {
      let screen = try await info(stage)
      #expect(screen.contains("Sample Show"))
      #expect(!screen.contains("▀"))
    }
    #expect(stage.server.requests.count { $0.path == "/cover.jpg" } == 1)
  }

  @Test func `offline there is a page without a picture`() async throws {
    let stage = try await stage()
    #expect(try await !info(stage, ["--offline"]).contains("▀"))
    #expect(!stage.server.requests.contains { $0.path == "/cover.jpg" })
  }
}
