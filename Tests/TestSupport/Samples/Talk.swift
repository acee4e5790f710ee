private import Glibc

/// Generated talk: voices that say syllables, with pauses of many lengths. The same seed gives the same samples.
package struct Talk: Sendable {
  package static let sampleRate = 16_000
  private var generator: SeededGenerator
  private var voice = Voice(pitch: 120, loudness: 0.3)
  package private(set) var samples: [Int16] = []
  /// Of the sentences, without the pauses behind them.
  package private(set) var sentences: [Range<Int>] = []

  private struct Voice {
    var pitch: Double
    var loudness: Double
  }

  /// About so many seconds, by voices that take turns.
  package init(seconds: Double, seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let count = Int(seconds * Double(Self.sampleRate))
    samples.reserveCapacity(count + Self.sampleRate)
    while samples.count < count { sentence() }
    samples.removeLast(samples.count - count)
  }

  private mutating func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }

  private mutating func sentence() {
    if random(0...1) < 0.2 { voice = Voice(pitch: random(90...220), loudness: random(0.12...0.4)) }
    let start = samples.count
    for word in 0..<Int(random(3...14)) {
      if word > 0 { pause(random(0.02...0.12)) }
      for _ in 0..<Int(random(1...4)) { syllable() }
    }
    sentences.append(start..<samples.count)
    pause(random(0.02...0.12))
    pause(random(0.15...0.9))
  }

  /// A vowel of three formants, now and then behind a hiss.
  private mutating func syllable() {
    if random(0...1) < 0.5 { hiss(random(0.03...0.1)) }
    let count = Int(random(0.07...0.26) * Double(Self.sampleRate))
    let pitch = voice.pitch * random(0.85...1.2)
    let formants = [random(280...800), random(900...2300), random(2400...3200)]
    let loudness = voice.loudness * random(0.4...1)
    let harmonics = (1...min(12, Int(3400 / pitch))).map { number -> (Double, Double) in
      let frequency = pitch * Double(number)
      let gain = formants.reduce(0.02) { $0 + exp(-abs(frequency - $1) / 120) }
      return (2 * Double.pi * frequency / Double(Self.sampleRate), gain * 0.5)
    }
    var oscillators = harmonics.map { (cosine: 2 * cos($0.0), last: sin($0.0), before: 0.0, gain: $0.1) }
    for index in 0..<count {
      var sum = 0.0
      for number in oscillators.indices {
        sum += oscillators[number].last * oscillators[number].gain
        let next = oscillators[number].cosine * oscillators[number].last - oscillators[number].before
        (oscillators[number].before, oscillators[number].last) = (oscillators[number].last, next)
      }
      let share = Double(index) / Double(count)
      let envelope = min(1, share * 8) * min(1, (1 - share) * 3)
      append(sum * loudness * envelope)
    }
  }

  private mutating func hiss(_ seconds: Double) {
    for _ in 0..<Int(seconds * Double(Self.sampleRate)) { append(random(-0.12...0.12) * voice.loudness * 2) }
  }

  private mutating func pause(_ seconds: Double) {
    for _ in 0..<Int(seconds * Double(Self.sampleRate)) { append(0) }
  }

  /// In a room that is never quite silent.
  private mutating func append(_ value: Double) {
    let noise = Double(Int64(bitPattern: generator.next()) >> 40) / 8_388_608 * 0.0012
    samples.append(Int16(max(-1, min(1, value + noise)) * 32_000))
  }

  // MARK: Renditions

  /// In the format of a file extension, encoded by ffmpeg.
  package static func encoded(_ samples: [Int16], as ending: String, _ options: [String]) async throws -> [UInt8] {
    try await WAV.encoded(WAV.file(samples, sampleRate: sampleRate), as: ending, options)
  }
}
