import Glibc
import PodcastModel
import TestSupport
import Testing

/// The state of a player, as another podcli reads it.
@Suite struct PlayerStateTests {
  @Test func `status in another terminal shows what the keys do`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1", "--start", "20", "--sleep", "30m").on(Program.Screen()).start()
    try await playing.wait(forScreen: "▶ 00:00:21")
    let watching = try stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(forOutput: "\"state\":\"playing\"")
    playing.type("]+")
    try await watching.wait(forOutput: "\"speed\":1.1,\"volume\":105")
    playing.type(" ")
    try await watching.wait(forOutput: "\"state\":\"paused\"")
    #expect(watching.transcript.output.contains("\"sleepAt\":\"20"))
    let positions = watching.transcript.positions
    #expect(positions.allSatisfy { $0 > 20 })
    let fields = try await stage.run("status").output.split(separator: "\t")
    #expect(fields.prefix(4) == ["paused", "1", "Sample Show", "Episode 1"], "\(watching.transcript.output)")
    #expect(fields.dropFirst(4).first.flatMap { Double($0) }.map { abs($0 - (positions.last ?? 0)) <= 1 } == true)
    playing.type("q")
    _ = try await playing.end()
    try await watching.wait(forOutput: "\"state\":\"stopped\"")
    watching.send(SIGTERM)
  }

  @Test func `the chapter that plays is shown`() async throws {
    let stage = try Stage()
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 60)
    feed.itemExtra[1] = "<podcast:chapters url=\"\(stage.server.url("/c.json"))\" type=\"application/json+chapters\"/>"
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    stage.server.serve(
      "/c.json",
      Response.ok(
        #"{"version":"1.2.0","chapters":[{"startTime":0,"title":"Hello"},{"startTime":30,"title":"A\nsponsor"}]}"#))
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1", "--start", "31").start()
    let watching = try stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(forOutput: #""chapter":{"index":2,"title":"A sponsor"}"#)
    playing.send(SIGKILL)
    _ = try await playing.end()
    try await watching.wait(forOutput: "\"state\":\"stopped\"")
    watching.send(SIGTERM)
    let stopped = try await stage.json("status")
    #expect(!stopped.contains("chapter\":{"))
    #expect(!stopped.contains("pid"))
  }

  @Test func `a transcript is kept when its episode is played`() async throws {
    let stage = try Stage()
    var feed = SampleFeed(episodes: 1, mediaBase: stage.server.url("/media"), seconds: 60)
    feed.itemExtra[1] = "<podcast:transcript url=\"\(stage.server.url("/t.vtt"))\" type=\"text/vtt\"/>"
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    stage.server.serve("/t.vtt", Response.ok("WEBVTT\n\n00:01.000 --> 00:02.500\n<v Anna>the lighthouse\n"))
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1").start()
    try await eventually("the transcript", watching: stage.home.path + "/podcli") {
      stage.server.exchanges.contains { $0.request.path == "/t.vtt" && $0.end == .complete }
    }
    try await playing.wait(forError: "Playing")
    let watching = try stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(for: "two seconds") { ($0.positions.last ?? 0) > 2 }
    watching.send(SIGTERM)
    playing.send(SIGTERM)
    _ = try await playing.end()
    stage.server.stop()
    #expect(try await stage.run("search", "lighthouse").output.hasPrefix("1@0:01\t"))
  }
}

@Suite struct JobControlTests {
  @Test func `stopped and sent to the background, it plays on and leaves the screen to the shell`() async throws {
    let stage = try Stage()
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let podcli = builtProduct("podcli")
    let shell = try stage.home.program("/bin/bash", "--norc", "--noprofile", "--noediting", "-i").heard(by: sink)
      .on(Program.Screen()).start()
    shell.type("'\(podcli)' play 1\n")
    try await shell.wait(forScreen: "▶ 00:00:01")
    shell.type("\u{1A}")
    try await shell.wait(forScreen: "Stopped")
    shell.type("bg; echo in the ''background\n")
    try await shell.wait(forScreen: "in the background")
    let before = shell.transcript.screen.ranges(of: "▶").count
    try await sink.wait(forSeconds: sink.heard + 2)
    shell.type("echo still ''there\n")
    try await shell.wait(forScreen: "still there")
    #expect(shell.transcript.screen.ranges(of: "▶").count == before)
    shell.type("fg\n")
    try await shell.wait(for: "the line") { $0.screen.ranges(of: "▶").count > before }
    shell.type("q")
    try await shell.wait(forScreen: "go on with: podcli resume")
    shell.type("exit\n")
    _ = try await shell.end()
  }
}

@Suite struct HandoverTests {
  @Test func `--until is where it stops, and nothing follows`() async throws {
    let stage = try Stage(episodes: 2, seconds: 20)
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.podcli("play", "1", "--start", "3", "--until", "+2").heard(by: sink).start()
    let outcome = try await playing.end()
    #expect(outcome.status == .exited(0), "\(outcome)")
    #expect(outcome.error.contains("go on with: podcli resume"))
    #expect(!outcome.error.contains("Episode 2"))
    #expect((5..<5.4).contains(try #require(try await stage.position(of: 1))))
    let early = try await stage.run("resume", "--until", "0:04")
    #expect(early.status == .exited(2))
    #expect(early.error.contains("start at 0:05 and to stop at 0:04"), "\(early)")
  }

  @Test func `the next episode is opened before the one that plays has ended, and no place is mixed up`() async throws {
    let stage = try Stage(episodes: 2, seconds: 20)
    try await stage.subscribe()
    let sink = try PCMSink(in: stage.home)
    let playing = try stage.home.podcli("play", "1", "--start", "12").heard(by: sink).start()
    _ = try await stage.server.request(1, to: "/media/2.wav")
    #expect(sink.heard < 7.5)
    try await playing.wait(forError: "Finished Episode 1\nPlaying Sample Show: Episode 2")
    try await sink.wait(forSeconds: 10)
    playing.send(SIGTERM)
    _ = try await playing.end()
    #expect(try await stage.status(of: 1).hasCompleted)
    #expect(try await stage.position(of: 1) == nil)
    // The audio is the rest of the first and the beginning of the second, without a gap.
    let place = try #require(try await stage.position(of: 2))
    #expect(abs(place - (sink.heard - 8)) < 0.4 * Deadline.slowness)
    let asked = stage.server.requests(to: "/media/2.wav").map { $0.header("Range") ?? "" }
    #expect(Set(asked).count == asked.count, "\(asked)")
  }

  @Test func `going back before the end takes back what was opened`() async throws {
    let stage = try Stage(episodes: 2, seconds: 20)
    try await stage.subscribe()
    let playing = try stage.home.podcli("play", "1", "--start", "14").on(Program.Screen()).start()
    _ = try await stage.server.request(1, to: "/media/2.wav")
    playing.type("\u{1B}[D")
    try await playing.wait(forScreen: "▶ 00:00:05")
    playing.type("q")
    #expect(try await playing.end().status == .exited(0))
    let place = try #require(try await stage.position(of: 1))
    #expect(place > 3 && place < 9)
    #expect(try await stage.position(of: 2) == nil)
  }
}
