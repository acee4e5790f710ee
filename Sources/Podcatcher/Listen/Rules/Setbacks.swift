/// Counts the setbacks since an episode was last heard. Pure.
struct Setbacks: Hashable, Sendable {
  private(set) var count = 0

  /// Limits breakdowns of libmpv at the same position, which it will not get past. A lost device is waited for without
  /// limit.
  static let mostBreakdowns = 3

  var isFirst: Bool { count == 0 }

  /// The wait before the next attempt: a sound server that is started anew is back at once.
  var pause: Duration { .milliseconds(min(2000, 250 << min(count, 3))) }

  mutating func add() { count += 1 }
  mutating func overcome() { count = 0 }
}
