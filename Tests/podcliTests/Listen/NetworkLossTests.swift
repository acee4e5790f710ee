import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

@Suite struct NetworkLossTests {
  private static let cut = 2_000_000

  /// Sends the first twenty seconds, then the response of the test.
  private func stage(_ later: @escaping @Sendable (Request, Response) -> Response) async throws -> Stage {
    let stage = try Stage(seconds: 60)
    let medium = Response.resource(
      Tone(seconds: 60, sampleRate: Stage.sampleRate).wav, type: "audio/wav", etag: "\"1\"")
    stage.server.serve("/media/1.wav") { request in
      let answer = medium.answering(request)
      let start = Self.start(of: request)
      return start < Self.cut ? answer.truncated(at: Self.cut - start) : later(request, answer)
    }
    try await stage.subscribe()
    return stage
  }

  /// The first byte that a request asks for.
  private static func start(of request: Request) -> Int {
    request.header("Range").flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
  }

  @Test func `a server that stays away: status 5, the position is kept, and nothing is marked as played`() async throws
  {
    let stage = try await stage { _, _ in Response.status(503) }
    _ = try await stage.run("config", "set", "network-patience=2s")
    let outcome = try await stage.home.podcli("play", "1", "--start", "15").run()
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(outcome.error.contains("503"))
    let status = try await stage.status(of: 1)
    let position = try #require(status.lastListenTime?.inSeconds)
    #expect(position > 18 && position < 22)
    #expect(!status.hasCompleted)
    #expect(status.isCurrentlyPlaying)
    #expect(stage.server.requests(to: "/media/1.wav").count >= 4)
  }

  @Test func `status tells why a player in the background ended, until the next one begins`() async throws {
    let stage = try await stage { _, _ in Response.status(503) }
    _ = try await stage.run("config", "set", "network-patience=1s")
    let detached = try await stage.home.podcli("play", "1", "--start", "18", "--detach").run()
    try #require(detached.status == .exited(0), "\(detached)")
    try await stage.wait(forStatus: #""state":"stopped""#, #""note":"ended: "#, "503")
    let onScreen = try await stage.home.podcli("status", "--line=200").run()
    #expect(onScreen.output.contains("ended: ") && onScreen.output.contains("503"), "\(onScreen)")
    let next = try await stage.home.podcli("play", "1", "--start", "3", "--until", "4").run()
    #expect(next.status == .exited(0), "\(next)")
    let later = try await stage.run("status", "--json")
    #expect(later.output.contains(#""state":"stopped""#) && !later.output.contains("ended: "), "\(later)")
  }

  @Test func `beside a download of the same episode, a player that waits for the network says so`() async throws {
    let gate = Gate()
    let stage = try Stage(seconds: 60)
    let medium = Response.resource(
      Tone(seconds: 60, sampleRate: Stage.sampleRate).wav, type: "audio/wav", etag: "\"1\"")
    let isDownload = Observed(true)
    stage.server.serve("/media/1.wav") { request in
      let answer = medium.answering(request)
      let isFirst = isDownload.update { isFirst -> Bool in
        defer { isFirst = false }
        return isFirst
      }
      if isFirst { return answer.pausing(at: 100_000, until: gate) }
      let start = Self.start(of: request)
      return start < Self.cut ? answer.truncated(at: Self.cut - start) : Response.status(503)
    }
    try await stage.subscribe()
    let download = try stage.home.podcli("download", "1").start()
    _ = try await stage.server.request(1, to: "/media/1.wav")
    let playing = try stage.home.podcli("play", "1", "--start", "18").start()
    try await stage.wait(forStatus: #""state":"buffering""#, #""note":"waiting for the network""#)
    playing.send(SIGTERM)
    _ = try await playing.end()
    gate.open()
    #expect(try await download.end().status == .exited(0))
  }

  @Test func `status tells of the episode that could not be played after another one`() async throws {
    let stage = try await stage { _, answer in answer }
    stage.server.serve("/media/3.wav", .status(404))
    let detached = try await stage.home.podcli("play", "2", "--start", "58", "--detach").run()
    try #require(detached.status == .exited(0), "\(detached)")
    try await stage.wait(
      forStatus: #""state":"stopped""#, #""note":"ended: Episode 3: it cannot be fetched: status 404""#)
    let line = try await stage.run("status", "--line=200").output
    #expect(line.contains("Episode 3: it cannot be fetched: status 404"), "\(line)")
  }

  @Test(arguments: [Response.status(503), Response.ok("").reset()])
  func `D7: with a part of it here, a server that is away at first is waited for`(failure: Response) async throws {
    let stage = try await stage { _, answer in answer }
    let isAway = Observed(false)
    let left = Observed(4)
    let medium = Response.resource(
      Tone(seconds: 60, sampleRate: Stage.sampleRate).wav, type: "audio/wav", etag: "\"1\"")
    stage.server.serve("/media/1.wav") { request in
      guard isAway.value else {
        let start = Self.start(of: request)
        return start < Self.cut ? medium.answering(request).truncated(at: Self.cut - start) : failure.neverAnswering()
      }
      let isOver = left.update { left -> Bool in
        left -= 1
        return left < 0
      }
      return isOver ? medium.answering(request) : failure
    }
    let first = try stage.home.podcli("play", "1", "--start", "18").start()
    try await first.wait(forError: "Playing")
    try await stage.server.wait(for: "a request behind the cut") {
      $0.contains { Self.start(of: $0.request) >= Self.cut }
    }
    first.send(SIGKILL)
    _ = try await first.end()
    isAway.update { $0 = true }
    let second = try await stage.home.podcli("play", "1", "--start", "30")
      .setting("PODCLI_AO", "null:ao-null-untimed=yes").run()
    #expect(second.status == .exited(0), "\(second)")
    #expect(left.value < 0)
    #expect(try await stage.status(of: 1).hasCompleted)
  }

  @Test func `where nothing was heard, no position is said to be kept`() async throws {
    let stage = try Stage(episodes: 1)
    try await stage.subscribe()
    stage.server.serve("/media/1.wav", Response.ok("").reset())
    let outcome = try await stage.run("play", "1")
    #expect(outcome.status == .exited(5), "\(outcome)")
    #expect(!outcome.error.contains("place") && outcome.error.contains("podcli play 1"), "\(outcome)")
  }

  @Test func `playing goes on by itself when the server comes back`() async throws {
    let away = Observed(4)
    let stage = try await stage { _, answer in
      let isAway = away.update { left in
        defer { left -= 1 }
        return left > 0
      }
      return isAway ? Response.status(503) : answer
    }
    let playing = try stage.home.podcli("play", "1", "--start", "18").start()
    let watching = try stage.home.podcli("status", "--watch", "--json").start()
    try await watching.wait(for: "a position behind the first bytes") { ($0.positions.last ?? 0) > 24 }
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    watching.send(SIGTERM)
    #expect(watching.transcript.positions.allSatisfy { $0 >= 18 && $0 < 40 })
    #expect(away.value < 0)
  }
}
