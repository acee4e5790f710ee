import Glibc
import PodcastModel
import Synchronization
import TestSupport
import Testing

@testable import Playback
@testable import Podcatcher

/// Two voices of which one is far quieter than the other, in sentences that are not all alike.
private struct Talk {
  static let sampleRate = 22_050
  /// Of each sentence, in seconds.
  private(set) var sentences: [Range<Double>] = []
  private(set) var samples: [Int16] = []

  init(sentences count: Int = 24) {
    var random = SeededGenerator(seed: 21)
    for number in 0..<count {
      let isQuiet = number / 3 % 2 == 1
      let decibels = (isQuiet ? -30 : -21.5) + Double.random(in: -1...1, using: &random)
      let start = now
      for word in 0..<Int.random(in: 3...7, using: &random) {
        if word > 0 { noise(0.08, &random) }
        say(Double.random(in: 0.2...0.5, using: &random), decibels, isQuiet ? 180 : 110)
      }
      sentences.append(start..<now)
      noise(Double.random(in: 0.3...1, using: &random), &random)
    }
  }

  private var now: Double { Double(samples.count) / Double(Self.sampleRate) }

  /// A hum with overtones, which fades in and out.
  private mutating func say(_ seconds: Double, _ decibels: Double, _ pitch: Double) {
    let count = Int(seconds * Double(Self.sampleRate))
    let factor = 32_768 * pow(10, decibels / 20)
    for index in 0..<count {
      let phase = 2 * Double.pi * pitch * Double(index) / Double(Self.sampleRate)
      let envelope = min(1, Double(min(index, count - index)) / 200)
      let hum = (1...12).reduce(0.0) { $0 + sin(Double($1) * phase) / Double($1) }
      samples.append(Int16((factor * envelope * hum).rounded()))
    }
  }

  private mutating func noise(_ seconds: Double, _ random: inout SeededGenerator) {
    for _ in 0..<Int(seconds * Double(Self.sampleRate)) { samples.append(Int16.random(in: -15...15, using: &random)) }
  }

  var wav: [UInt8] { WAV.file(samples, sampleRate: Self.sampleRate) }
  var floats: [Float] { samples.map { Float($0) / 32_768 } }

  /// The standard deviation of the levels of all sentences.
  func spread(of samples: [Float]) -> Double {
    let levels = sentences.map { Self.decibels(samples, $0) }
    let mean = levels.reduce(0, +) / Double(levels.count)
    return (levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(levels.count)).squareRoot()
  }

  static func decibels(_ samples: [Float], _ range: Range<Double>) -> Double {
    let indices = Int(range.lowerBound * Double(sampleRate))..<Int(range.upperBound * Double(sampleRate))
    let power = samples[indices].reduce(0.0) { $0 + Double($1) * Double($1) } / Double(indices.count)
    return 10 * log10(max(power, 1e-12))
  }
}

@Suite struct LevellingTests {
  /// Momentary loudness of 100 ms each, and pauses of half a second between.
  private func sounding(_ parts: [(decibels: Double, seconds: Int)]) -> Sounding {
    var (levels, pauses) = ([Level](), [Range<Double>]())
    for part in parts {
      let level = Level(decibels: part.decibels)
      // The window of 400 ms is full only at the end of the fourth.
      levels += [Level](repeating: Level(decibels: part.decibels - 3), count: 3)
      levels += [Level](repeating: level, count: part.seconds * 10 - 3)
      let end = Double(levels.count) / 10
      levels += [Level](repeating: Level(decibels: -70), count: 5)
      pauses.append(end..<end + 0.5)
    }
    return Sounding(loudness: GatedLoudness.of(levels), peak: -3, levels: levels, pauses: pauses)
  }

  @Test func `a gain changes inside pauses only, and by no more than nine decibels`() throws {
    let sounding = sounding([(-20, 10), (-28, 10), (-20, 10), (-36, 10), (-21, 10)])
    let levelling = Levelling(sounding)
    #expect(levelling.changes.count == 5)
    for change in levelling.changes.dropFirst() {
      let pause = try #require(sounding.pauses.first { $0.contains(change.during.lowerBound) })
      #expect(change.during.upperBound <= pause.upperBound - 0.1 + 1e-9 && !change.during.isEmpty)
    }
    let whole = try #require(sounding.loudness)
    #expect(abs(levelling.changes[1].gain - 0.85 * (whole + 28)) < 0.1)
    #expect(levelling.changes[3].gain == 9 && levelling.raised == 9)
    #expect(abs(try #require(levelling.loudness) - whole) < 3)
  }

  @Test func `in a short pause a gain changes only where another voice takes over`() throws {
    func gains(_ parts: [(decibels: Double, seconds: Int)], pause: Double) -> [Double] {
      let whole = sounding(parts)
      // Of the half second between them, only so much is a pause.
      let pauses = whole.pauses.map { $0.upperBound - pause..<$0.upperBound }
      return Levelling(Sounding(loudness: whole.loudness, peak: -3, levels: whole.levels, pauses: pauses)).changes.map(
        \.gain)
    }
    let voices: [(decibels: Double, seconds: Int)] = [(-20, 10), (-28, 10), (-20, 10)]
    #expect(gains(voices, pause: 0.2).count == 3)
    #expect(gains(voices, pause: 0.15).count == 1)
    // The same voice.
    #expect(gains([(-20, 10), (-23, 10), (-20, 10)], pause: 0.2).count == 1)
    #expect(gains([(-20, 10), (-23, 10), (-20, 10)], pause: 0.3).count == 3)
  }

  @Test func `one voice is left alone, and so is what is no voice`() {
    let even = Levelling(sounding([(-20, 10), (-20.2, 10), (-20, 5)]))
    #expect(even.changes.count == 1 && abs(even.changes[0].gain) < 0.3)
    let rustle = Levelling(sounding([(-20, 10), (-48, 10), (-20, 10)]))
    #expect(rustle.changes.count == 1)
    #expect(Levelling(Sounding(levels: [], pauses: [])).changes == [])
    #expect(Levelling(sounding([])).loudness == nil)
  }

  @Test func `music that runs into the first sentence does not count, and is not raised`() throws {
    for (voice, gain) in [(-20.0, 0.0), (-26, 0), (-16, -2.6)] {
      let parts = sounding([(-13, 8), (voice, 4), (-20, 120)])
      let levelling = Levelling(
        Sounding(loudness: parts.loudness, peak: -3, levels: parts.levels, pauses: Array(parts.pauses.dropFirst())))
      #expect(abs(try #require(levelling.changes.first).gain - gain) < 0.5, "\(voice): \(levelling.changes)")
    }
    // Nor does a loud end of what is as loud as the whole.
    let parts = sounding([(-20, 20), (-12, 2), (-20, 120)])
    let laugh = Levelling(
      Sounding(loudness: parts.loudness, peak: -3, levels: parts.levels, pauses: Array(parts.pauses.dropFirst())))
    #expect(try #require(laugh.changes.first).gain > -2, "\(laugh.changes)")
    // A quiet opening that runs into the voice is not raised with it.
    let opening = sounding([(-28, 20), (-20, 3), (-20, 120)])
    let raised = Levelling(
      Sounding(
        loudness: opening.loudness, peak: -3, levels: opening.levels, pauses: Array(opening.pauses.dropFirst())))
    #expect(abs(try #require(raised.changes.first).gain) < 0.5, "\(raised.changes)")
    // Of a quiet voice alone nothing changes.
    let quiet = Levelling(sounding([(-26, 10), (-20, 120)]))
    #expect(quiet.changes[0].gain > 4.5)
  }

  /// By the real pass and the real filters.
  private func heard(_ show: OneEpisode, isLevelled: Bool) async throws -> (samples: [Float], SoundCorrection) {
    let home = try TemporaryHome()
    let guide = SoundGuide(store: show.store)
    let entry = try await show.entry()
    var settings = Listener.Settings()
    (settings.levels, settings.loudness) = (isLevelled, .off)
    let correction = await guide.correction(of: entry, settings, await guide.sounding(of: entry))
    let path = home.path + "/heard"
    let player = Player(audioOutput: "pcm:ao-pcm-file=\(path),ao-pcm-waveheader=no")
    var options = LoadOptions()
    options.correction = correction
    let events = player.events()
    let media = try player.load(.file(show.path), options)
    for await event in events {
      if case .ended(media, let reason) = event {
        #expect(reason == .reachedEnd)
        player.close()
      }
    }
    let bytes = try contents(of: path)
    return (bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }, correction)
  }

  @Test(arguments: ["wav", "mp3"])
  func `voices of one episode are alike, and no gain changes while one speaks`(ending: String) async throws {
    let talk = Talk()
    let show = try await OneEpisode()
    let home = try TemporaryHome()
    var bytes = talk.wav
    if ending == "mp3" {
      let (from, to) = (try home.write(bytes, to: "talk.wav"), home.path + "/talk.mp3")
      let encode = ["-nostdin", "-v", "error", "-i", from, "-b:a", "128k", to]
      _ = try await Program("ffmpeg", encode, environment: home.environment).run()
      bytes = try contents(of: to)
    }
    show.serve(bytes)
    _ = try #require(try await show.download()).get()
    await Measurer(store: show.store) { _ in }.measure([try await show.entry()])
    let (plain, _) = try await heard(show, isLevelled: false)
    let (levelled, correction) = try await heard(show, isLevelled: true)
    // A limiter would delay the sound.
    #expect(correction.levels.count >= 8 && correction.ceiling == nil)
    #expect(talk.spread(of: plain) >= 3, "\(talk.spread(of: plain))")
    #expect(talk.spread(of: levelled) <= 1.2, "\(talk.spread(of: levelled))")
    // The gain is the difference, part by part.
    for sentence in talk.sentences {
      let parts = stride(from: sentence.lowerBound, to: sentence.upperBound - 0.05, by: 0.05).map { $0..<$0 + 0.05 }
      let gains = parts.filter { Talk.decibels(plain, $0) > -45 }.map {
        Talk.decibels(levelled, $0) - Talk.decibels(plain, $0)
      }
      let (least, most) = (gains.min() ?? 0, gains.max() ?? 0)
      #expect(most - least < 0.1, "\(least)...\(most) in \(sentence)")
    }
  }
}
