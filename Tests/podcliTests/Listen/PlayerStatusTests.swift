import Glibc
import PodcastModel
import TestSupport
import Testing

/// The status of a player, as another podcli reads it.
@Suite struct PlayerStatusTests {
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
    try await watching.wait(forOutput: "\"state\":\"paused\",\"episode\"")
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
    try await watching.wait(forOutput: #""chapter":{"index":2,"title":"A sponsor","count":2}"#)
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
