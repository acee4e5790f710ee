/// Corrects libmpv's position after a change of speed.
///
/// libmpv subtracts the device's delay times the present speed from the end of the decoded sound. What waits in the
/// device's buffer then still has the former speed: from 2 to 0.5 the position is 0.6 s ahead of what is heard, from 0.5
/// to 2 as far behind, until the buffer is played.
struct SpeedLag {
  /// libmpv's speed was set. The positions are read just before and after.
  struct Change {
    var former: Double
    var speed: Double
    var before: Double
    var after: Double

    /// The seconds of sound in the device's buffer.
    var delay: Double { (after - before) / (former - speed) }
  }

  private struct Former {
    /// The former speed less the new one.
    var difference: Double
    /// The seconds of sound that have yet to be played at the former speed.
    var left: Double
  }

  private var formers: [Former] = []
  private var unreported: Change?
  private var last: (seconds: Double, now: Duration)?
  private var speed = 1.0

  /// The speed of the sound that is heard now less libmpv's.
  var difference: Double { formers.reduce(0) { $0 + $1.difference } }

  mutating func note(_ change: Change, at now: Duration) {
    // The device's buffer is at most a second long. A longer delay was measured around a jump of the position.
    guard change.delay > 0, change.delay < 2 else { return }
    formers.append(Former(difference: change.former - change.speed, left: change.delay))
    unreported = change
    last = (change.after, now)
    speed = change.speed
  }

  /// The buffer is emptied, by a seek or another media file.
  mutating func reset() { self = SpeedLag() }

  /// Returns the position that is heard. Nil for a report that was made before the last change of speed.
  mutating func heard(_ seconds: Double, at now: Duration) -> Double? {
    if let change = unreported {
      unreported = nil
      if abs(seconds - change.before) < abs(seconds - change.after) { return nil }
    }
    // The clock runs on while playing is paused, and the position runs faster while sound of the former speed leaves
    // the filters: the smaller of the two was played.
    if let last { play(min((now - last.now) / .seconds(1), (seconds - last.seconds) / speed)) }
    last = formers.isEmpty ? nil : (seconds, now)
    return seconds - formers.reduce(0) { $0 + $1.difference * $1.left }
  }

  private mutating func play(_ seconds: Double) {
    guard seconds > 0 else { return }
    for index in formers.indices { formers[index].left -= seconds }
    formers.removeAll { $0.left <= 0 }
  }
}
