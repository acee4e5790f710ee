private import Glibc

/// Integrated loudness of a series of momentary ones, by the two gates of ITU-R BS.1770-4. Pure.
///
/// A damaged frame can be decoded into samples far above full scale. No such sample is heard, so it does not count.
enum GatedLoudness {
  /// In LUFS; nil where all is silence.
  static func of(_ levels: some Sequence<Level>) -> Double? {
    var counts = [Int](repeating: 0, count: 256)
    for level in levels where level <= highest { counts[Int(level)] += 1 }
    guard let all = mean(counts, above: -70) else { return nil }
    return mean(counts, above: max(-70, all - 10))
  }

  /// Full scale is not louder, at frequencies of speech.
  private static let highest = Level(decibels: 3)

  /// The mean is one of power, not of decibels.
  private static func mean(_ counts: [Int], above gate: Double) -> Double? {
    var (power, total) = (0.0, 0)
    for (level, count) in counts.enumerated() where count > 0 && Level(level).decibels > gate {
      power += Double(count) * pow(10, Level(level).decibels / 10)
      total += count
    }
    return total > 0 ? 10 * log10(power / Double(total)) : nil
  }
}
