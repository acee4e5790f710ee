import Glibc
import PodcastModel
import TestSupport
import Testing

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

  @Test func `the next episode is opened before the end of the one that plays, each keeping its position`() async throws
  {
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
    let position = try #require(try await stage.position(of: 2))
    #expect(abs(position - (sink.heard - 8)) < 0.4 * Deadline.slowness)
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
    let position = try #require(try await stage.position(of: 1))
    #expect(position > 3 && position < 9)
    #expect(try await stage.position(of: 2) == nil)
  }
}
