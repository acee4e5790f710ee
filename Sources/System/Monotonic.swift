/// A clock that never jumps, and stands still while the machine sleeps.
package enum Monotonic {
  private static let beginning = SuspendingClock.now

  /// The time since its first use.
  package static let now: @Sendable () -> Duration = { SuspendingClock.now - beginning }
}
