/// The parts of pauses that are cut out, by the map of an episode's pauses. Pure.
///
/// So much stays of each pause, a little more behind a voice than before the next; voices are never touched.
extension Sound.Trim {
  private struct Rest {
    /// Stays in any case, in seconds.
    var base: Double
    /// Stays of what is longer than `base`.
    var share: Double
  }

  private var rest: Rest? {
    switch self {
    case .off: nil
    case .mild: Rest(base: 0.35, share: 0.5)
    case .medium: Rest(base: 0.25, share: 0.25)
    case .max: Rest(base: 0.16, share: 0)
    }
  }

  /// In seconds, ascending; empty for `off`.
  package func cuts(in pauses: [Range<Double>]) -> [Range<Double>] {
    guard let rest else { return [] }
    return pauses.compactMap { pause in
      let length = pause.upperBound - pause.lowerBound
      let left = rest.base + rest.share * (length - rest.base)
      guard length - left >= Self.shortestCut else { return nil }
      // 80 ms behind a voice and 60 ms before one, where only 140 stay.
      let start = pause.lowerBound + left / 2 + 0.01
      return start..<(start + length - left)
    }
  }

  /// The time that cutting saves in an episode with these pauses, in seconds.
  package func saved(in pauses: [Range<Double>]) -> Double {
    cuts(in: pauses).reduce(0) { $0 + $1.upperBound - $1.lowerBound }
  }

  /// Shorter ones save nothing to speak of.
  private static let shortestCut = 0.04
}
