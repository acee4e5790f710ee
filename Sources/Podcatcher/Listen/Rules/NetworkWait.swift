internal import PodcastModel

/// The wait for the network before an episode that follows by itself. Pure; the clock is the caller's.
struct NetworkWait: Hashable, Sendable {
  /// The time between two attempts.
  static let pause = Duration.seconds(2)

  private var start: Duration
  private(set) var attempts = 0
  /// Episodes that were in the queue when they were waited for.
  var queued: Set<EpisodeID> = []

  init(from start: Duration) { self.start = start }

  mutating func tryAgain() { attempts += 1 }

  /// The patience begins anew: the user is there, and has paused the player.
  mutating func begin(at now: Duration) { start = now }

  /// Another server is asked once in a while: mostly it is the network that is away.
  var asksOthers: Bool { attempts % 8 == 1 }

  func isOver(at now: Duration, patience: Duration) -> Bool { now - start >= patience }
}
