private import Glibc

/// Chooses the gain that makes an episode as loud as it is to be. Pure.
package enum LoudnessRule {
  /// In decibels.
  private static let gains = -15.0...18.0
  /// dBFS of the highest sample: between samples it may be a little higher.
  private static let highest = -1.5

  /// The measured loudness is believed before that of other episodes of the podcast, and that before an estimate by the
  /// talk that is here already. Never one from the start: music and adverts at the beginning are louder than the rest. Nil where
  /// nothing is known.
  package static func gain(
    to target: Double, measured: Double?, history: [Double], estimate: Double? = nil
  ) -> Double? {
    guard let loudness = measured ?? median(history) ?? estimate else { return nil }
    return min(max(target - loudness, gains.lowerBound), gains.upperBound)
  }

  /// The level to which samples are limited before the gain. Nil where the gain makes none too loud, `raised` decibels
  /// behind the levelling at most.
  static func ceiling(under gain: Double, peak: Double?, raised: Double = 0) -> Double? {
    guard gain + raised + (peak ?? 0) > highest else { return nil }
    return min(1, max(0.0625, pow(10, (highest - gain) / 20)))
  }

  private static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// Moves a gain to a better one, unheard: in pauses only, slowly, and not up right after a jump. Pure.
struct GainRamp: Hashable, Sendable {
  private(set) var gain: Double
  let target: Double
  private var last: Duration?
  private var jumpedAt: Duration?

  /// In decibels a second.
  private static let speed = 0.5
  private static let patience = Duration.seconds(10)

  init(from gain: Double, to target: Double) { (self.gain, self.target) = (gain, target) }

  mutating func jumped(at now: Duration) { (last, jumpedAt) = (nil, now) }

  /// True where the gain has changed.
  mutating func played(isPause: Bool, at now: Duration) -> Bool {
    // Through speech it waits, and then makes up for a second of it.
    defer { if isPause || last == nil { last = now } }
    guard isPause, gain != target, let last else { return false }
    if target > gain, let jumpedAt, now - jumpedAt < Self.patience { return false }
    let step = min(abs(target - gain), Self.speed * min(1, (now - last) / .seconds(1)))
    gain += target > gain ? step : -step
    return true
  }
}
