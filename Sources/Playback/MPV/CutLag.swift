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
  /// So far the last reports were behind the clock, in seconds: where the thread was late, the next one makes up for it.
  /// Silence of the device, which nothing makes up for, is forgotten within some seconds.
  private var late = 0.0
  /// Nothing before `last` is heard: a seek leads there.
  private var isExact = false
  /// Until then, behind a seek.
  private var settled = Duration.zero

  /// In seconds: more is never decoded ahead.
  private static let reach = 2.0
  /// In seconds: half the time between two reports. A cut so close is heard before the next one.
  private static let close = 0.025
  /// As long as the device's delay may be wrong behind a seek, and longer.
  private static let settling = Duration.milliseconds(500)

  /// A seek or another media file. `target` is where playing goes on, as far as that is known; `isExact` says that it
  /// does so nowhere before.
  mutating func reset(to target: Duration? = nil, isExact: Bool = false, speed: Double = 1) {
    let speed = max(0, speed)
    (waiting, next, late, settled) = ([], 0, 0, .zero)
    self.isExact = isExact && target != nil
    last = target.map { target in
      let seconds = target / .seconds(1)
      let cut = cuts.first { ($0.lowerBound - Self.close * speed..<$0.upperBound).contains(seconds) }
      return (cut?.upperBound ?? seconds, nil)
    }
  }

  /// Where playing goes on behind a seek or a pause, as far as that is known, in seconds.
  var target: Double? { last?.now == nil ? last?.seconds : nil }

  /// A pause or a wait for bytes.
  mutating func pause() { last?.now = nil }

  /// By how much libmpv's position is ahead of the one that is heard, in seconds.
  var lead: Double { waiting.reduce(0) { $0 + $1.length } }

  /// Returns the position where sound begins again. libmpv's first one is ahead by the device's buffer, a second at
  /// most, where the device does not tell its delay yet, and by the cuts in that. It is seconds before the target of a
  /// seek where PulseAudio still takes for waiting what it has played.
  mutating func landed(_ seconds: Double, at now: Duration, speed: Double) -> Double {
    // A change of speed that is not heard yet may be estimated as larger than the speed itself.
    let speed = max(0, speed)
    guard let last, last.now == nil, case let near = last.seconds..<last.seconds + Self.reach * speed,
      case let most = cuts.filter({ near.contains($0.lowerBound) }).reduce(speed, { $0 + $1.length }),
      seconds - last.seconds <= most, isExact || seconds >= last.seconds
    else { return heard(seconds, at: now, speed: speed) }
    settled = now + Self.settling
    return last.seconds - lead
  }

  /// Returns the position that is heard. `speed` is that of the sound that is heard now.
  mutating func heard(_ seconds: Double, at now: Duration, speed: Double) -> Double {
    if isExact, now < settled, let last, seconds < last.seconds { return last.seconds - lead }
    isExact = false
    if let last, seconds >= last.seconds {
      let elapsed = last.now.map { (now - $0) / .seconds(1) } ?? 0
      late *= max(0, 1 - elapsed)
      let ahead = seconds - last.seconds - speed * elapsed
      late = max(0, late - decode(ahead, from: last.seconds, within: Self.reach * speed))
    } else {
      // A seek led elsewhere than was thought, or the device began anew.
      (next, late) = (0, 0)
    }
    last = (seconds, now)
    while let cut = waiting.first, seconds - lead >= cut.lowerBound { waiting.removeFirst() }
    return seconds - lead
  }

  /// The position is so far ahead of the clock as cuts were decoded, or as it was late. Returns the rest.
  private mutating func decode(_ ahead: Double, from seconds: Double, within reach: Double) -> Double {
    var ahead = ahead
    while next < cuts.count, cuts[next].lowerBound < seconds + reach {
      if cuts[next].lowerBound >= max(seconds, waiting.last?.upperBound ?? 0) {
        let beyond = ahead - cuts[next].length
        guard min(abs(beyond), abs(beyond - late)) < min(abs(ahead), abs(ahead - late)) else { return ahead }
        waiting.append(cuts[next])
        ahead = beyond
      }
      next += 1
    }
    return ahead
  }
}

extension Range<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
}
