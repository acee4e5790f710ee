private import Glibc
internal import TestSupport

/// Servers that misbehave in every known way, each with a download and with a stream. Each must end with the right file
/// or a clear error; a stream that was played to its end must also have left the right file.
struct HostileServers {
  /// Runs the cases whose names contain `chosen`, or as many as fit into a time such as `60s`; all if nil.
  func run(_ chosen: String?) async throws {
    let amount = Amount(chosen, usual: .max)
    let words = amount.isTime ? nil : chosen
    let header = Tone(seconds: 60, sampleRate: 48_000).wav.prefix(44)
    var (tried, failures) = (0, 0)
    let all = try HostileCases(header + Media.bytes(5_760_000, seed: 1), header + Media.bytes(5_760_000, seed: 2)).all
    let cases = all.filter { $0.name.contains(words ?? $0.name) }
    for (each, _) in zip(cases, amount.begin()) {
      tried += 1
      for command in [["download", "1"], ["play", "1"]] {
        let verdict = try await verdict(of: each, command)
        if verdict.isWrong { failures += 1 }
        print("\(verdict.isWrong ? "WRONG" : "ok   ")  \(command[0])  \(each.name): \(verdict.words)")
      }
    }
    print("\(tried) of \(all.count) misbehaviours, each before a download and a stream: \(failures) went wrong")
    if failures > 0 { exit(1) }
  }

  private func verdict(
    of each: HostileCases.Case, _ command: [String]
  ) async throws -> (isWrong: Bool, words: String) {
    let home = try TemporaryHome()
    defer { home.remove() }
    let server = try LoopbackServer()
    server.serve("/feed.xml", .feed(SampleFeed(episodes: 1, mediaBase: server.url("/media"), seconds: 60).bytes))
    let count = Observed(0)
    server.serve("/media/1.wav") { request in
      each.answer(
        request,
        count.update { count in
          count += 1
          return count
        })
    }
    _ = try await home.podcli("subscribe", server.url("/feed.xml")).run()
    let start = ContinuousClock.now
    let outcome = try await home.podcli(command).setting("PODCLI_AO", "null:ao-null-untimed=yes")
      .run(by: Deadline(after: .seconds(200)))
    let seconds = (ContinuousClock.now - start).components.seconds
    let file = try? contents(of: home.path + "/podcli/media/1-Sample Show/1-Episode 1.wav")
    let error = outcome.transcript.error.split(separator: "\n").first { $0.hasPrefix("podcli: ") }.map(String.init)
    if outcome.status == .exited(0) {
      // Playing an incomplete file succeeds with the bytes there are, and leaves no file.
      let isRight = file == each.right || (file == nil && each.words != nil && command[0] == "play")
      return (!isRight, "\(isRight ? "right" : "wrong"), \(seconds) s, \(count.value) requests")
    }
    let isClear = error.map { $0.contains(each.words ?? "\u{0}") } ?? false
    return (file != nil || !isClear, "\(outcome.status), \(seconds) s: \(error ?? "nothing said")")
  }
}
