import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

/// The screen and the player, which is another process.
@Suite struct ScreenPlaybackTests {
  @Test(arguments: [(80, 24), (120, 36)])
  func `an episode plays in a process of its own: it goes on when the screen is left, and Q stops it`(
    columns: Int, rows: Int
  ) async throws {
    let (stage, screen) = try await Stage.withScreen(columns: columns, rows: rows, seconds: 180)
    try await screen.type("Enter")
    _ = try await screen.shows("the clock") { $0.contains("▶ 00:0") && $0.contains("-00:0") }
    try await screen.pausesAtFive(stage)
    try await screen.type("]", "Right")
    _ = try await screen.shows("the speed and the jump") { $0.contains("1.1×") && $0.contains("⏸ 00:00:3") }
    try await screen.type("Space")
    _ = try await screen.shows("▶ 00:0")
    try await screen.type("4")
    _ = try await screen.shows("About episode 3.")
    try await screen.type("q")
    _ = try await screen.shows("Still playing Episode 3")
    #expect(try await stage.run("status").output.hasPrefix("playing\t3\t"))
    try await screen.openPodcli()
    _ = try await screen.shows("▶ 00:0")
    try await screen.type("Space")
    _ = try await screen.shows("⏸ 00:0")
    try await screen.type("Space")
    _ = try await screen.shows("▶ 00:0")
    try await screen.type("Q")
    _ = try await screen.shows("Stopped; go on with: podcli resume")
    #expect(try await stage.run("status").output.hasPrefix("stopped\t3\t"))
    #expect(try #require(try await stage.position(of: 3)) >= 30)
    try await screen.end()
  }

  @Test func `the death of the player is told, and space goes on in a new one`() async throws {
    let stage = try Stage(seconds: 180)
    try await stage.subscribe()
    // A player that the screen starts can be killed before it has told that it plays, which is another message.
    try #require(try await stage.run("play", "3", "--detach").status == .exited(0))
    let screen = try await TmuxScreen(in: stage.home, columns: 80, rows: 24)
    try await screen.openPodcli()
    // By then the screen has its own connection to the player.
    _ = try await screen.advances()
    let status = JSON(parsing: try await stage.run("status", "--json").output)
    kill(try #require(status?["pid"]?.int.map(Int32.init)), SIGKILL)
    _ = try await screen.shows("The player has died; space goes on")
    try await screen.type("Space")
    _ = try await screen.shows("a new player") { $0.contains("▶ 00:0") && !$0.contains("has died") }
    try await screen.end()
  }

  @Test func `while a terminal stops all output, the voice and saving go on, and then the screen catches up`()
    async throws
  {
    let stage = try Stage(seconds: 180)
    try await stage.subscribe()
    let screen = try stage.home.podcli().on(Program.Screen(columns: 80, rows: 24)).setting("TERM", "xterm").start()
    try await screen.wait(forScreen: "Episode 3")
    screen.type("\r")
    try await screen.wait(forScreen: "▶")
    screen.type("\u{13}")
    func plays(to seconds: Double) async throws {
      try await stage.wait(for: "position \(seconds)") { library in
        let status = try await library.episode(EpisodeID(rawValue: 3))?.status
        return (status?.lastListenTime?.inSeconds ?? 0) >= seconds
      }
    }
    try await plays(to: 1)
    let shown = screen.transcript.screenBytes.count
    try await plays(to: 6)
    #expect(screen.transcript.screenBytes.count == shown)
    screen.type("\u{11}")
    try await screen.wait(for: "the frames since then") { $0.screenBytes.count > shown }
    screen.type("Q")
    try await screen.wait(forScreen: "Stopped")
    #expect(try await screen.end().status == .exited(0))
  }

  @Test func `a player that was left paused is stopped, and its position kept`() async throws {
    let (stage, screen) = try await Stage.withScreen(seconds: 180)
    try await screen.type("Enter")
    _ = try await screen.shows("▶ 00:0")
    try await screen.pausesAtFive(stage)
    try await screen.type("Right")
    _ = try await screen.shows("⏸ 00:00:3")
    try await screen.type("q")
    _ = try await screen.shows("Stopped; go on with: podcli resume")
    #expect(try await stage.run("status").output.hasPrefix("stopped\t3\t"))
    try await screen.openPodcli()
    _ = try await screen.shows("■ 00:00:3")
    try await screen.type("q")
    try await screen.end()
  }

  @Test func `a paused episode that is marked, unmarked by undo and marked again is marked`() async throws {
    let (stage, screen) = try await Stage.withScreen(seconds: 180)
    try await screen.type("Enter")
    _ = try await screen.shows("▶ 00:0")
    try await screen.pausesAtFive(stage)
    try await screen.type("4", "f")
    _ = try await screen.shows("Favourite: Episode 3")
    try await screen.type("u")
    _ = try await screen.shows("Undone: marking as favourite")
    try await screen.type("1")
    _ = try await screen.shows("the list without a mark") { $0.contains("Episode 2") && !$0.contains("★") }
    try await screen.type("4", "f")
    _ = try await screen.shows("Favourite: Episode 3")
    #expect(try await stage.library().episode(EpisodeID(rawValue: 3))?.isFavourite == true)
    try await screen.type("Q")
    try await screen.end()
  }

  @Test func `a sentence of a transcript is found, heard, and tied to the voice`() async throws {
    let stage = try Stage(seconds: 180)
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    let segments = (0..<20).map {
      // Each is a line of its own, as the speakers take turns.
      TranscriptSegment(
        start: Double($0 * 3), speaker: $0 % 2 == 0 ? "Ana" : "Joe", text: "Sentence number\($0) is said.")
    }
    try await store.setTranscript(segments, of: EpisodeID(rawValue: 2))
    await store.close()
    let screen = try await TmuxScreen(in: stage.home, columns: 80, rows: 24)
    try await screen.openPodcli()
    try await screen.type("/", "number14")
    _ = try await screen.shows("the passage") { $0.contains("0:42") && $0.contains("said") }
    try await screen.type("Down", "Enter")
    _ = try await screen.shows("the passage that plays") { text in
      ["0:4", "0:5", "1:", "2:"].contains { text.contains("▶ 00:0\($0)") }
    }
    try await screen.type("Space")
    _ = try await screen.shows("⏸ 00:0")
    let status = try #require(JSON(parsing: try await stage.json("status")))
    #expect(try #require(status["position"]?.double) >= 41.5)
    // It may have played for any time.
    try #require(try await stage.run("seek", "46").status == .exited(0))
    _ = try await screen.shows("⏸ 00:00:4")
    try await screen.type("Escape")
    _ = try await screen.shows("the list again") { !$0.contains("/number14") }
    try await screen.type("4")
    _ = try await screen.shows("▌  0:4")
    try await screen.type("Up", "Up", "T")
    _ = try await screen.shows("of the transcript is heard at")
    try await screen.type("u")
    _ = try await screen.shows("Undone: tying the transcript")
    _ = try await screen.shows("▌  0:45")
    try await screen.type("Q")
    _ = try await screen.shows("Stopped")
    try await screen.end()
  }
}
