import Glibc
import ScreenKit
import TestSupport
import Testing

@testable import podcli

/// A session with many commands, on a narrow screen and a wide one. Each screen must show the expected texts;
/// `PODCLI_SHOW_SCREENS=1` prints all screens.
@Suite struct DailyUseTests {
  /// Longer than this test may wait for its turn beside others, so that no episode ends meanwhile.
  private let seconds = 600

  @Test(arguments: [80, 200])
  func `refresh, look, search, line up, play, go on, look back, undo`(columns: Int) async throws {
    let stage = try Stage(episodes: 1, seconds: seconds)
    let feed = SampleFeed(episodes: 2, mediaBase: stage.server.url("/media"), seconds: seconds)
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    try await stage.subscribe()
    let more = SampleFeed(episodes: 5, mediaBase: stage.server.url("/media"), seconds: seconds)
    stage.server.serve("/feed.xml", Response.feed(more.bytes))
    let tone = Response.resource(Tone(seconds: Double(seconds)).wav, type: "audio/wav", etag: "\"1\"")
    stage.server.serveOthers { tone.answering($0) }
    let terminal = try await TmuxScreen(in: stage.home, columns: columns, rows: 24)
    let morning = Morning(terminal: terminal, columns: columns)

    try await morning.run("podcli refresh", shows: ["Sample Show: 3 new episodes", "1 podcast asked: 3 new episodes"])
    try await morning.run(
      "podcli playlist", shows: ["5 ● Sample Show Episode 5", "1 ● Sample Show Episode 1", "10:00"])
    try await morning.run("podcli search episode 4", shows: ["4  Sample Show: Episode 4", "title"])
    try await morning.run(
      "podcli queue add 2 3 4", shows: ["Added: 3 episodes (3 episodes in the queue, 30 min to hear)"])
    try await morning.run("podcli queue", shows: ["2 ● Sample Show Episode 2", "3 episodes in the queue"])
    try await morning.play()
    try await morning.run("podcli status", shows: ["■ 00:0", "Sample Show: Episode 2"])
    try await morning.run("podcli bookmarks", shows: ["5@", "Episode 5"])
    try await morning.run("podcli history", shows: ["Today", "Episode 5", "Episode 2"])
    try await morning.run("podcli stats", shows: ["Listened ", "By day", "By podcast", "Sample Show"])
    try await morning.run("podcli undo", shows: ["Undone: adding to the queue: 3 episodes"])
    try await terminal.end()
  }
}

private struct Morning {
  let terminal: TmuxScreen
  let columns: Int

  func run(_ line: String, shows texts: [String]) async throws {
    let screen = try await terminal.run(line)
    check(screen, line, texts)
  }

  /// Plays an episode, sets a bookmark, goes to the next one, and stops.
  func play() async throws {
    try await terminal.type("clear; podcli play 5", "Enter")
    check(
      try await terminal.advances(), "playing", ["Playing Sample Show: Episode 5", "-00:0", "Sample Show: Episode 5"])
    try await terminal.type("m")
    check(try await terminal.shows("Bookmarked"), "bookmarked", ["Bookmarked "])
    try await terminal.type("n")
    _ = try await terminal.shows("Playing Sample Show: Episode 2")
    check(try await terminal.advances(), "the next one", ["Sample Show: Episode 2"])
    try await terminal.type("q")
    check(try await terminal.shows("go on with: podcli resume"), "stopped", ["Stopped at "])
  }

  /// No line is wider than the screen, no escape sequence is left over, and no redrawn line is there twice.
  private func check(_ screen: String, _ line: String, _ texts: [String]) {
    if Show.isWanted { print("\(line), \(columns) columns:\n\(screen)") }
    for text in texts { #expect(screen.contains(text), "\(line): \(text) is not in\n\(screen)") }
    #expect(!screen.contains("\u{1B}") && !screen.contains("[K"), "\(line)\n\(screen)")
    for row in lines(screen) { #expect(DisplayWidth.of(String(row)) <= columns) }
    #expect(screen.ranges(of: "▶ 00:").count <= 1, "\(line)\n\(screen)")
  }
}

private enum Show {
  static let isWanted = getenv("PODCLI_SHOW_SCREENS") != nil
}
