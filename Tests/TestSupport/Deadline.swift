private import Glibc

/// A moment on the monotonic clock after which waiting has become hanging. It never decides whether a test passes:
/// a wait ends when its condition holds, and the deadline only turns a hang into a failure that says what was missing.
package struct Deadline: Sendable {
  /// Long enough for a loaded machine; nobody waits this long unless something is broken.
  package static let patience: Duration = .seconds(30) * slowness

  /// How many times longer everything may take, where programs are built to watch themselves.
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

  /// What `poll` wants: milliseconds, rounded up, so that a wait never ends early.
  var pollTimeout: Int32 {
    Int32(clamping: max(0, (nanoseconds - Deadline.now + 999_999) / 1_000_000))
  }

  /// What `pthread_cond_timedwait` wants: seconds and nanoseconds of the monotonic clock.
  var absolute: (seconds: Int, nanoseconds: Int) {
    (Int(nanoseconds / 1_000_000_000), Int(nanoseconds % 1_000_000_000))
  }
}

/// What a wait throws when its deadline passes.
package struct Overdue: Error, CustomStringConvertible {
  package let description: String

  package init(_ awaited: String, seen: String = "") {
    description = "waited in vain for \(awaited)" + (seen.isEmpty ? "" : "; seen so far: \(seen)")
  }
}
