import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing
import Text

@testable import podcli

/// `--detach`: a player in a process of its own.
@Suite struct DetachTests {
  private let stage: Stage

  init() async throws {
    stage = try Stage()
    try await stage.subscribe()
  }

  private func status(_ words: String...) async throws -> JSON {
    let outcome = try await stage.home.podcli(words + ["--json"]).run()
    try #require(outcome.status == .exited(0), "\(words): \(outcome)")
    return try #require(JSON(parsing: outcome.output))
  }

  private func detach(_ words: String...) async throws -> JSON {
    let outcome = try await stage.home.podcli(words + ["--detach", "--json"]).run()
    try #require(outcome.status == .exited(0), "\(words): \(outcome)")
    return try #require(JSON(parsing: outcome.output))
  }

  @Test func `the command returns when the sound begins, and stop ends it and keeps the position`() async throws {
    let begun = try await detach("play", "1", "--start", "20")
    let player = try Player(begun)
    #expect(begun["state"] == "playing" && begun["detached"] == true && begun["episode"]?["id"] == 1)
    #expect(try #require(begun["position"]?.double) >= 19.5)
    try await stage.wait(forPosition: 21, of: 1)
    let stopped = try await status("stop")
    #expect(stopped["state"] == "stopped")
    try await player.ended()
    #expect(try await abs(#require(stage.position(of: 1)) - #require(stopped["position"]?.double)) < 0.001)
    #expect(access(stage.socket, F_OK) != 0)
  }

  @Test func `it holds no terminal, folder or file of the process that started it`() async throws {
    let leak = try stage.home.write("", to: "leak")
    let line = "exec 7<\(leak); \(builtProduct("podcli")) play 1 --paused --detach"
    let shell = try await stage.home.program("/bin/sh", "-c", line).on(TestSupport.Program.Screen()).run()
    #expect(shell.status == .exited(0), "\(shell)")
    let player = try Player(try await status("status"))
    let folder = "/proc/\(player.pid)"
    #expect(realPath(folder + "/cwd") == "/")
    #expect(realPath(folder + "/fd/0") == "/dev/null" && realPath(folder + "/fd/1") == "/dev/null")
    let files = names(in: folder + "/fd").compactMap { realPath(folder + "/fd/" + $0) }
    #expect(!files.contains { $0.hasPrefix("/dev/pts") || $0 == leak })
    #expect(getsid(player.pid) == player.pid)
    let log = String(decoding: try contents(of: stage.home.path + "/podcli/run/player.log"), as: UTF8.self)
    #expect(log.contains("Playing Sample Show: Episode 1"))
    _ = try await status("stop")
    try await player.ended()
  }

  @Test func `it outlives its terminal's whole session, hung up`() async throws {
    let shell = try stage.home.program("/bin/sh", "-c", "\(builtProduct("podcli")) play 1 --detach; exec sleep 1000")
      .on(TestSupport.Program.Screen()).start()
    try await shell.wait(forScreen: "▶")
    let begun = try await status("status")
    let player = try Player(begun)
    for name in names(in: "/proc") {
      guard let pid = Int32(name), getsid(pid) == getsid(shell.pid) else { continue }
      kill(pid, SIGHUP)
    }
    _ = try await shell.end()
    let later = try #require(begun["position"]?.double) + 1
    try await stage.wait(forStatus: #""state":"playing","episode""#)
    try await stage.wait(forPosition: later, of: 1)
    let asked = ContinuousClock.now
    let position = try #require(try await status("status")["position"]?.double)
    let stopped = try await status("stop")
    let place = try #require(stopped["position"]?.double)
    // It goes no faster than the clock.
    let elapsed = (ContinuousClock.now - asked) / .seconds(1)
    #expect(position >= later && place >= position && place - position < elapsed + 1.5)
    #expect(try await abs(#require(stage.position(of: 1)) - place) < 0.001)
    try await player.ended()
  }

  // MARK: Failures

  @Test(
    arguments: [
      ("play nothing-like-it", 3), ("play 99", 3), ("resume", 3), ("play 1 --until 0", 2),
      ("play 1 --speed 9", 2), ("play 1", 8), ("play 2", 5), ("play 3", 8),
    ] as [(String, Int32)])
  func `exit status and message of a failure are the foreground's`(line: String, status: Int32) async throws {
    stage.server.serve("/media/2.wav", .status(404))
    stage.server.serve("/media/3.wav", .ok("no sound", type: "audio/wav"))
    let words = line.split(separator: " ").map(String.init)
    func run(_ more: String...) async throws -> Outcome {
      let program = stage.home.podcli(words + more)
      return try await (line == "play 1" ? program.setting("PODCLI_AO", "no-such-output") : program).run()
    }
    let (here, there) = (try await run(), try await run("--detach"))
    #expect(here.status == .exited(status) && there.status == .exited(status), "\(here)\n\(there)")
    #expect(failure(in: here) == failure(in: there))
    let (asJSON, detachedAsJSON) = (try await run("--json"), try await run("--detach", "--json"))
    #expect(failure(in: asJSON) == failure(in: detachedAsJSON))
    #expect(names(in: stage.home.path + "/podcli/run").filter { $0.hasSuffix(".sock") } == [])
  }

  @Test func `without the network it is the foreground's failure`() async throws {
    for more in [[], ["--detach"]] {
      let outcome = try await stage.home.podcli(["play", "1", "--offline"] + more).run()
      #expect(outcome.status == .exited(5) && failure(in: outcome).contains("--offline was given"), "\(outcome)")
    }
  }

  @Test func `a player in a terminal is not replaced`() async throws {
    let playing = try stage.home.podcli("play", "1", "--paused").start()
    try await stage.wait(forStatus: #""state":"paused","episode""#)
    let (here, there) = (try await stage.run("play", "2"), try await stage.run("play", "2", "--detach"))
    #expect(here.status == .exited(7) && there.status == .exited(7), "\(there)")
    #expect(failure(in: here) == failure(in: there))
    playing.send(SIGTERM)
    _ = try await playing.end()
  }

  @Test func `without a socket there is no player in the background`() async throws {
    mkdir(stage.home.path + "/podcli/run", 0o700)
    mkdir(stage.socket, 0o700)
    let outcome = try await stage.run("play", "1", "--detach")
    #expect(outcome.status == .exited(1))
    #expect(outcome.error.contains("its socket cannot be made: File exists"), "\(outcome)")
    #expect(try await stage.run("status").output.hasPrefix("stopped"))
  }

  @Test func `a player that is killed before it plays is a failure`() async throws {
    stage.server.serve("/media/1.wav", Response.ok("RIFF").neverAnswering())
    let starting = try stage.home.podcli("play", "1", "--detach").start()
    try await starting.wait(forError: "Ctrl-C gives up")
    let player = try Player(try await status("status"))
    kill(player.pid, SIGKILL)
    let outcome = try await starting.end()
    #expect(outcome.status == .exited(1) && outcome.error.contains("the player ended before it played"), "\(outcome)")
  }

  @Test func `what is being opened is given up by Ctrl-C`() async throws {
    stage.server.serve("/media/1.wav", Response.ok("RIFF").neverAnswering())
    let starting = try stage.home.podcli("play", "1", "--detach").start()
    try await starting.wait(forError: "Ctrl-C gives up")
    let player = try Player(try await status("status"))
    starting.send(SIGINT)
    #expect(try await starting.end().status == .exited(130))
    try await player.ended()
    // It was ended, and did not give up.
    let log = String(decoding: try contents(of: stage.home.path + "/podcli/run/player.log"), as: UTF8.self)
    #expect(!log.contains("cannot be reached"))
  }

  @Test func `what is being opened outlives the terminal in which it was asked for`() async throws {
    let gate = Gate()
    let sound = Response.resource(Tone(seconds: 60, sampleRate: Stage.sampleRate).wav, type: "audio/wav", etag: "\"1\"")
    stage.server.serve("/media/1.wav") { sound.answering($0).delayed(until: gate) }
    let starting = try stage.home.podcli("play", "1", "--detach").start()
    try await starting.wait(forError: "Ctrl-C gives up")
    let player = try Player(try await status("status"))
    starting.send(SIGHUP)
    #expect(try await starting.end().status == .exited(129))
    gate.open()
    try await stage.wait(forStatus: #""state":"playing""#)
    _ = try await status("stop")
    try await player.ended()
  }

  // MARK: A player that runs already

  @Test func `a player in the background is given the next episode`() async throws {
    let player = try Player(try await detach("play", "1"))
    let second = try await detach("play", "2", "--start", "30", "--speed", "+1.5", "--boost", "--volume", "+80")
    #expect(second["pid"]?.int == Int64(player.pid) && second["episode"]?["id"] == 2)
    #expect(second["speed"]?.double == 1.5 && second["boost"] == true && second["volume"]?.double == 80)
    #expect(try #require(second["position"]?.double) >= 29)
    let unfit = try await stage.run("play", "3", "--until", "50", "--detach")
    #expect(unfit.status == .exited(2) && unfit.error.contains("cannot change to --until=50"), "\(unfit)")
    #expect(try await stage.run("play", "3").status == .exited(7))
    _ = try await status("pause")
    #expect(try await detach("resume")["state"] == "playing")
    #expect(try await status("status")["episode"]?["id"] == 2)
    _ = try await status("stop")
    try await player.ended()
    let resumed = try await detach("resume")
    let again = try Player(resumed)
    #expect(resumed["episode"]?["id"] == 2 && resumed["pid"]?.int != Int64(player.pid))
    _ = try await status("stop")
    try await again.ended()
  }

  @Test func `a list on standard input plays in the background`() async throws {
    let outcome = try await stage.home.podcli("play", "-", "--detach", "--paused", "--json").input("2\n3\n").run()
    #expect(outcome.status == .exited(0) && outcome.error.contains("Lined up 1 more episode"), "\(outcome)")
    #expect(JSON(parsing: outcome.output)?["episode"]?["id"] == 2)
    #expect(try await status("next")["episode"]?["id"] == 3)
    let refused = try await stage.home.podcli("play", "-", "--detach", "--paused").input("1\n2\n").run()
    #expect(refused.status == .exited(2))
    #expect(try await stage.library().queue().map(\.episode.id.rawValue) == [3])
    _ = try await status("stop")
  }

  @Test func `while a list is read from standard input another podcli may play, and a signal ends the reading`()
    async throws
  {
    let reading = try stage.home.podcli("play", "-").input(.open).start()
    let begun = try await detach("play", "1", "--paused")
    #expect(begun["pid"]?.int != Int64(reading.pid))
    reading.send(SIGINT)
    #expect(try await reading.end().status == .signalled(SIGINT))
    _ = try await status("stop")
  }

  @Test func `options and library reach the player, wherever it was started`() async throws {
    let folder = stage.home.path + "/here"
    mkdir(folder, 0o700)
    func podcli(_ words: String...) async throws -> JSON {
      let outcome = try await stage.home.podcli(words + ["--library", "own", "--json"]).in(folder).run()
      try #require(outcome.status == .exited(0), "\(words): \(outcome)")
      return try #require(JSON(parsing: outcome.output))
    }
    _ = try await podcli("subscribe", stage.feedURL)
    let begun = try await podcli(
      "play", "1", "--detach", "--speed", "2", "--trim", "max", "--sleep", "30m", "--start", "12.5", "--paused")
    let player = try Player(begun)
    #expect(begun["state"] == "paused" && begun["speed"]?.double == 2 && begun["trim"] == "max")
    let position = try #require(begun["position"]?.double)
    #expect(begun["sleepAt"] != nil && abs(position - 12.5) < 0.5)
    #expect(try await stage.run("pause").status == .exited(3))
    _ = try await podcli("stop")
    try await player.ended()
  }

  @Test func `of two that are started at once, one opens its episode in the player of the other`() async throws {
    for _ in 0..<3 {
      async let first = stage.home.podcli("play", "1", "--detach").run()
      async let second = stage.home.podcli("play", "2", "--detach").run()
      let outcomes = try await [first, second]
      #expect(outcomes.allSatisfy { $0.status == .exited(0) }, "\(outcomes)")
      let player = try Player(try await status("status"))
      _ = try await status("stop")
      try await player.ended()
    }
  }

  // MARK: Attaching

  @Test func `attach shows the line, its keys control the player, and q leaves it alone`() async throws {
    let player = try Player(try await detach("play", "1", "--paused", "--start", "21"))
    let attached = try stage.home.podcli("attach").on(TestSupport.Program.Screen(columns: 100)).start()
    try await attached.wait(forScreen: "⏸ 00:00:2")
    attached.type(" ")
    try await attached.wait(forScreen: "▶ 00:00:2")
    attached.type(" +")
    try await attached.wait(forScreen: "volume 105 %")
    // It is paused, and may have played for any time.
    _ = try await status("seek", "25")
    attached.type("\u{1B}[C")
    try await attached.wait(forScreen: "⏸ 00:00:5")
    attached.type("p")
    try await attached.wait(forScreen: "there is no other episode")
    attached.type("ci?")
    try await attached.wait(forScreen: "This episode has no chapters")
    try await attached.wait(forScreen: "leave; it goes on")
    attached.type("q")
    #expect(try await attached.end().status == .exited(0))
    #expect(try await status("status")["volume"]?.double == 105)
    let again = try stage.home.podcli("attach").on(TestSupport.Program.Screen()).start()
    try await again.wait(forScreen: "⏸ 00:00:5")
    _ = try await status("stop")
    let outcome = try await again.end()
    #expect(outcome.status == .exited(0) && outcome.screen.contains("The player has ended"), "\(outcome)")
    try await player.ended()
  }

  @Test func `attach needs a player and a terminal, and a signal leaves the player alone`() async throws {
    #expect(try await stage.home.podcli("attach").on(TestSupport.Program.Screen()).run().status == .exited(3))
    #expect(try await stage.run("attach").status == .exited(2))
    let player = try Player(try await detach("play", "1", "--paused"))
    let attached = try stage.home.podcli("attach").on(TestSupport.Program.Screen()).start()
    try await attached.wait(forScreen: "⏸")
    attached.send(SIGTERM)
    #expect(try await attached.end().status == .exited(143))
    #expect(try await status("status")["state"] == "paused")
    _ = try await status("stop")
    try await player.ended()
  }

  // MARK: Helpers

  /// The line of the failure, without those before it.
  private func failure(in outcome: Outcome) -> String {
    let lines = outcome.error.split(separator: "\n").drop { !$0.hasPrefix("podcli: ") && !$0.hasPrefix("{") }
    return lines.joined(separator: "\n")
  }

  private func realPath(_ path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private typealias Player = ForeignProcess
}

extension ForeignProcess {
  /// The player of a status.
  fileprivate convenience init(_ status: JSON) throws { try self.init(Int32(#require(status["pid"]?.int))) }
}
