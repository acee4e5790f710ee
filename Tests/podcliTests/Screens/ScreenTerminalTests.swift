import PodcastModel
import ScreenKit
import TestSupport
import Testing
import Text

@testable import PodcastStore

/// The screen on a pseudo-terminal whose bytes are read.
@Suite struct ScreenTerminalTests {
  /// A PNG of 16×16 points.
  private static let red =
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQV"
    + "R42mP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg=="

  /// A home with a podcast whose picture is red.
  private static func stage() async throws -> (home: TemporaryHome, server: LoopbackServer) {
    let home = try TemporaryHome()
    let server = try LoopbackServer()
    var feed = SampleFeed(mediaBase: server.url("/media"))
    feed.channelExtra = "<itunes:image href=\"\(server.url("/cover.png"))\"/>"
    server.serve("/feed.xml", Response.feed(feed.bytes))
    let picture = try #require(Array(Self.red.utf8).withUnsafeBufferPointer { Base64.decoded($0) })
    server.serve("/cover.png", Response.ok(picture, type: "image/png"))
    let outcome = try await home.podcli("subscribe", server.url("/feed.xml")).run()
    try #require(outcome.status == .exited(0), "\(outcome)")
    return (home, server)
  }

  @Test func `a picture is fetched and decoded by another process, and drawn`() async throws {
    let (home, server) = try await Self.stage()
    let program = try home.podcli().on(Program.Screen(columns: 120, rows: 36)).setting("TERM", "xterm-256color")
      .setting("COLORTERM", "truecolor").start()
    try await program.wait(forScreen: "\u{1B}[38;2;255;0;0;48;2;255;0;0m▀▀▀▀")
    let maps = String(decoding: try contents(of: "/proc/\(program.pid)/maps"), as: UTF8.self)
    for library in ["libmpv", "libcurl", "libxml2", "libsystemd", "libpulse"] { #expect(!maps.contains(library)) }
    program.type("\u{1B}[?62;4;22c")
    try await program.wait(forScreen: "\u{1B}Pq\"1;1;")
    program.type("q")
    #expect(try await program.end().status == .exited(0))
    withExtendedLifetime(server) {}
  }

  @Test func `an answer of the terminal that comes when the screen is left does not reach the shell`() async throws {
    let (home, _) = try await Self.stage()
    let line = "\(builtProduct("podcli")); read -rsn1 -t 1 left; echo \"left: <$left>\""
    let program = try home.program("/bin/bash", ["-c", line]).on(Program.Screen(columns: 120, rows: 36))
      .setting("TERM", "xterm-256color").setting("COLORTERM", "truecolor").start()
    try await program.wait(forScreen: "\u{1B}[c")
    program.type("q")
    try await program.wait(forScreen: "\u{1B}[?1049l")
    program.type("\u{1B}[?62;4;22c")
    try await program.wait(forScreen: "left: <>")
    try await program.end()
  }

  @Test func `on the console of Linux there are only glyphs that its fonts have`() async throws {
    let (home, _) = try await Self.stage()
    let store = try PodcastStore(path: home.path + "/podcli/library.db", access: .readWrite)
    try await store.savePosition(.seconds(1), of: EpisodeID(rawValue: 2), urgency: .flush)
    try await store.savePosition(.seconds(1), of: EpisodeID(rawValue: 1), urgency: .flush)
    await store.close()
    let program = try home.podcli().on(Program.Screen(columns: 80, rows: 24)).setting("TERM", "linux").start()
    try await program.wait(forScreen: "Episode 3")
    program.type("q")
    #expect(try await program.end().status == .exited(0))
    let glyphs = Set(program.transcript.screen.unicodeScalars.filter { $0.value > 0x7F })
    #expect(glyphs.isDisjoint(with: "▌━╸─●◐✓★▶⏸■…↻↓↑←→›".unicodeScalars), "\(glyphs)")
  }

  @Test func `a terminal stopped with Ctrl-S delays neither keys nor the end`() async throws {
    let (home, _) = try await Self.stage()
    let program = try home.podcli().on(Program.Screen(columns: 80, rows: 24)).setting("TERM", "xterm").start()
    try await program.wait(forScreen: "Episode 3")
    program.type("\u{13}")
    program.type("x")
    let store = try PodcastStore(path: home.path + "/podcli/library.db", access: .readOnly)
    let deadline = Deadline()
    while try await store.episode(EpisodeID(rawValue: 3))?.status.hasCompleted != true {
      try #require(!deadline.hasPassed)
    }
    program.type("q")
    let outcome = try await program.end()
    #expect(outcome.status == .exited(0))
    #expect(outcome.transcript.screen.contains(ScreenSession.endSequence))
  }

  @Test func `a mark that was typed before q is kept, though another process holds the library`() async throws {
    let (home, _) = try await Self.stage()
    let program = try home.podcli().on(Program.Screen(columns: 80, rows: 24)).setting("TERM", "xterm").start()
    try await program.wait(forScreen: "Episode 3")
    let path = home.path + "/podcli/library.db"
    let other = try Connection(path: path, mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    program.type("xq")
    try await program.wait(forScreen: ScreenSession.endSequence)
    try other.execute("COMMIT")
    #expect(try await program.end().status == .exited(0))
    let store = try PodcastStore(path: path, access: .readOnly)
    #expect(try await store.episode(EpisodeID(rawValue: 3))?.status.hasCompleted == true)
  }

  @Test func `changes that the library takes in no time are said to be missing`() async throws {
    let (home, _) = try await Self.stage()
    let program = try home.podcli().on(Program.Screen(columns: 80, rows: 24)).setting("TERM", "xterm").start()
    try await program.wait(forScreen: "Episode 3")
    let other = try Connection(path: home.path + "/podcli/library.db", mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    // The first is waited for, and fails; the second would fail later.
    program.type("xjxq")
    let outcome = try await program.end()
    try other.execute("ROLLBACK")
    let screen = outcome.transcript.screen
    let end = try #require(screen.ranges(of: ScreenSession.endSequence).last)
    for text in ["locked", "the last changes may be missing"] {
      #expect(screen[end.upperBound...].contains(text), "\(screen.suffix(500))")
    }
  }
}
