/// The wait for the network before an episode that follows by itself. Pure; the clock is the caller's.
struct NetworkWait: Hashable, Sendable {
  /// The time between two attempts.
  static let pause = Duration.seconds(2)

  private var start: Duration
  private(set) var attempts = 0

  init(now: Duration) { start = now }

  mutating func tryAgain() { attempts += 1 }

  /// The user has paused the player for so long.
  mutating func leaveOut(_ pause: Duration) { start += pause }

  func isOver(at now: Duration, patience: Duration) -> Bool { now - start >= patience }
}
