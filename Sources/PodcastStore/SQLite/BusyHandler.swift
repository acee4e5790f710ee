private import Glibc

/// How long a connection waits for another process to finish writing.
///
/// Waits grow from one to twenty-five milliseconds and vary, so that several waiting processes do not march in step.
final class BusyHandler {
  var patience: Duration = .seconds(5)
  private var start = ContinuousClock.now

  /// Whether to try again. `attempt` counts from zero for each lock that is waited for.
  func shouldRetry(attempt: Int) -> Bool {
    if attempt == 0 { start = .now }
    guard ContinuousClock.now - start < patience else { return false }
    let milliseconds = min(25, 1 + attempt)
    usleep(UInt32(milliseconds * 500 + Int.random(in: 0...500) * milliseconds))
    return true
  }
}
