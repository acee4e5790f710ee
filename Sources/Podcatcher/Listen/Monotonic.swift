/// A clock that never jumps.
package enum Monotonic {
  private static let start = SuspendingClock.now

  /// The time since its first use in this process.
  package static let now: @Sendable () -> Duration = { start.duration(to: .now) }
}
