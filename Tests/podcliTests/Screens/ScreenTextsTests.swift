import PodcastModel
import TestSupport
import Testing

@testable import PodcastStore

/// Transcripts that the feed only links to, on the page Playing.
@Suite struct ScreenTextsTests {
  private static let words = Response.ok(
    "WEBVTT\n\n00:00.000 --> 00:20.000\nThe lighthouse keeper's grid.\n", type: "text/vtt")

  /// The screen on Home, beside a player that is stopped in episode 3.
  private static func open(
    _ answers: Response..., extra: String = ""
  ) async throws -> (Stage, TmuxScreen, lock: Connection) {
    let stage = try Stage(seconds: 60)
    var feed = SampleFeed(mediaBase: stage.server.url("/media"), seconds: 60)
    feed.itemExtra[3] = "<podcast:transcript url=\"\(stage.server.url("/t.vtt"))\" type=\"text/vtt\"/>" + extra
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    stage.server.serve("/t.vtt", inTurn: answers)
    try await stage.subscribe()
    try await stage.seed { try await $0.savePosition(.seconds(5), of: .init(rawValue: 3), urgency: .flush) }
    let screen = try await TmuxScreen(in: stage.home, columns: 80, rows: 24)
    try await screen.openPodcli()
    _ = try await screen.shows("■ 00:00:05")
    return (stage, screen, try Connection(path: stage.home.path + "/podcli/library.db", mode: .readWrite))
  }

  @Test func `a transcript that a locked library could not keep is fetched once more, and shown`() async throws {
    let (stage, screen, lock) = try await Self.open(Self.words)
    try lock.execute("BEGIN IMMEDIATE")
    try await screen.type("4")
    try await stage.server.request(2, to: "/t.vtt")
    try lock.execute("ROLLBACK")
    _ = try await screen.shows("The lighthouse keeper's grid.")
    try await screen.type("Q")
    try await screen.end()
  }

  @Test func `a transcript that the player fetches meanwhile is shown`() async throws {
    let gate = Gate()
    let (stage, screen, _) = try await Self.open(Self.words.delayed(until: gate), .status(404))
    try await screen.type("Enter")
    try await stage.server.request(1, to: "/t.vtt")
    try await screen.type("4")
    _ = try await screen.shows("404")
    gate.open()
    _ = try await screen.shows("The lighthouse keeper's grid.")
    try await screen.type("Q")
    try await screen.end()
  }

  @Test func `chapters that are written in the notes are shown`() async throws {
    let notes = "<p>0:00 Hello</p><p>0:03 The bridge</p><p>0:30 Bye</p>"
    let (stage, screen, _) = try await Self.open(
      Self.words, extra: "<content:encoded><![CDATA[\(notes)]]></content:encoded>")
    try await screen.type("4")
    _ = try await screen.shows("The lighthouse keeper's grid.")
    try await screen.type("c")
    _ = try await screen.shows("0:30 Bye")
    try await screen.type("Q")
    try await screen.end()
    let player = try stage.home.podcli("play", "3", "--paused").on(TestSupport.Program.Screen(columns: 100)).start()
    try await player.wait(forScreen: "⏸ 00:00:0")
    let attached = try stage.home.podcli("attach").on(TestSupport.Program.Screen(columns: 100)).start()
    try await attached.wait(forScreen: "⏸ 00:00:0")
    attached.type("c")
    try await attached.wait(forScreen: "0:03  The bridge")
    attached.type("q")
    #expect(try await attached.end().status == .exited(0))
    player.type("q")
    #expect(try await player.end().status == .exited(0))
  }

  @Test func `a transcript that the server refuses is said, and asked for once`() async throws {
    let (stage, screen, _) = try await Self.open(.status(404))
    try await screen.type("4")
    _ = try await screen.shows("404")
    _ = try await screen.shows("About episode 3.")
    #expect(stage.server.requests(to: "/t.vtt").count == 1)
    try await screen.type("Q")
    try await screen.end()
  }
}
