/// How long to wait before the next try, doubling; nil once all patience was spent waiting.
struct RetrySchedule: Hashable, Sendable {
  private var pause = Duration.milliseconds(250)
  private var waited = Duration.zero

  private static let longest = Duration.seconds(8)
  /// How long a network may be away, unless the user has set it otherwise.
  static let patience = Duration.seconds(120)
  private let patience: Duration

  init(patience: Duration = Self.patience) { self.patience = patience }

  mutating func next() -> Duration? {
    guard waited < patience else { return nil }
    defer {
      waited += pause
      pause = min(pause * 2, Self.longest)
    }
    return pause
  }
}
