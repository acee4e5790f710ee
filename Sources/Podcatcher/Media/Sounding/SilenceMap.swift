private import Glibc

/// Finds the pauses of speech in levels of 10 ms. Pure.
///
/// The threshold follows the recording: above its noise, below its voices. A fixed one chops quiet recordings.
enum SilenceMap {
  /// A level that is not known; it is no silence.
  static let unknown = Level.max

  /// The shortest pause, in levels.
  private static let shortest = 15

  /// In seconds.
  static func pauses(in levels: [Level]) -> [Range<Double>] {
    guard let (threshold, hidden) = threshold(of: levels) else { return [] }
    let quiet = smoothed(levels).map { $0 < pow(10, threshold / 10) }
    var pauses: [Range<Double>] = []
    var (start, end): (Int?, Int) = (nil, 0)
    for index in 0...quiet.count {
      let isQuiet = index < quiet.count && quiet[index]
      if isQuiet { start = start ?? index }
      guard !isQuiet, let begin = start else { continue }
      start = nil
      guard index - begin >= shortest else { continue }
      // The smoothing has a voice reach into its neighbour. A voice of one level has none to either side.
      let lower = max(end, begin > 0 && levels[begin - 1].decibels < threshold ? begin - 1 : begin)
      let upper = index < levels.count && levels[index].decibels < threshold ? index + 1 : index
      end = upper
      pauses.append(Double(min(lower + hidden, begin + shortest)) / 100..<Double(upper) / 100)
    }
    return pauses
  }

  /// Power over three levels.
  private static func smoothed(_ levels: [Level]) -> [Double] {
    let powers = (0...Int(Level.max)).map { pow(10, Level($0).decibels / 10) }
    return levels.indices.map { index in
      let around = max(0, index - 1)...min(levels.count - 1, index + 1)
      return around.reduce(0) { $0 + powers[Int(levels[$1])] } / Double(around.count)
    }
  }

  /// In decibels, and how many levels of a voice that dies away the noise hides; nil where nothing is known.
  private static func threshold(of levels: [Level]) -> (Double, hidden: Int)? {
    var counts = [Int](repeating: 0, count: 256)
    for level in levels where level != unknown { counts[Int(level)] += 1 }
    let total = counts.reduce(0, +)
    guard total > 0 else { return nil }
    func quantile(_ share: Double) -> Double {
      var left = Int(Double(total) * share)
      let level = counts.indices.first { index in
        left -= counts[index]
        return left < 0
      }
      return Level(level ?? 0).decibels
    }
    let (floor, voice) = (quantile(0.05), quantile(0.9))
    let threshold = min(max(floor + 5, voice - 40), voice - 15)
    // It takes 0.15 s for 60 dB, or longer.
    return (threshold, Int((threshold - voice + 40) / 60 * 15))
  }
}
