private import Glibc

/// A clock that never jumps.
package enum Monotonic {
  /// The time since the machine was started.
  package static let now: @Sendable () -> Duration = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
