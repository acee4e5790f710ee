import Glibc
import PodcastModel
import PodcastStore
import ScreenKit
import TestSupport
import Testing

@testable import podcli

/// The screen while an episode plays.
@Suite struct PlayingViewTests {
  @Test(arguments: [40, 80, 200])
  func `the playing line fits, counts, and is erased at the end`(columns: Int) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen(columns: columns, rows: 10)).start()
    try await playing.wait(forScreen: "▶ 00:00:01")
    playing.type("q")
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0))
    let screen = outcome.transcript.screen
    for line in screen.split(whereSeparator: { ["\r", "\n", "\r\n"].contains($0) }) where line.contains("▶") {
      #expect(DisplayWidth.of(String(line.replacing("\u{1B}[K", with: ""))) < columns)
    }
    #expect(screen.contains("Stopped at 0:0"))
    let wiped = try #require(screen.ranges(of: "\r\u{1B}[K").last)
    #expect(screen[wiped.upperBound...].hasPrefix("Stopped"))
  }

  @Test func `Escape and Alt with a bracket are keys, and those behind them are read`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    for begin in ["\u{1B}", "\u{1B}]", "\u{1B}["] {
      let playing = try stage.home.podcli("play", "1", "--start", "10").on(Program.Screen()).start()
      try await playing.wait(forScreen: "▶ 00:00:10")
      playing.type(begin)
      // A sequence that has begun is waited for no longer.
      try await playing.wait(forScreen: "▶ 00:00:12")
      playing.type("]q")
      #expect(try await playing.end().status == .exited(0), "\(begin.debugDescription)")
    }
  }

  @Test func `keys pause, seek and change the speed`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen()).start()
    try await playing.wait(forScreen: "▶ 00:00:00")
    playing.type(" ")
    try await playing.wait(forScreen: "⏸")
    playing.type("\u{1B}[C")
    try await playing.wait(forScreen: "━━━━")
    playing.type("]")
    try await playing.wait(forScreen: "1.1×")
    playing.type("q")
    #expect(try await playing.end().status == .exited(0))
    #expect(try #require(try await stage.position(of: 1)) >= 29)
  }

  @Test func `the previous episode resumes, and no queued episode plays twice`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    _ = try await stage.run("queue", "add", "1", "2", "3")
    let playing = try stage.home.podcli("play", "1", "--start", "30").on(Program.Screen(columns: 120)).start()
    try await playing.wait(forScreen: "▶ 00:00:31")
    playing.type("n")
    try await playing.wait(forScreen: "Playing Sample Show: Episode 2")
    try await playing.wait(forScreen: "▶ 00:00:01")
    playing.type("p")
    try await playing.wait(forScreen: "Resuming Sample Show: Episode 1 at 0:3")
    playing.type("n")
    try await playing.wait(forScreen: "Resuming Sample Show: Episode 2")
    playing.type("n")
    try await playing.wait(forScreen: "Playing Sample Show: Episode 3")
    playing.type("n")
    try await playing.wait(forScreen: "There is no other episode to go to")
    playing.type("q")
    #expect(try await playing.end().status == .exited(0))
    #expect(try #require(try await stage.position(of: 1)) > 29)
  }

  @Test
  func `an episode that became shorter than its position plays from the start and keeps the position as a bookmark`()
    async throws
  {
    let stage = try Stage(episodes: 1, seconds: 5)
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.savePosition(.seconds(90), of: .init(rawValue: 1), urgency: .flush)
    await store.close()
    let outcome = try await stage.home.podcli("play", "1").setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("is over at 0:05 now, before your position at 1:30"))
    #expect(try await stage.status(of: 1).hasCompleted)
    let bookmarks = try await stage.library().bookmarks(of: .init(rawValue: 1))
    #expect(bookmarks.map(\.position) == [.seconds(90)])
  }

  @Test(arguments: [("1:30", "is over at 0:05, before 1:30"), ("0:05", "is over at 0:05\n")])
  func `a start behind the end is refused with the length, and changes nothing`(
    start: String, words: String
  ) async throws {
    let stage = try Stage(episodes: 2, seconds: 5)
    let bytes = try await Tone(seconds: 5).encoded(as: "mp3", options: ["-q:a", "4"])
    stage.server.serve("/media/1.wav") { Response.resource(bytes, type: "audio/mpeg").answering($0) }
    try await stage.subscribe()
    let store = try PodcastStoreForTests.writing(stage.home)
    try await store.startPlaying(.init(rawValue: 2), at: .now)
    try await store.savePosition(.seconds(3), of: .init(rawValue: 2), urgency: .flush)
    await store.close()
    let outcome = try await stage.run("play", "1", "--start", start)
    #expect(outcome.status == .exited(2), "\(outcome)")
    #expect(outcome.error.contains(words), "\(outcome)")
    #expect(!outcome.error.contains("--remove") && !outcome.error.contains("Playing"))
    #expect(try await stage.library().current()?.episode.id.rawValue == 2)
    #expect(try await stage.status(of: 1) == EpisodeStatus())
  }

  @Test(arguments: [["-b:a", "32k"], ["-q:a", "7"]])
  func `a streamed MP3 that its feed says is longer ends where its tag says`(options: [String]) async throws {
    let stage = try Stage(episodes: 1, seconds: 1)
    let feed = SampleFeed(
      episodes: 1, mediaBase: stage.server.url("/media"), mediaEnding: "mp3", mediaType: "audio/mpeg", seconds: 250)
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    let bytes = try await Tone(seconds: 100, frequency: 440, sampleRate: 22050).then(seconds: 50, frequency: 700)
      .encoded(as: "mp3", options: options)
    stage.server.serve("/media/1.mp3") { Response.resource(bytes, type: "audio/mpeg", etag: "\"1\"").answering($0) }
    try await stage.subscribe()
    let refused = try await stage.run("play", "1", "--start", "4:00")
    #expect(refused.status == .exited(2) && refused.error.contains("is over at 2:30, before 4:00"), "\(refused)")
    #expect(try await stage.status(of: 1) == EpisodeStatus())
    let playing = try stage.home.podcli("play", "1").on(Program.Screen()).start()
    try await playing.wait(forScreen: "▶ 00:00:0")
    let beyond = try await stage.run("seek", "4:00")
    #expect(beyond.status == .exited(2) && beyond.error.contains("is over at 2:30"), "\(beyond)")
    // A step behind the end ends it.
    _ = try await stage.run("seek", "+4:00")
    #expect(try await playing.end().status == .exited(0))
    #expect(try await stage.status(of: 1).hasCompleted)
    let length = try await stage.library().episode(.init(rawValue: 1))?.duration
    #expect(try #require(length) < .seconds(151), "\(String(describing: length))")
  }

  @Test func `a terminal that takes no output keeps no other process from stopping the player`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen()).start()
    try await playing.wait(forScreen: "▶ 00:00:01")
    playing.type("\u{13}")
    // As Ctrl-S has reached the terminal, nothing more comes.
    for word in [["volume", "90"], ["stop"]] {
      let outcome = try await stage.home.podcli(word).run()
      #expect(outcome.status == .exited(0), "\(word): \(outcome)")
    }
    #expect(try await stage.run("status").output.hasPrefix("stopped"))
    playing.type("\u{11}")
    #expect(try await playing.end().status == .exited(0))
  }

  @Test func `Ctrl-Z where no shell could continue it does not stop it`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen()).start()
    try await playing.wait(forScreen: "▶ 00:00:0")
    playing.type("\u{1A}")
    playing.type("q")
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0) && outcome.transcript.screen.contains("Stopped"))
  }

  @Test func `keys that change the sound show it, and the help is above the line`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen(columns: 120)).start()
    try await playing.wait(forScreen: "▶ 00:00:00")
    playing.type("t")
    try await playing.wait(forScreen: "trim mild")
    playing.type("?")
    try await playing.wait(forScreen: "\r\u{1B}[K  space ")
    playing.type("q")
    #expect(try await playing.end().status == .exited(0))
  }

  @Test func `a terminal stopped with Ctrl-S does not delay the end`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").on(Program.Screen()).start()
    try await playing.wait(forScreen: "▶ 00:00:01")
    playing.type("\u{13}")
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    #expect(try #require(try await stage.position(of: 1)) > 0.9)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `every end restores the terminal`(signal: Int32) async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let podcli = builtProduct("podcli")
    let script = "before=$(stty -g); '\(podcli)' play 1; [ \"$(stty -g)\" = \"$before\" ] && echo same"
    let shell = try stage.home.program("/bin/bash", "-c", "trap : INT; " + script).on(Program.Screen()).start()
    try await shell.wait(forScreen: "▶ 00:00:01")
    if signal == SIGINT {
      shell.type("\u{3}")
    } else {
      kill(try #require(try stage.player()), signal)
    }
    let outcome = try await shell.end()
    #expect(outcome.transcript.screen.contains("Stopped at 0:0"))
    #expect(outcome.transcript.screen.hasSuffix("same\r\n"))
  }
}

extension Stage {
  /// The process id of the player, from its lock.
  fileprivate func player() throws -> pid_t? {
    let lock = String(decoding: try contents(of: home.path + "/podcli/player.lock"), as: UTF8.self)
    return lock.split(separator: " ").first.flatMap { pid_t($0) }
  }
}
