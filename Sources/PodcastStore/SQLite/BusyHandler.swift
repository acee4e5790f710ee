private import Glibc

/// How long a connection waits for another process to finish writing.
///
/// Waits start below a millisecond, because others write briefly, and grow to ten; they vary, so that several waiting
/// processes do not march in step.
final class BusyHandler {
  static let usualPatience = Duration.seconds(5)

  var patience = usualPatience
  private var start = ContinuousClock.now

  /// Whether to try again. `attempt` counts from zero for each lock that is waited for.
  func shouldRetry(attempt: Int) -> Bool {
    if attempt == 0 { start = .now }
    guard ContinuousClock.now - start < patience else { return false }
    let microseconds = min(10_000, 300 + attempt * 20)
    usleep(UInt32(microseconds / 2 + Int.random(in: 0...microseconds / 2)))
    return true
  }
}
