/// What has gone wrong since an episode was last heard. Pure.
struct Setbacks: Hashable, Sendable {
  private(set) var count = 0

  /// A device may be away for as long as it likes; an engine that breaks down at the same place again and again
  /// will not get past it.
  static let mostBreakdowns = 3

  var isFirst: Bool { count == 0 }

  /// How long to wait before the next attempt: a sound server that is started anew is back at once.
  var pause: Duration { .milliseconds(min(2000, 250 << min(count, 3))) }

  mutating func add() { count += 1 }
  mutating func overcome() { count = 0 }
}
