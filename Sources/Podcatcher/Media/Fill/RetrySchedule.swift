/// The pauses between tries: doubling from 250 ms to 8 s, until they and the tries have taken `patience`.
/// How long that is, and so how often is tried: `FillPolicy` for a stream, `DownloadPolicy.swift` for a download.
struct RetrySchedule: Hashable, Sendable {
  private var pause = Duration.milliseconds(250)
  private var waited = Duration.zero
  private let patience: Duration

  private static let longest = Duration.seconds(8)

  init(patience: Duration) { self.patience = patience }

  /// `took`: the try that failed.
  mutating func next(after took: Duration = .zero) -> Duration? {
    waited += took
    guard waited < patience else { return nil }
    defer {
      waited += pause
      pause = min(pause * 2, Self.longest)
    }
    return pause
  }
}

/// Decides after each failed request whether a fill tries again. Every new byte starts the count anew. Pure.
struct FillRetries: Hashable, Sendable {
  private let policy: FillPolicy
  private var schedule: RetrySchedule
  private var cuts = 0
  private var furthest: Int64 = 0

  init(_ policy: FillPolicy) {
    self.policy = policy
    schedule = RetrySchedule(patience: policy.patience)
  }

  /// How long to wait before the next try; nil when there is to be none. `progress`: how many bytes have come so far. A
  /// listener waits while a try `took` its time; for a download only the pauses count.
  mutating func pause(
    after fault: MediaFault, isAnswered: Bool, progress: Int64, took: Duration = .zero
  ) -> Duration? {
    var took = policy.hasReader ? took : .zero
    if progress > furthest {
      (schedule, cuts, furthest) = (RetrySchedule(patience: policy.patience), 0, progress)
      // Most of the try brought bytes.
      took = .zero
    }
    // Something that closes connections without an answer is no server that breaks off, and may soon give way to one.
    if fault.isCut, isAnswered { cuts += 1 }
    guard cuts <= policy.mostCuts, mayPass(fault) else { return nil }
    return schedule.next(after: took)
  }

  private func mayPass(_ fault: MediaFault) -> Bool {
    if case .status = fault, !policy.retriesStatuses { return false }
    return fault.mayPass
  }
}
