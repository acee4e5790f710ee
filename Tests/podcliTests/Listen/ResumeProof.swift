import Glibc
import PodcastModel
import PodcastStore
import TestSupport
import Testing

/// Three hours of MP3 whose frames differ in length, streamed by the release build: `make prove-resume`. It takes minutes,
/// so `make test` leaves it out.
@Suite(.enabled(if: getenv("PODCLI_PROVE_RESUME") != nil)) struct ResumeProof {
  private static let program = getenv("PODCLI_PROVE_RESUME").map { String(cString: $0) }
  private static let minutes = getenv("MINUTES").flatMap { Int(String(cString: $0)) } ?? 180
  private static let rounds = 5
  /// Each time so much is heard in real time, which is more than the longest pause.
  private static let seconds = 2.0

  @Test(arguments: [true, false])
  func `two thirds heard, the bytes evicted: resuming goes on within 0.3 s, for half a megabyte`(
    hasTable: Bool
  ) async throws {
    let stage = try await stage()
    let resource = Response.resource(try await Self.sound(hasTable: hasTable), type: "audio/mpeg", etag: "\"one\"")
    let distant = resource.throttled(bytesPerSecond: 2_500_000).delayed(by: .milliseconds(50))
    let name = hasTable ? "Xing" : "none"
    for round in 0...Self.rounds {
      stage.server.serve("/media/1.mp3") { resource.answering($0) }
      try await skip(stage, isFirst: round == 0)
      let before = try await hear(stage, ["resume"], then: SIGINT)
      let kept = try #require(try await stage.position(of: 1))
      let last = try #require(Self.talk.moment(of: before.samples, near: kept)) + before.seconds
      // The last time the byte that was stored with the position does not count.
      if round == Self.rounds { try await forgetByte(stage, at: kept) }
      try await run(stage, "downloads", "--remove", "1")
      #expect(try await stage.library().mediaSize() == 0)
      stage.server.serve("/media/1.mp3") { distant.answering($0) }
      let after = try await hear(stage, ["resume", "--no-save"], then: SIGKILL)
      let first = Self.talk.moment(of: after.samples, near: kept)
      let distance = (first ?? .nan) - last
      print(
        "\(name):", kept, "kept,", last, "last heard,", distance, "s from there,", after.bytesSent, "bytes in",
        after.answers, "answers before the first sound, after", after.wait)
      if round == Self.rounds {
        #expect(!(abs(distance) <= 0.3), "the check does not notice that the byte is left out")
      } else {
        #expect(abs(distance) <= 0.3)
        #expect(after.bytesSent <= 500_000)
      }
      try await run(stage, "downloads", "--remove", "1")
    }
  }

  // MARK: The listener

  private func stage() async throws -> Stage {
    let stage = try Stage(episodes: 1, seconds: 1)
    let feed = SampleFeed(
      episodes: 1, mediaBase: stage.server.url("/media"), mediaEnding: "mp3", mediaType: "audio/mpeg",
      seconds: Self.minutes * 60)
    stage.server.serve("/feed.xml", Response.feed(feed.bytes))
    try await run(stage, "subscribe", stage.feedURL)
    for setting in ["auto-measure=off", "rewind=off", "cache-size=1M"] {
      try await run(stage, "config", "set", setting)
    }
    return stage
  }

  private func program(_ stage: Stage, _ arguments: [String]) throws -> Program {
    stage.home.program(try #require(Self.program), arguments)
  }

  private func run(_ stage: Stage, _ arguments: String...) async throws {
    let outcome = try await program(stage, arguments).run()
    try #require(outcome.status == .exited(0), "\(outcome)")
  }

  /// Two thirds of it at first, as fast as the machine decodes them. Later a minute at four times the speed: without a clock,
  /// playing goes on for many minutes behind the end that was asked for.
  private func skip(_ stage: Stage, isFirst: Bool) async throws {
    let start = isFirst ? 0 : try #require(try await stage.position(of: 1))
    let end = isFirst ? Self.minutes * 40 : Int(start) + 60
    let words = isFirst ? ["play", "1"] : ["resume", "--speed", "4"]
    let outcome = try await program(stage, words + ["--until", "\(end)s", "-q"])
      .setting("PODCLI_AO", isFirst ? "null:ao-null-untimed=yes" : "null").run(by: Deadline(after: .seconds(600)))
    try #require(outcome.status == .exited(0), "\(outcome)")
  }

  private func forgetByte(_ stage: Stage, at kept: Double) async throws {
    let store = try PodcastStoreForTests.writing(stage.home)
    let position = Duration.milliseconds(Int64(kept * 1000) + 1)
    try await store.savePosition(position, of: EpisodeID(rawValue: 1), urgency: .flush)
    #expect(try await store.heardPosition(of: EpisodeID(rawValue: 1)) == nil)
    await store.close()
  }

  private struct Heard {
    /// Of the left side, without the device's silence.
    var samples: [Float]
    /// By the server, up to the moment at which the first sound was heard.
    var bytesSent: Int
    var answers: Int
    var wait: Duration

    var seconds: Double { Double(samples.count) / Double(Talk.sampleRate) }
  }

  private func hear(_ stage: Stage, _ arguments: [String], then signal: Int32) async throws -> Heard {
    let speaker = try TemporaryHome()
    defer { speaker.remove() }
    let sink = try PCMSink(in: speaker, sampleRate: 2 * Talk.sampleRate)
    let (server, known, began) = (stage.server, stage.server.exchanges.count, ContinuousClock.now)
    let playing = try program(stage, arguments + ["-q"]).heard(by: sink).start()
    let (exchanges, wait) = try await sink.atFirstSound {
      (server.exchanges.dropFirst(known), ContinuousClock.now - began)
    }
    try await sink.wait(forSeconds: sink.heard + Self.seconds)
    playing.send(signal)
    _ = try await playing.end()
    let both = sink.samples
    let left = stride(from: 0, to: both.count - 1, by: 2).map { both[$0] }
    let isSound = { (sample: Float) in sample != 0 }
    let sound = try #require(left.firstIndex(where: isSound))...left.lastIndex(where: isSound)!
    return Heard(
      samples: Array(left[sound]), bytesSent: exchanges.reduce(0) { $0 + $1.bytesSent }, answers: exchanges.count,
      wait: wait)
  }

  // MARK: The sound

  private static let talk = RepeatedTalk(Talk(seconds: 1200, seed: 1))

  /// On the left talk, again and again; on the right noise, for a growing part of each minute, so that later minutes have
  /// more bytes.
  private static func sound(hasTable: Bool) async throws -> [UInt8] {
    let home = try TemporaryHome()
    let talk = try home.write(WAV.file(talk.samples, sampleRate: Talk.sampleRate), to: "talk.wav")
    let seconds = minutes * 60
    let noise = "aevalsrc=0.3*(random(0)-0.5)*lt(mod(t\\,60)\\,45*t/\(seconds)):s=\(Talk.sampleRate):d=\(seconds)"
    let path = home.path + "/sound.mp3"
    let arguments =
      ["-nostdin", "-v", "error", "-stream_loop", "-1", "-i", talk, "-f", "lavfi", "-i", noise]
      + ["-filter_complex", "[0:a][1:a]join=inputs=2:channel_layout=stereo", "-t", "\(seconds)", "-q:a", "5"]
      + ["-write_xing", hasTable ? "1" : "0", "-bitexact", path]
    let ended = try await Program("ffmpeg", arguments, environment: home.environment)
      .run(by: Deadline(after: .seconds(1200)))
    guard ended.status == .exited(0) else { throw Overdue("ffmpeg", seen: ended.description) }
    return try contents(of: path)
  }
}

/// Talk that begins anew when it is over, and the moments at which parts of it are heard.
private struct RepeatedTalk {
  let samples: [Int16]
  private let levels: [Float]

  private static let block = Talk.sampleRate / 100
  private static let clipBlocks = 50

  init(_ talk: Talk) {
    samples = talk.samples
    levels = Self.levels(talk.samples.map(Float.init))
  }

  /// The time in the whole at which `heard` begins; nil where it is not found. The loudness of hundredths of a second finds
  /// it within three minutes of the expected one, the samples of the loudest half second, which is no pause, find it exactly.
  func moment(of heard: [Float], near expected: Double) -> Double? {
    let (pattern, middle) = (Self.levels(heard), Int(expected * 100))
    guard pattern.count >= Self.clipBlocks else { return nil }
    let rough = Self.best(max(0, middle - 18_000)...middle + 18_000, pattern) { levels[$0 % levels.count] }
    let loudest = (0...pattern.count - Self.clipBlocks).max { one, other in
      loudness(pattern, from: one) < loudness(pattern, from: other)
    }!
    let clip = Array(heard[loudest * Self.block..<(loudest + Self.clipBlocks) * Self.block])
    let start = (rough.offset + loudest) * Self.block
    let exact = Self.best(max(0, start - 2 * Self.block)...start + 2 * Self.block, clip) {
      Float(samples[$0 % samples.count])
    }
    guard exact.likeness > 0.8 else {
      print("not found: levels", rough.likeness, "samples", exact.likeness)
      return nil
    }
    return Double(exact.offset - loudest * Self.block) / Double(Talk.sampleRate)
  }

  private func loudness(_ levels: [Float], from start: Int) -> Float {
    levels[start..<start + Self.clipBlocks].reduce(0, +)
  }

  private static func levels(_ samples: [Float]) -> [Float] {
    stride(from: 0, to: samples.count - block + 1, by: block).map { start in
      samples[start..<start + block].reduce(0) { $0 + abs($1) }
    }
  }

  private static func best(
    _ offsets: ClosedRange<Int>, _ pattern: [Float], _ whole: (Int) -> Float
  ) -> (offset: Int, likeness: Float) {
    offsets.map { ($0, likeness(pattern, $0, whole)) }.max { $0.1 < $1.1 }!
  }

  /// Pearson's correlation.
  private static func likeness(_ pattern: [Float], _ offset: Int, _ whole: (Int) -> Float) -> Float {
    var (x, y, xx, yy, xy): (Float, Float, Float, Float, Float) = (0, 0, 0, 0, 0)
    for index in pattern.indices {
      let (one, other) = (pattern[index], whole(offset + index))
      (x, y, xx, yy, xy) = (x + one, y + other, xx + one * one, yy + other * other, xy + one * other)
    }
    let count = Float(pattern.count)
    let spread = (xx - x * x / count) * (yy - y * y / count)
    return spread > 0 ? (xy - x * y / count) / spread.squareRoot() : 0
  }
}
