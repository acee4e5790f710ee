import Glibc
import TestSupport
import Testing
import Text

/// A pause that is cut out by the map, and podcli's end while the sound before it is still heard.
@Suite struct TrimmedPositionTests {
  /// Two sentences with 15 s of silence between them.
  private func stage() async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    let silence = [Int16](repeating: 0, count: 15 * Talk.sampleRate)
    let talk = Talk(seconds: 4, seed: 1).samples + silence + Talk(seconds: 6, seed: 2).samples
    let medium = Response.resource(WAV.file(talk, sampleRate: Talk.sampleRate), type: "audio/wav", etag: "\"1\"")
    stage.server.serve("/media/1.wav") { medium.answering($0) }
    try await stage.subscribe()
    for words in [["config", "set", "auto-measure=off"], ["download", "1"], ["measure", "1"]] {
      let outcome = try await stage.home.podcli(words).run()
      try #require(outcome.status == .exited(0), "\(outcome)")
    }
    return stage
  }

  @Test func `the position that is kept is the one that was heard, not one in a pause that is cut out`() async throws {
    let stage = try await stage()
    let playing = try stage.home.podcli("play", "1", "--trim", "max").start()
    // By then the cut is decoded.
    var told = 0.0
    let deadline = Deadline()
    while told < 3.75, !deadline.hasPassed {
      let status = try await stage.run("status", "--json")
      told = JSON(parsing: status.output)?["position"]?.double ?? 0
    }
    playing.send(SIGTERM)
    #expect(try await playing.end().status == .exited(143))
    let kept = try #require(try await stage.position(of: 1))
    #expect(kept >= 3.5 && !(5..<18.9).contains(kept) && !(5..<18.9).contains(told), "\(told), \(kept)")
  }
}
