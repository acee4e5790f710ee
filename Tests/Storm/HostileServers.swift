private import Glibc
internal import TestSupport

/// Servers that misbehave in every known way, each with a download and with a stream. Each must end with the right file
/// or a clear error; a stream that was played to its end must also have left the right file.
struct HostileServers {
  private struct Case {
    let name: String
    /// The expected content of the file.
    let right: [UInt8]
    /// The text of the expected error; nil if the file must be completed.
    let words: String?
    /// The response to a request and its number, counted from 1.
    let answer: @Sendable (Request, Int) -> Response

    init(
      _ name: String, _ right: [UInt8], failing words: String? = nil,
      _ answer: @escaping @Sendable (Request, Int) -> Response
    ) {
      self.name = name
      self.right = right
      self.words = words
      self.answer = answer
    }
  }

  /// Runs the cases whose names contain `chosen`, or as many as fit into a time such as `60s`; all if nil.
  func run(_ chosen: String?) async throws {
    let amount = Amount(chosen, usual: .max)
    let words = amount.isTime ? nil : chosen
    let header = Tone(seconds: 60, sampleRate: 48_000).wav.prefix(44)
    var (tried, failures) = (0, 0)
    let all = try cases(header + Media.bytes(5_760_000, seed: 1), header + Media.bytes(5_760_000, seed: 2))
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
    of each: Case, _ command: [String]
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

  private func cases(_ sound: [UInt8], _ another: [UInt8]) throws -> [Case] {
    let whole = Response.resource(sound, type: "audio/wav", etag: "\"one\"")
    let other = Response.resource(another, type: "audio/wav", etag: "\"two\"")
    let unranged = Response.resource(sound, type: "audio/wav", etag: "\"one\"", ranges: .ignored)
    let shifted = Response.resource(sound, type: "audio/wav", etag: "\"one\"", ranges: .shifted(7))
    let refusing = Response.resource(sound, type: "audio/wav", etag: "\"one\"", ranges: .refused)
    let mirrors = try (2...5).map { try LoopbackServer(host: "127.0.0.\($0)") }
    for mirror in mirrors {
      mirror.serve("/m.wav") { whole.answering($0).truncated(at: 700_000) }
    }
    let early = 100_000
    return [
      Case("behaves", sound) { request, _ in whole.answering(request) },
      Case("ignores Range", sound) { request, _ in unranged.answering(request) },
      Case("ignores Range and breaks off once", sound) { request, number in
        let answer = unranged.answering(request)
        return number == 1 ? answer.truncated(at: sound.count / 2) : answer
      },
      Case("tells a length beyond the end", sound, failing: "bytes") { _, _ in
        Response.ok(sound, type: "audio/wav").header("ETag", "\"one\"").claimingLength(sound.count + 1000)
      },
      Case("breaks off every answer after 300 kB", sound) { request, _ in
        whole.answering(request).truncated(at: 300_000)
      },
      Case("refuses every range after the first answer", sound) { request, number in
        number == 1 ? whole.answering(request).truncated(at: early) : refusing.answering(request)
      },
      Case("changes its ETag in the middle, not its bytes", sound) { request, number in
        let answer = Response.resource(sound, type: "audio/wav", etag: "\"\(number > 1)\"").answering(request)
        return number == 1 ? answer.truncated(at: early) : answer
      },
      Case("redirects each range to another host, which breaks off", sound) { _, number in
        .redirect(to: mirrors[number % mirrors.count].url("/m.wav"))
      },
      Case("is gone after the first answer", sound, failing: "404") { request, number in
        number == 1 ? whole.answering(request).truncated(at: early) : .status(404)
      },
      Case("sends bytes from the wrong offset", sound) { request, number in
        number == 1 ? whole.answering(request).truncated(at: early) : shifted.answering(request)
      },
      Case("has another file after the first answer", another) { request, number in
        number == 1 ? whole.answering(request).truncated(at: early) : other.answering(request)
      },
      // The last case, since it takes the longest.
      Case("is silent for 60 s in the middle", sound) { request, number in
        let answer = whole.answering(request)
        return number == 1 ? answer.pausing(at: early, for: .seconds(60)) : answer
      },
    ]
  }
}
