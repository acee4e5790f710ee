private import Glibc

/// Whether the tests run under a sanitizer, which Tests/proof.mk tells its settings.
package let isSanitized = (getenv("ASAN_OPTIONS") ?? getenv("TSAN_OPTIONS")) != nil

/// A moment on the monotonic clock after which a wait counts as a hang. It never decides whether a test passes: a wait
/// ends when its condition holds, and the deadline only turns a hang into a failure that names the missing condition.
package struct Deadline: Sendable {
  /// Long enough for a loaded machine; a wait that takes this long has failed.
  package static let patience: Duration = .seconds(90) * slowness

  /// The factor on every deadline for programs that are slow because of sanitizers or coverage.
  package static let slowness = getenv("PODCLI_TEST_PATIENCE").flatMap { Double(String(cString: $0)) } ?? 1

  private let nanoseconds: Int64

  package init(after duration: Duration = Deadline.patience) {
    let (seconds, attoseconds) = duration.components
    nanoseconds = Deadline.now + seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  package var hasPassed: Bool { Deadline.now >= nanoseconds }

  /// The argument of `poll`: milliseconds, rounded up, so that a wait never ends early.
  var pollTimeout: Int32 {
    Int32(clamping: max(0, (nanoseconds - Deadline.now + 999_999) / 1_000_000))
  }

  /// The argument of `pthread_cond_timedwait`: seconds and nanoseconds of the monotonic clock.
  var absolute: (seconds: Int, nanoseconds: Int) {
    (Int(nanoseconds / 1_000_000_000), Int(nanoseconds % 1_000_000_000))
  }
}

/// The error of a wait whose deadline passed.
package struct Overdue: Error, CustomStringConvertible {
  package let description: String

  package init(_ awaited: String, seen: String = "") {
    description = "waited in vain for \(awaited)" + (seen.isEmpty ? "" : "; seen so far: \(seen)")
  }
}
