private import Glibc
internal import Playback

/// Makes quiet and loud voices alike: one gain for each stretch of speech, changed in the pause before it. Pure.
struct Levelling {
  private(set) var changes: [GainChange] = []
  /// Of the whole, when it is levelled, in LUFS.
  let loudness: Double?

  /// Stretches are taken apart at pauses of so many seconds.
  private static let leastPause = 0.25
  /// In a shorter one a gain is changed only where another voice takes over: that is louder or quieter by so many decibels, and
  /// both speak for so many seconds.
  private static let (leastTakeover, otherVoice, leastSpeech) = (0.17, 4.0, 1.0)
  /// Quieter than the whole by so many decibels: no voice.
  private static let noVoice = 20.0
  /// In decibels; a little of the difference between voices stays.
  private static let (most, share, leastChange) = (9.0, 0.85, 0.3)
  /// Music runs into the first sentence where no pause is between them. So of the first stretch the gain is that of its last
  /// seconds, yet raises nothing that is loud.
  private static let firstVoice = 2.0

  init(_ sounding: Sounding) {
    guard let whole = sounding.loudness else {
      loudness = nil
      return
    }
    for stretch in Self.stretches(of: sounding) {
      guard let level = sounding.loudness(of: stretch.range), level > whole - Self.noVoice else { continue }
      let gain = Self.gain(from: level, to: whole)
      guard let last = changes.last else {
        let end = max(stretch.range.lowerBound, stretch.range.upperBound - Self.firstVoice)..<stretch.range.upperBound
        let voice = Self.gain(from: sounding.loudness(of: end) ?? level, to: whole)
        changes.append(GainChange(during: 0..<0, gain: max(min(gain, 0), min(voice, max(0, gain)))))
        continue
      }
      guard let pause = stretch.pause, abs(gain - last.gain) >= Self.leastChange else { continue }
      changes.append(GainChange(during: Self.ramp(in: pause), gain: gain))
    }
    loudness = Self.loudness(of: sounding, changes)
  }

  private static func gain(from level: Double, to whole: Double) -> Double {
    min(max(share * (whole - level), -most), most)
  }

  /// The decibels by which the quietest voice is raised.
  var raised: Double { max(0, changes.map(\.gain).max() ?? 0) }

  private typealias Stretch = (range: Range<Double>, pause: Range<Double>?)

  private static func stretches(of sounding: Sounding) -> [Stretch] {
    var stretches: [Stretch] = []
    for part in parts(of: sounding) {
      if let last = stretches.last, let pause = part.pause, pause.upperBound - pause.lowerBound < leastPause,
        !isTakeover(last.range, part.range, sounding)
      {
        stretches[stretches.count - 1].range = last.range.lowerBound..<part.range.upperBound
      } else {
        stretches.append(part)
      }
    }
    return stretches
  }

  private static func parts(of sounding: Sounding) -> [Stretch] {
    var parts: [Stretch] = []
    var (start, before) = (0.0, Range<Double>?.none)
    for pause in sounding.pauses where pause.upperBound - pause.lowerBound >= leastTakeover {
      if pause.lowerBound > start { parts.append((start..<pause.lowerBound, before)) }
      (start, before) = (pause.upperBound, pause)
    }
    if sounding.duration > start { parts.append((start..<sounding.duration, before)) }
    return parts
  }

  private static func isTakeover(_ one: Range<Double>, _ next: Range<Double>, _ sounding: Sounding) -> Bool {
    // The stretch before may be hours long, and grows with every part.
    let end = max(one.lowerBound, one.upperBound - firstVoice)..<one.upperBound
    guard min(one.upperBound - one.lowerBound, next.upperBound - next.lowerBound) >= leastSpeech,
      let former = sounding.loudness(of: end), let level = sounding.loudness(of: next)
    else { return false }
    return abs(level - former) >= otherVoice
  }

  /// Over before the pause is, since a gain is that of a whole frame: a tenth of a second at most.
  private static func ramp(in pause: Range<Double>) -> Range<Double> {
    let start = pause.lowerBound + 0.05
    return start..<min(start + 0.2, pause.upperBound - 0.1)
  }

  private static func loudness(of sounding: Sounding, _ changes: [GainChange]) -> Double? {
    var (index, gain) = (0, changes.first?.gain ?? 0)
    let levels = sounding.levels.indices.map { tenth in
      // The middle of the 400 ms.
      while index + 1 < changes.count, changes[index + 1].during.lowerBound < Double(tenth) / 10 - 0.1 {
        index += 1
        gain = changes[index].gain
      }
      return sounding.levels[tenth] == 0 ? 0 : Level(decibels: sounding.levels[tenth].decibels + gain)
    }
    return GatedLoudness.of(levels)
  }
}

extension Sounding {
  /// The loudness of a stretch of speech. Each level is that of the 400 ms that end with its tenth of a second.
  fileprivate func loudness(of stretch: Range<Double>) -> Double? {
    let last = min(levels.count, Int(stretch.upperBound * 10))
    let first = min(Int((stretch.lowerBound * 10).rounded(.up)) + 3, last - 1)
    guard first >= 0, first < last, let loudest = levels[first..<last].max(), loudest > 0 else { return nil }
    let heard = levels[first..<last].filter { $0.decibels > loudest.decibels - 10 }
    let power = heard.reduce(0) { $0 + pow(10, $1.decibels / 10) } / Double(heard.count)
    // Of a stretch that is shorter than 400 ms.
    let share = min(1, max(0.25, (stretch.upperBound - stretch.lowerBound) / 0.4))
    return 10 * log10(power / share)
  }
}
