/// Corrects libmpv's position where pauses are cut out.
///
/// libmpv subtracts the device's delay from the end of the decoded sound, as if nothing were missing in between. So its
/// position jumps over a cut as soon as that is decoded, half a second before the sound at the cut is heard. Here it waits.
struct CutLag {
  /// Of what is decoded from now on; in seconds, ascending.
  var cuts: [Range<Double>] = [] { didSet { next = 0 } }
  /// The first cut that may not be decoded yet.
  private var next = 0
  /// Decoded, and not heard yet.
  private var waiting: [Range<Double>] = []
  /// Without the moment where the clock went on alone.
  private var last: (seconds: Double, now: Duration?)?

  /// In seconds: more is never decoded ahead.
  private static let reach = 3.0

  /// A seek or another media file. `target` is where playing goes on, as far as that is known.
  mutating func reset(to target: Duration? = nil) {
    (waiting, next) = ([], 0)
    last = target.map { ($0 / .seconds(1), nil) }
  }

  /// A pause or a wait for bytes.
  mutating func pause() { last?.now = nil }

  /// Returns the position that is heard.
  mutating func heard(_ seconds: Double, at now: Duration, speed: Double) -> Double {
    if let last {
      let elapsed = last.now.map { (now - $0) / .seconds(1) } ?? 0
      decode(seconds - last.seconds - speed * elapsed, from: last.seconds, within: Self.reach * speed)
    }
    last = (seconds, now)
    var heard = waiting.reduce(seconds) { $0 - $1.length }
    while let cut = waiting.first, heard >= cut.lowerBound {
      heard += cut.length
      waiting.removeFirst()
    }
    return heard
  }

  /// The position is so far ahead of the clock as cuts were decoded.
  private mutating func decode(_ ahead: Double, from seconds: Double, within reach: Double) {
    var ahead = ahead
    while next < cuts.count, cuts[next].lowerBound < seconds + reach {
      if cuts[next].lowerBound >= max(seconds, waiting.last?.upperBound ?? 0) {
        guard ahead >= cuts[next].length / 2 else { return }
        waiting.append(cuts[next])
        ahead -= cuts[next].length
      }
      next += 1
    }
  }
}

extension Range<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
}
