import PodcastModel
import PodcastStore
import TestSupport
import Testing

@testable import podcli

/// The whole screen in a real terminal, tmux, which counts clusters otherwise than podcli does.
@Suite struct FullScreenTests {
  @Test func `the terminal is as it was before: q, Q, TERM, HUP, INT, a crash`() async throws {
    let (stage, screen) = try await Stage.withScreen()
    try await screen.type("q")
    let before = try await Self.settings(screen, after: "the first q")
    for keys in ["q", "Q", "C-c"] {
      try await screen.openPodcli()
      try await screen.type(keys)
      #expect(try await Self.settings(screen, after: keys) == before, "\(keys)")
    }
    // The thread sanitizer takes the signals of a crash first, and sometimes ends by a check of its own.
    let crashes = isSanitized ? [] : ["SEGV", "ILL", "TRAP"]
    for signal in ["TERM", "HUP", "INT", "QUIT"] + crashes {
      try await screen.openPodcli()
      try await Self.kill(signal, stage, screen)
      #expect(try await Self.settings(screen, after: signal) == before, "\(signal)")
    }
    try await screen.end()
  }

  /// The settings of the terminal, once the shell has it again.
  private static func settings(_ screen: TmuxScreen, after what: String) async throws -> [Substring] {
    _ = try await screen.shows("the shell after \(what)") { !$0.contains("1 Home") }
    return try await screen.run("stty -a").split(separator: "\n").filter { !$0.hasPrefix("$") }
  }

  /// The one child of the shell in the terminal.
  private static func kill(_ signal: String, _ stage: Stage, _ screen: TmuxScreen) async throws {
    let shell = try await screen.processID()
    let children = try contents(of: "/proc/\(shell)/task/\(shell)/children")
    let pid = String(decoding: children, as: UTF8.self).split(separator: " ").first.map(String.init) ?? ""
    _ = try await stage.home.program("/bin/kill", "-\(signal)", pid).run()
  }

  @Test func `a refresh that runs is not started once more`() async throws {
    let (stage, screen) = try await Stage.withScreen()
    let gate = Gate()
    let feed = SampleFeed(mediaBase: stage.server.url("/media"))
    stage.server.serve("/feed.xml", .feed(feed.bytes).pausing(at: 100, until: gate))
    let before = stage.server.requests.count { $0.path == "/feed.xml" }
    try await screen.type("R")
    _ = try await screen.shows("refreshing")
    try await screen.type("R")
    _ = try await screen.shows("Already refreshing")
    gate.open()
    _ = try await screen.shows("the end of the refresh") { !$0.contains("refreshing") }
    #expect(stage.server.requests.count { $0.path == "/feed.xml" } == before + 1)
    try await screen.end()
  }

  @Test func `a refresh in which one feed fails tells the new episodes, too`() async throws {
    let (stage, screen) = try await Stage.withScreen()
    stage.server.serve("/other.xml", .feed(SampleFeed(title: "Other", episodes: 1).bytes))
    #expect(try await stage.run("subscribe", stage.server.url("/other.xml")).status == .exited(0))
    stage.server.serve("/other.xml", .feed(SampleFeed(title: "Other", episodes: 2).bytes))
    stage.server.serve("/feed.xml", Response.status(404))
    try await screen.type("R")
    _ = try await screen.shows("2 podcasts asked: 1 new episode, 1 failed")
    try await screen.end()
  }

  @Test func `with --library, the screen and the commands that it starts use that library`() async throws {
    let stage = try Stage()
    let folder = stage.home.path + "/other"
    try #require(try await stage.run("subscribe", stage.feedURL, "--library", folder).status == .exited(0))
    let screen = try await TmuxScreen(in: stage.home, columns: 80, rows: 24)
    try await screen.type("podcli --library \(folder)", "Enter")
    _ = try await screen.shows("the screen") { $0.contains("1 Home") && $0.contains("Episode 3") }
    try await screen.type(":", "podcasts --json", "Enter")
    _ = try await screen.shows(stage.feedURL)
    try await screen.type("Escape", "q")
    try await screen.end()
  }

  @Test func `the pictures of a screen with options are fetched, and none is with --offline`() async throws {
    let stage = try Stage()
    let options = ["--library=\(stage.home.path)/other"]
    for words in [options + ["--offline"], options, []] {
      let known = stage.server.requests.count
      let url = stage.server.url("/picture-\(words.count)")
      let outcome = try await stage.home.podcli(words + [PictureLoader.command, url]).run()
      #expect(outcome.status == .exited(0) && outcome.error.isEmpty, "\(outcome)")
      #expect(stage.server.requests.count - known == (words.contains("--offline") ? 0 : 1), "\(words)")
    }
  }

  @Test func `Ctrl-Z gives the terminal back as it was, and fg draws the screen again`() async throws {
    let (_, screen) = try await Stage.withScreen()
    try await screen.type("q")
    let before = try await Self.settings(screen, after: "the first q")
    try await screen.openPodcli()
    try await screen.type("C-z")
    _ = try await screen.shows("Stopped")
    #expect(try await Self.settings(screen, after: "Ctrl-Z") == before)
    try await screen.type("fg", "Enter")
    _ = try await screen.shows("1 Home")
    try await screen.type("3")
    _ = try await screen.shows(" Podcasts ")
    try await screen.type("q")
    #expect(try await Self.settings(screen, after: "fg and q") == before)
    try await screen.end()
  }

  @Test func `two hundred sizes in a row end as a screen drawn afresh`() async throws {
    let (_, screen) = try await Stage.withScreen()
    var random = SeededGenerator(seed: 8)
    for _ in 0..<200 {
      try await screen.resize(columns: .random(in: 1...300, using: &random), rows: .random(in: 1...100, using: &random))
    }
    try await screen.resize(columns: 120, rows: 36)
    let settled = try await screen.shows("the side") { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.count >= 36 && lines[35].contains(": keys") && lines[1].contains("Sample Show")
    }
    try await screen.type("C-l")
    #expect(try await screen.shows("the same") { $0 == settled } == settled)
    try await screen.type("q")
    try await screen.end()
  }

  @Test func `in a pipe and on a dumb terminal it is the help page, as with arguments before`() async throws {
    let home = try TemporaryHome()
    let piped = try await home.podcli().run()
    #expect(piped.status == .exited(0) && piped.output.contains("podcli COMMAND"))
    let dumb = try await home.podcli().on(Program.Screen(rows: 200)).setting("TERM", "dumb").setting("PAGER", "cat")
      .run()
    #expect(dumb.status == .exited(0))
    let filtered = try await home.program("/bin/sh", "-c", "\(builtProduct("podcli")) | cat")
      .on(Program.Screen(rows: 200)).setting("TERM", "xterm").run()
    for screen in [dumb.transcript.screen, filtered.transcript.screen] {
      #expect(screen.contains("podcli COMMAND") && !screen.contains("\u{1B}[?1049h"))
    }
  }

  @Test func `a player in another terminal is shown and controlled, and only Q stops it`() async throws {
    let (stage, screen) = try await Stage.withScreen(seconds: 180)
    let player = try stage.home.podcli("play", "3").on(Program.Screen(columns: 80, rows: 24)).start()
    _ = try await screen.shows("▶ 00:0")
    try await screen.pausesAtFive(stage)
    try await screen.type("]", "Right")
    _ = try await screen.shows("the speed and the jump") { $0.contains("1.1×") && $0.contains("⏸ 00:00:3") }
    try await screen.type("q")
    _ = try await screen.shows("the shell") { !$0.contains("1 Home") }
    #expect(try await stage.run("status").output.hasPrefix("paused\t3\t"))
    try await screen.openPodcli()
    _ = try await screen.shows("⏸ 00:00:3")
    try await screen.type("Down", "Enter")
    _ = try await screen.shows("▶ 00:0")
    #expect(try await !stage.run("status").output.hasPrefix("playing\t3\t"))
    try await screen.type("Q")
    _ = try await screen.shows("Stopped; go on with: podcli resume")
    #expect(try await player.end().status == .exited(0))
    try await screen.end()
  }

  @Test func `Q stops a player that is starting`() async throws {
    let (stage, screen) = try await Stage.withScreen(seconds: 180)
    try await screen.type("Enter", "Q")
    // Where the library was not open yet, the player never begins, and there is nothing to say of it.
    _ = try await screen.shows("the shell") { !$0.contains("1 Home") }
    // Once podcli has ended.
    try await screen.type("echo $((40 + 2))", "Enter")
    _ = try await screen.shows("the end") { $0.split(separator: "\n").contains("42") }
    let paused = try await stage.run("pause")
    #expect(paused.status == .exited(3), "\(paused)")
    try await screen.end()
  }

  @Test func `Q gives up a player that a command line is starting`() async throws {
    let (stage, screen) = try await Stage.withScreen()
    let gate = Gate()
    let sound = Response.resource(Tone(seconds: 60, sampleRate: Stage.sampleRate).wav, type: "audio/wav", etag: "\"1\"")
    stage.server.serve("/media/1.wav") { sound.answering($0).delayed(until: gate) }
    try await screen.type(":", "play 1", "Enter")
    _ = try await stage.server.request(1, to: "/media/1.wav")
    try await screen.type("q")
    _ = try await screen.shows("the screen") { !$0.contains("podcli play 1") }
    try await screen.type("Q")
    _ = try await screen.shows("Stopped; go on with: podcli resume")
    gate.open()
    #expect(try await stage.run("pause").status == .exited(3))
    try await screen.end()
  }

  @Test func `d stops a download that it began, and goes on with it`() async throws {
    let (stage, screen) = try await Stage.withScreen()
    let gate = Gate()
    let tone = Tone(seconds: 60, sampleRate: Stage.sampleRate).wav
    let sound = Response.resource(tone, type: "audio/wav", etag: "\"1\"")
    stage.server.serve("/media/3.wav") { sound.answering($0).pausing(at: tone.count / 2, until: gate) }
    try await screen.type("d")
    _ = try await stage.server.request(1, to: "/media/3.wav")
    try await screen.type("d")
    _ = try await screen.shows("The download is stopped; d goes on")
    try await screen.type("d")
    _ = try await stage.server.request(2, to: "/media/3.wav")
    try await screen.type("q")
    _ = try await screen.shows("Still downloading: podcli downloads shows how far it is")
    gate.open()
    try await stage.wait(for: "the file") { store in
      try await store.mediaRecord(of: EpisodeID(rawValue: 3))?.state == .complete
    }
    try await screen.end()
  }

  @Test func `a choice that is made while the player is starting is played`() async throws {
    let (stage, screen) = try await Stage.withScreen(seconds: 180)
    try await screen.type("Enter", "Down", "Enter")
    try await stage.wait(for: "the second choice") { try await $0.current()?.episode.id.rawValue == 2 }
    #expect(try await !screen.shows("▶ 00:0").contains("another podcli"))
    try await screen.type("Q")
    _ = try await screen.shows("Stopped; go on with: podcli resume")
    try await screen.end()
  }

  @Test func `what another podcli changes appears by itself`() async throws {
    let (stage, screen) = try await Stage.withScreen()
    try #require(try await stage.run("queue", "add", "1", "2").status == .exited(0))
    _ = try await screen.shows("2 Queue 2")
    try await screen.type("q")
    try await screen.end()
  }

  @Test func `beside a player that saves nothing, the second of two changes appears, too`() async throws {
    let (stage, screen) = try await Stage.withScreen()
    try #require(try await stage.run("download", "1").status == .exited(0))
    try #require(try await stage.run("play", "1", "--no-save", "--detach").status == .exited(0))
    _ = try await screen.shows("▶ 00:0")
    for (episode, count) in [("2", 1), ("3", 2)] {
      try #require(try await stage.run("queue", "add", episode).status == .exited(0))
      _ = try await screen.shows("2 Queue \(count)")
    }
    // Within the pause after the one before.
    try #require(try await stage.run("queue", "remove", "2").status == .exited(0))
    try #require(try await stage.run("queue", "remove", "3").status == .exited(0))
    _ = try await screen.shows("an empty queue") { !$0.contains("2 Queue 1") && !$0.contains("2 Queue 2") }
    try await screen.type("Q")
    try await screen.end()
  }

  @Test func `a picture that is waited for starts no pool of threads, which wakes each second`() async throws {
    let stage = try Stage()
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"))
    feed.channelExtra = "<itunes:image href=\"\(stage.server.url("/cover.jpg"))\"/>"
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    try await stage.subscribe()
    let screen = try stage.home.podcli().on(Program.Screen(columns: 120, rows: 36)).start()
    _ = try await stage.server.request(1, to: "/cover.jpg")
    let threads = Self.threads(of: screen.pid)
    // The end of the name of the pool's queue, com.apple.root.default-qos.
    #expect(threads.contains("podcli") && !threads.contains("oot.default-qos"), "\(threads)")
    screen.type("q")
    #expect(try await screen.end().status == .exited(0))
  }

  /// Their names; the system keeps 15 bytes of each.
  private static func threads(of process: Int32) -> [Substring] {
    let folder = "/proc/\(process)/task"
    return names(in: folder).flatMap { thread in
      String(decoding: (try? contents(of: "\(folder)/\(thread)/comm")) ?? [], as: UTF8.self).split(separator: "\n")
    }
  }

  @Test func `late answers of the terminal are not shown, and the screen goes on`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let program = try stage.home.podcli().on(Program.Screen(columns: 80, rows: 24)).setting("TERM", "xterm").start()
    try await program.wait(forScreen: "Episode 3")
    program.type("\u{1B}[?62;4;22c\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}P>|xterm(390)\u{1B}\\")
    program.type(":\u{1B}[?2026;2$y")
    try await program.wait(forScreen: "mark as played")
    program.type("\u{7F}q")
    let outcome = try await program.end()
    #expect(outcome.status == .exited(0))
    #expect(!outcome.transcript.screen.contains("62;4"))
    #expect(outcome.transcript.screen.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
  }
}
