import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

/// The control words, from another process than the player's.
@Suite struct ControlCommandTests {
  /// A player of an episode of that length, and its stage.
  private func playing(seconds: Int = 60, _ more: String...) async throws -> (Stage, RunningProgram) {
    let stage = try Stage(seconds: seconds)
    try await stage.subscribe()
    let playing = try stage.home.podcli(["play", "1"] + more).start()
    try await stage.wait(
      forStatus: more.contains("--paused") ? #""state":"paused","episode""# : #""state":"playing","episode""#,
      #""position""#, #""socket""#)
    return (stage, playing)
  }

  private func status(_ stage: Stage, _ words: String...) async throws -> JSON {
    let outcome = try await stage.home.podcli(words + ["--json"]).run()
    try #require(outcome.status == .exited(0), "\(words): \(outcome)")
    return try #require(JSON(parsing: outcome.output))
  }

  /// Whether the position after the words is that, or nearly: libmpv subtracts what lies in the audio output's buffer.
  private func isAt(_ seconds: Double, _ stage: Stage, _ words: String...) async throws -> Bool {
    let position = try #require(
      JSON(parsing: try await stage.home.podcli(words + ["--json"]).run().output)?["position"])
    return try abs(#require(position.double) - seconds) < 1.5
  }

  @Test func `the answer has the change, also beside that of another client`() async throws {
    let (stage, playing) = try await playing("--paused")
    for volume in stride(from: 20, through: 110, by: 10) {
      async let other = stage.run("trim", volume % 20 == 0 ? "mild" : "off")
      let answer = try await status(stage, "volume", String(volume))
      #expect(answer["volume"]?.double == Double(volume))
      #expect(try await other.status == .exited(0))
    }
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `a long step behind the end ends the episode there, and leaves a bookmark`() async throws {
    let (stage, playing) = try await playing("--paused")
    #expect(try await isAt(20, stage, "seek", "20"))
    #expect(try await status(stage, "play")["state"] == "playing")
    let answer = try await status(stage, "seek", "+9:00")
    #expect(answer["episode"]?["id"] == 2 || answer["position"]?.double.map { $0 < 61 } == true, "\(answer)")
    try await stage.wait(forStatus: #""state":"playing","episode":{"id":2,"#)
    #expect(try await stage.run("stop").status == .exited(0))
    #expect(try await playing.end().status == .exited(0))
    #expect(try await stage.status(of: 1).hasCompleted)
    let bookmarks = try await stage.library().bookmarks(of: .init(rawValue: 1))
    #expect(bookmarks.count == 1 && bookmarks.allSatisfy { $0.position >= .seconds(18) && $0.position < .seconds(29) })
  }

  @Test func `a step behind the end that skips little leaves no bookmark`() async throws {
    let (stage, playing) = try await playing("--paused")
    #expect(try await isAt(45, stage, "seek", "45"))
    #expect(try await status(stage, "play")["state"] == "playing")
    #expect(try await stage.run("seek", "+30").status == .exited(0))
    try await stage.wait(forStatus: #""state":"playing","episode":{"id":2,"#)
    #expect(try await stage.run("stop").status == .exited(0))
    #expect(try await playing.end().status == .exited(0))
    #expect(try await stage.status(of: 1).hasCompleted)
    #expect(try await stage.library().bookmarks(of: .init(rawValue: 1)).isEmpty)
  }

  @Test func `each word does what it says, and the answer shows it`() async throws {
    let (stage, playing) = try await playing("--paused")
    #expect(try await status(stage, "play")["state"] == "playing")
    #expect(try await status(stage, "pause")["state"] == "paused")
    #expect(try await status(stage, "toggle")["state"] == "playing")
    #expect(try await status(stage, "toggle")["state"] == "paused")
    #expect(try await isAt(30, stage, "seek", "30"))
    #expect(try await isAt(20, stage, "seek", "-10"))
    #expect(try await isAt(25, stage, "seek", "+5"))
    #expect(try await isAt(30, stage, "seek", "50%"))
    // Steps in a pause lead back to where they began.
    for step in ["+10", "-10", "+10", "-10", "+10", "-10"] { _ = try await status(stage, "seek", step) }
    let back = try #require(try await status(stage, "status")["position"]?.double)
    #expect(abs(back - 30) < 0.1, "\(back)")
    let beyond = try await stage.run("seek", "99:00")
    #expect(beyond.status == .exited(2) && beyond.error.contains("the episode is over at 1:00"))
    #expect(try await stage.run("open", "1", "99:00").status == .exited(2))
    #expect(try await isAt(30, stage, "pause"))
    #expect(try await status(stage, "speed", "1.4")["speed"]?.double == 1.4)
    #expect(try await status(stage, "speed", "-0.1")["speed"]?.double.map { ($0 * 10).rounded() } == 13)
    #expect(try await status(stage, "volume", "80")["volume"]?.double == 80)
    #expect(try await status(stage, "volume", "+5")["volume"]?.double == 85)
    #expect(try await status(stage, "trim", "mild")["trim"] == "mild")
    #expect(try await status(stage, "trim")["trim"] == "medium")
    #expect(try await status(stage, "boost", "on")["boost"] == true)
    #expect(try await status(stage, "sleep", "30m")["sleepAt"] != nil)
    #expect(try await status(stage, "sleep", "off")["sleepAt"] == nil)
    let next = try await status(stage, "next")
    #expect(next["episode"]?["id"] == 2)
    #expect(next["volume"]?.double == 85 && next["trim"] == "medium" && next["boost"] == true)
    #expect(try await status(stage, "speed", "1")["speed"]?.double == 1)
    #expect(try await status(stage, "previous")["episode"]?["id"] == 1)
    let opened = try await status(stage, "open", "3", "0:10")
    #expect(opened["episode"]?["id"] == 3 && opened["state"] == "playing")
    #expect(try #require(opened["position"]?.double) >= 9.9)
    try await stage.wait(forPosition: 11, of: 3)
    let stopped = try await status(stage, "stop")
    #expect(stopped["state"] == "stopped" && stopped["episode"]?["id"] == 3 && stopped["pid"] == nil)
    #expect(try #require(stopped["position"]?.double) >= 9.9)
    #expect(try await playing.end().status == .exited(0))
    #expect(access(stage.socket, F_OK) != 0)
    #expect(try await abs(#require(stage.position(of: 3)) - #require(stopped["position"]?.double)) < 0.001)
  }

  @Test func `without a player each word is status 3, and opens no library`() async throws {
    let home = try TemporaryHome()
    for entry in ControlCommands.entries {
      let argument = ["seek": ["1"], "speed": ["1"], "volume": ["1"], "open": ["1"]][entry.command.name] ?? []
      let outcome = try await home.podcli([entry.command.name] + argument).run()
      #expect(outcome.status == .exited(3), "\(entry.command.name): \(outcome)")
      #expect(outcome.error == "podcli: nothing is playing\n  go on where you stopped with: podcli resume\n")
    }
    let play = try await home.podcli("play", "--json").run()
    #expect(play.status == .exited(3) && play.output.isEmpty)
    #expect(JSON(parsing: play.error)?["error"]?["code"] == "notPlaying")
    #expect(names(in: home.path) == [])
  }

  @Test(arguments: [
    "seek", "seek soon", "speed 9", "speed", "volume -", "trim loud", "boost perhaps", "sleep never", "chapter 0",
    "open x",
    "pause now", "play --speed 2", "status --line=0", "status --line=x",
  ])
  func `a wrong argument is status 2`(line: String) async throws {
    let outcome = try await TemporaryHome().podcli(line.split(separator: " ").map(String.init)).run()
    #expect(outcome.status == .exited(2), "\(outcome)")
    #expect(outcome.error.hasPrefix("podcli: "))
  }

  @Test func `a bookmark of the episode that plays is at the player's position, saved or not`() async throws {
    let (stage, playing) = try await playing("--paused", "--no-save", "--start", "20")
    try await stage.wait(forStatus: #""position":20"#)
    #expect(try await stage.run("bookmark", "1").error == "Bookmarked Episode 1 at 0:20\n")
    #expect(try await stage.run("bookmark", "1", "-5", "before").error == "Bookmarked Episode 1 at 0:15\n")
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `an episode that was left is played again once it is queued`() async throws {
    let (stage, playing) = try await playing("--paused")
    try #require(try await stage.run("queue", "add", "2").status == .exited(0))
    #expect(try await status(stage, "next")["episode"]?["id"] == 2)
    try #require(try await stage.run("queue", "next", "1").status == .exited(0))
    #expect(try await status(stage, "next")["episode"]?["id"] == 1)
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `the end of playing without saving tells of what played, and of no position`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    try await stage.seed { store in
      try await store.startPlaying(EpisodeID(rawValue: 2), at: .now)
      try await store.savePosition(.seconds(40), of: EpisodeID(rawValue: 2), urgency: .flush)
    }
    let playing = try stage.home.podcli("play", "1", "--no-save", "--json").start()
    try await stage.wait(forStatus: #""state":"playing","episode""#, #""socket""#)
    _ = try await stage.run("stop")
    let outcome = try await playing.end()
    let told = try #require(JSON(parsing: outcome.output))
    #expect(told["episode"]?["id"] == 1 && told["position"] == nil && told["state"] == "stopped", "\(outcome)")
    #expect(!outcome.error.contains("podcli resume"))
  }

  @Test func `while an episode is being opened its status has the position at which it begins, and a pause`()
    async throws
  {
    let stage = try Stage(episodes: 1, seconds: 60)
    let gate = Gate()
    let sound = Response.resource(Tone(seconds: 60, sampleRate: Stage.sampleRate).wav, type: "audio/wav", etag: "\"1\"")
    stage.server.serve("/media/1.wav") { sound.answering($0).delayed(until: gate) }
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1", "--start", "40").start()
    _ = try await stage.server.request(1, to: "/media/1.wav")
    let opening = try await stage.json("status")
    #expect(
      opening.contains(#""state":"buffering""#) && opening.contains(#""position":40,"opening":true"#), "\(opening)")
    let clip = try await stage.run("clip", "--last", stage.home.path + "/clip.wav")
    #expect(clip.status == .exited(3) && clip.error.contains("has been heard yet"), "\(clip)")
    let paused = try await stage.json("pause")
    #expect(paused.contains(#""state":"paused""#) && paused.contains(#""position":40,"#), "\(paused)")
    gate.open()
    try await stage.wait(for: "the position") { store in
      try await store.episode(EpisodeID(rawValue: 1))?.status.lastListenTime == .seconds(40)
    }
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test(arguments: [["open", "2", "30"], ["next"]])
  func `an episode that is gone to is shown while its server is awaited`(words: [String]) async throws {
    let (stage, playing) = try await playing("--start", "20")
    try await stage.wait(forPosition: 21, of: 1)
    let gate = Gate()
    let sound = Response.resource(Tone(seconds: 60, sampleRate: Stage.sampleRate).wav, type: "audio/wav", etag: "\"2\"")
    stage.server.serve("/media/2.wav") { sound.answering($0).delayed(until: gate) }
    try #require(try await stage.run("queue", "add", "2").status == .exited(0))
    let asked = try await stage.home.podcli(words + ["--json"]).run()
    let status = try #require(JSON(parsing: asked.output), "\(asked)")
    #expect(asked.status == .exited(0) && status["state"] == "buffering" && status["opening"] == true, "\(asked)")
    #expect(status["episode"]?["id"] == 2 && status["position"]?.int == (words[0] == "open" ? 30 : 0), "\(asked)")
    #expect(status["speed"]?.double == 1 && status["volume"] != nil, "\(asked)")
    #expect(try #require(try await stage.position(of: 1)) >= 20)
    let back = try await self.status(stage, "previous")
    #expect(back["episode"]?["id"] == 1 && back["opening"] == nil, "\(back)")
    let again = try await self.status(stage, "open", "2")
    #expect(again["opening"] == true, "\(again)")
    gate.open()
    try await stage.wait(forStatus: #""state":"playing","episode":{"id":2,"#)
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test(arguments: ["stop", "signal", "open"])
  func `an episode that is left while a jump waits for its bytes keeps where that leads`(_ end: String) async throws {
    let stage = try Stage(episodes: 2, seconds: 60)
    let tone = Tone(seconds: 60, sampleRate: Stage.sampleRate).wav
    let gate = Gate()
    stage.server.serve("/media/1.wav", .ok(tone, type: "audio/wav").pausing(at: tone.count / 2, until: gate))
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").start()
    try await stage.wait(forStatus: #""state":"playing","episode""#, #""position""#)
    let jump = try await stage.run("seek", "50", "--json")
    #expect(jump.status == .exited(0) && JSON(parsing: jump.output)?["position"] == 50, "\(jump)")
    let shown = try await stage.run("status").output
    #expect(shown.hasPrefix("buffering\t1\t") && shown.hasSuffix("\t50\t60\n"), "\(shown)")
    if end == "open" { #expect(try await stage.run("open", "2").output.contains("\t2\t")) }
    if end == "signal" { playing.send(SIGTERM) } else { _ = try await stage.run("stop") }
    _ = try await playing.end()
    #expect(try await stage.position(of: 1) == 50)
    gate.open()
  }

  @Test func `resume lets a paused player go on, and play alone does, too`() async throws {
    let (stage, playing) = try await playing("--paused")
    let resumed = try await stage.run("resume")
    #expect(resumed.status == .exited(0) && resumed.output.hasPrefix("playing\t1\t"), "\(resumed)")
    #expect(try await stage.run("resume").status == .exited(7))
    _ = try await stage.run("pause")
    #expect(try await stage.run("resume", "--speed", "2").status == .exited(7))
    #expect(try await stage.run("play").output.hasPrefix("playing\t1\t"))
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `an answer on a terminal is the status line, with what is heard`() async throws {
    let (stage, playing) = try await playing("--paused")
    let screen = try await stage.screen(["volume", "80"], columns: 100)
    #expect(screen.hasPrefix("⏸ 00:00:00 ") && screen.contains("  volume 80 %, trim off, boost off  "))
    #expect(try await stage.screen(["seek", "20"], columns: 40).hasPrefix("⏸ 00:00:20 -00:00:40  Sample Show: "))
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `what the player refuses is the words' failure`() async throws {
    let (stage, playing) = try await playing("--paused")
    let unknown = try await stage.run("open", "99")
    #expect(unknown.status == .exited(3) && unknown.error.hasPrefix("podcli: there is no episode 99\n"))
    #expect(try await stage.run("previous").status == .exited(3))
    let chapter = try await stage.run("chapter", "2", "--json")
    #expect(chapter.status == .exited(3) && JSON(parsing: chapter.error)?["error"]?["code"] == "notFound")
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `an episode that is opened behind its end plays, and does not end the player`() async throws {
    let (stage, playing) = try await playing()
    let refused = try await stage.run("open", "2", "99:00")
    #expect(refused.status == .exited(2), "\(refused)")
    #expect(refused.error.contains("the episode is over at 1:00, so it plays from where it was left"), "\(refused)")
    try await stage.wait(for: "the other episode") { try await $0.current()?.episode.id.rawValue == 2 }
    #expect(try await stage.run("pause").output.hasPrefix("paused\t2\t"))
    #expect(try await isAt(1, stage, "seek", "1"))
    // Back to the first one.
    _ = try await stage.run("open", "1", "99:00")
    try await stage.wait(for: "the first episode") { try await $0.current()?.episode.id.rawValue == 1 }
    #expect(try await stage.run("pause").output.hasPrefix("paused\t1\t"))
    playing.send(SIGTERM)
    let outcome = try await playing.end()
    #expect(outcome.error.contains("The episode is over at 1:00, before 1:39:00"), "\(outcome)")
  }

  /// An episode of a minute, loud at the beginning, so that libmpv takes it for much shorter than it is.
  private func downloadUneven() async throws -> Stage {
    let stage = try Stage(episodes: 1)
    let file = stage.home.path + "/uneven.mp3"
    let source = "aevalsrc=0.5*(random(0)-0.5)*lt(t\\,15)*lt(mod(t\\,1)\\,0.8):s=44100:d=60"
    let made = try await stage.home.program(
      "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-q:a", "2", "-write_xing", "0", file
    ).run()
    try #require(made.status == .exited(0), "\(made)")
    let medium = Response.resource(try contents(of: file), type: "audio/mpeg", etag: "\"1\"")
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"))
    (feed.mediaType, feed.mediaEnding) = ("audio/mpeg", "mp3")
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    stage.server.serve("/media/1.mp3") { medium.answering($0) }
    try await stage.subscribe()
    try #require(try await stage.run("download", "1").status == .exited(0))
    return stage
  }

  @Test func `a start behind an estimated length is said, and the length that the feed gives stays`() async throws {
    let stage = try await downloadUneven()
    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.podcli("play", "1", "--start", "54").heard(by: sink).start()
    try await sink.wait(forSeconds: 3)
    playing.send(SIGTERM)
    let outcome = try await playing.end()
    #expect(outcome.error.contains("Playing"), "\(outcome)")
    let library = try stage.library()
    #expect(try await library.current()?.episode.id.rawValue == 1)
    #expect(try await library.episode(EpisodeID(rawValue: 1))?.mediaDuration == nil)
  }

  @Test func `a time that may be behind an estimated length is sought, and no outro begins by it`() async throws {
    let stage = try await downloadUneven()
    let playing = try stage.home.podcli("play", "1", "--paused").start()
    try await stage.wait(forStatus: #""state":"paused","episode""#, #""position""#, #""socket""#)
    let length = try #require(try await status(stage, "pause")["duration"]?.double)
    #expect(length < 50)
    #expect(try await stage.run("seek", "55").status == .exited(0))
    playing.send(SIGTERM)
    _ = try await playing.end()
    _ = try await stage.run("set", "1", "skip-outro=5s")
    let sink = try PCMSink(in: stage.home)
    let on = try stage.home.podcli("play", "1", "--start", String(length - 6)).heard(by: sink).start()
    try await sink.wait(forSeconds: 2)
    on.send(SIGTERM)
    _ = try await on.end()
    #expect(try await !stage.status(of: 1).hasCompleted)
  }

  @Test func `@current is what plays, also once it is marked as played`() async throws {
    let (stage, playing) = try await playing()
    for mark in ["played", "unplayed", "played"] {
      #expect(try await stage.run("mark", mark, "@current").status == .exited(0), "\(mark)")
    }
    #expect(try await stage.run("info", "@current").output.contains("Episode 1"))
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `a player that is suspended is named, and status falls back to what it wrote`() async throws {
    let (stage, playing) = try await playing("--paused")
    playing.send(SIGSTOP)
    let outcome = try await stage.run("pause")
    #expect(outcome.status == .exited(1))
    #expect(outcome.error.hasPrefix("podcli: the player (pid \(playing.pid)) is suspended\n"))
    #expect(try await stage.run("status").output.hasPrefix("paused\t1\t"))
    let other = try await stage.run("play", "2")
    #expect(other.status == .exited(7) && other.error.contains("is suspended\n"), "\(other)")
    playing.send(SIGCONT)
    #expect(try await stage.run("play").status == .exited(0))
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `after kill -9 the socket is left, nothing plays, and the next player takes its place`() async throws {
    let (stage, playing) = try await playing()
    // By then the library has a position.
    try await stage.wait(forPosition: 3, of: 1)
    playing.send(SIGKILL)
    _ = try await playing.end()
    #expect(access(stage.socket, F_OK) == 0)
    #expect(try await stage.run("pause").status == .exited(3))
    #expect(try await stage.run("status").output.hasPrefix("stopped\t1\t"))
    let again = try stage.home.podcli("play", "2").start()
    try await stage.wait(forStatus: #""id":2"#, #""socket""#)
    #expect(try await status(stage, "pause")["state"] == "paused")
    again.send(SIGTERM)
    _ = try await again.end()
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal removes the socket, and watching clients are told`(signal: Int32) async throws {
    let (stage, playing) = try await playing()
    let watching = try LineSocket(stage.socket)
    watching.send(#"{"do":"watch"}"#)
    // The greeting, and the answer: from here on it is told.
    for _ in 0..<2 { #expect(try await watching.line() != nil) }
    playing.send(signal)
    #expect(try await playing.end().status == .exited(128 + signal))
    #expect(access(stage.socket, F_OK) != 0)
    var last: String?
    while let line = try await watching.line() { last = line }
    #expect(last?.contains(#""state":"stopped""#) == true)
  }

  @Test func `two libraries have a socket each`() async throws {
    let (stage, playing) = try await playing("--paused")
    let other = stage.home.path + "/other"
    _ = try await stage.run("subscribe", stage.feedURL, "--library", other)
    let second = try stage.home.podcli("play", "2", "--paused", "--library", other).start()
    // The same folder, spelt otherwise.
    let twin = stage.home.path + "/podcli/../other/"
    try await stage.wait(forStatus: #""id":2"#, #""state":"paused","episode""#, in: twin)
    let socket = try #require(try await status(stage, "status", "--library", other)["socket"]?.text)
    #expect(socket.hasPrefix(stage.home.path + "/podcli/run/player-") && socket.hasSuffix(".sock"))
    #expect(try await status(stage, "seek", "9", "--library", twin)["episode"]?["id"] == 2)
    #expect(try await status(stage, "status")["socket"]?.text == stage.socket)
    #expect(try await status(stage, "seek", "8")["episode"]?["id"] == 1)
    _ = try await stage.run("stop", "--library", other)
    #expect(try await second.end().status == .exited(0))
    #expect(try await status(stage, "status")["state"] == "paused")
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `a player that starts leaves the sockets of other libraries alone`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    mkdir(stage.home.path + "/podcli/run", 0o700)
    let other = try stage.home.write("", to: "podcli/run/player-999999999abcdef0.sock")
    let playing = try stage.home.podcli("play", "1").start()
    try await stage.wait(forStatus: #""socket""#)
    #expect(access(other, F_OK) == 0)
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `a player without a socket plays on, and says so only when it is asked to say more`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    mkdir(stage.home.path + "/podcli/run", 0o700)
    mkdir(stage.socket, 0o700)
    for more in [[], ["--verbose"]] {
      let playing = try stage.home.podcli(["play", "1", "--start", "5"] + more).start()
      try await playing.wait(forError: "Playing")
      try await stage.wait(forStatus: #""state":"playing","episode""#, #""lastListenTime""#)
      playing.send(SIGTERM)
      let error = try await playing.end().error
      #expect(error.contains("its socket cannot be made: File exists") == !more.isEmpty, "\(error)")
      #expect(try #require(try await stage.position(of: 1)) >= 5)
    }
    #expect(access(stage.socket, F_OK) == 0)
  }

  @Test func `a path that is too long for the kernel is no obstacle`() async throws {
    let stage = try Stage()
    let home = stage.home.path + "/" + String(repeating: "long/", count: 40)
    func podcli(_ words: String...) -> TestSupport.Program { stage.home.podcli(words).setting("PODCLI_HOME", home) }
    _ = try await podcli("subscribe", stage.feedURL).run()
    let playing = try podcli("play", "1").start()
    let watching = try podcli("status", "--watch", "--json").start()
    try await watching.wait(forOutput: #""state":"playing","episode""#)
    watching.send(SIGTERM)
    _ = try await watching.end()
    let outcome = try await podcli("pause").run()
    #expect(outcome.output.hasPrefix("paused\t1\t"), "\(outcome)")
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `anything may come over the socket: the player plays on and keeps its place`() async throws {
    let (stage, playing) = try await playing(seconds: 180, "--start", "20")
    var random = SeededGenerator(seed: 4)
    for _ in 1...1_000 { _ = try LineSocket(stage.socket) }
    let silent = try LineSocket(stage.socket)
    silent.send(#"{"do":"watch","every":0.1}"#)
    let client = try LineSocket(stage.socket)
    _ = try await client.line()
    for line in ["{", #"{"do":"fly"}"#, #"{"do":"speed","to":1e999}"#, #"{"do":"seek","to":"99:99"}"#] {
      #expect(try await client.ask(line)?.contains("error") == true, "\(line)")
    }
    client.send([UInt8](repeating: 120, count: 70_000) + [10])
    #expect(try await client.line()?.contains("longer than 64 KiB") == true)
    for _ in 1...200 {
      client.send((0..<200).map { _ in UInt8.random(in: 11...255, using: &random) } + [10])
      #expect(try await client.line()?.contains("error") == true)
    }
    #expect(try await client.ask(#"{"do":"status","id":1}"#)?.contains("playing") == true)
    try await stage.wait(forPosition: 22, of: 1)
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    #expect(try #require(try await stage.position(of: 1)) >= 20)
  }

  @Test func `the words are answered with neither library nor libcurl nor libmpv`() async throws {
    let (stage, playing) = try await playing("--paused")
    let trace = stage.home.path + "/opened"
    let outcome = try await stage.home.podcli("pause").setting("LD_DEBUG", "files").setting("LD_DEBUG_OUTPUT", trace)
      .run()
    #expect(outcome.status == .exited(0))
    let files = names(in: stage.home.path).filter { $0.hasPrefix("opened") }
    let loaded = try files.map { String(decoding: try contents(of: stage.home.path + "/" + $0), as: UTF8.self) }
      .joined()
    #expect(loaded.contains("libc.so"))
    for name in ["libmpv", "libcurl", "libxml2", "libsystemd", "libpulse"] {
      #expect(!loaded.contains(name), "\(name)")
    }
    let library = try OpenWatch(stage.home.path + "/podcli/library.db")
    _ = try await stage.run("toggle")
    _ = try await stage.run("status")
    #expect(!library.wasOpened)
    playing.send(SIGTERM)
    _ = try await playing.end()
  }
}

extension Stage {
  /// Waits until a document of `status --watch` has these texts in it.
  func wait(forStatus texts: String..., in library: String? = nil) async throws {
    try await wait(for: "\(texts)", library.map { ["--library", $0] } ?? []) { document in
      // A position that is waited for is one of an open file.
      texts.allSatisfy { document.contains($0) }
        && !(texts.contains(#""position""#) && document.contains(#""opening":true"#))
    }
  }

  /// Waits until the episode is at that position, or further.
  func wait(forPosition seconds: Double, of episode: Int64) async throws {
    try await wait(for: "position \(seconds) of episode \(episode)", []) { document in
      guard let status = JSON(parsing: document), status["episode"]?["id"]?.int == episode else { return false }
      return status["opening"] == nil && (status["position"]?.double ?? 0) >= seconds
    }
  }

  private func wait(
    for what: String, _ more: [String], until holds: @escaping @Sendable (String) -> Bool
  ) async throws {
    let watching = try home.podcli(["status", "--watch", "--json"] + more).start()
    try await watching.wait(for: what) { transcript in
      lines(transcript.output).contains { holds(String($0)) }
    }
    watching.send(SIGTERM)
    _ = try await watching.end()
  }
}
