internal import TestSupport

/// The misbehaving servers of `HostileServers`: how each responds, and the expected result.
struct HostileCases {
  struct Case {
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

  private let sound: [UInt8]
  private let another: [UInt8]
  private let whole: Response
  private let mirrors: [LoopbackServer]
  private static let early = 100_000

  init(_ sound: [UInt8], _ another: [UInt8]) throws {
    self.sound = sound
    self.another = another
    let whole = Response.resource(sound, type: "audio/wav", etag: "\"one\"")
    self.whole = whole
    mirrors = try (2...5).map { try LoopbackServer(host: "127.0.0.\($0)") }
    for mirror in mirrors {
      mirror.serve("/m.wav") { whole.answering($0).truncated(at: 700_000) }
    }
  }

  var all: [Case] { rangeCases + otherCases }

  private var rangeCases: [Case] {
    let (sound, whole, mirrors, early) = (sound, whole, mirrors, Self.early)
    func resource(_ ranges: Response.Ranges) -> Response {
      .resource(sound, type: "audio/wav", etag: "\"one\"", ranges: ranges)
    }
    let (unranged, shifted, refusing) = (resource(.ignored), resource(.shifted(7)), resource(.refused))
    return [
      Case("ignores Range", sound) { request, _ in unranged.answering(request) },
      Case("ignores Range and breaks off once", sound) { request, number in
        let answer = unranged.answering(request)
        return number == 1 ? answer.truncated(at: sound.count / 2) : answer
      },
      Case("refuses every range after the first answer", sound) { request, number in
        number == 1 ? whole.answering(request).truncated(at: early) : refusing.answering(request)
      },
      Case("sends bytes from the wrong offset", sound) { request, number in
        number == 1 ? whole.answering(request).truncated(at: early) : shifted.answering(request)
      },
      Case("redirects each range to another host, which breaks off", sound) { _, number in
        .redirect(to: mirrors[number % mirrors.count].url("/m.wav"))
      },
    ]
  }

  private var otherCases: [Case] {
    let (sound, whole, early) = (sound, whole, Self.early)
    let other = Response.resource(another, type: "audio/wav", etag: "\"two\"")
    return [
      Case("behaves", sound) { request, _ in whole.answering(request) },
      Case("tells a length beyond the end", sound, failing: "bytes") { _, _ in
        Response.ok(sound, type: "audio/wav").header("ETag", "\"one\"").claimingLength(sound.count + 1000)
      },
      Case("breaks off every answer after 300 kB", sound) { request, _ in
        whole.answering(request).truncated(at: 300_000)
      },
      Case("changes its ETag in the middle, not its bytes", sound) { request, number in
        let answer = Response.resource(sound, type: "audio/wav", etag: "\"\(number > 1)\"").answering(request)
        return number == 1 ? answer.truncated(at: early) : answer
      },
      Case("is gone after the first answer", sound, failing: "404") { request, number in
        number == 1 ? whole.answering(request).truncated(at: early) : .status(404)
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
