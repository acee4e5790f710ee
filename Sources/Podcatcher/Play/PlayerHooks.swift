internal import PodcastModel
internal import PodcastStore
private import Synchronization
private import System

/// Tells the user's program what a player does. The library has the position by then.
final class PlayerHooks: Sendable {
  private let hooks: Hooks
  private let story = Mutex(PlayerStory())

  init(_ hooks: Hooks) { self.hooks = hooks }

  func take(_ status: PlayerStatus) {
    let told = story.withLock { $0.take(status, at: Monotonic.now()) }
    if let told { hooks.send(told.event, told.entry) }
  }

  func take(_ report: Listener.Report) {
    guard case .finished(let entry) = report else { return }
    hooks.send(.finished, story.withLock { $0.finish(entry) })
  }

  /// At the end of the player, however it came; later calls do nothing.
  func stopped(at position: Duration?) {
    if let entry = story.withLock({ $0.stop(at: position) }) { hooks.send(.stopped, entry) }
  }
}

/// The events of a player, from its statuses. Pure: the clock is the caller's.
struct PlayerStory: Sendable {
  private var entry: EpisodeEntry?
  private var hasStarted = false
  private var isPaused = false
  private var toldAt = Duration.zero
  private var isOver = false

  private static let interval = Duration.seconds(10)

  mutating func take(_ status: PlayerStatus, at now: Duration) -> (event: HookEvent, entry: EpisodeEntry)? {
    guard let current = status.entry, let position = status.position, !isOver else { return nil }
    if current.episode.id != entry?.episode.id { hasStarted = false }
    let entry = current.heard(to: position)
    self.entry = entry
    guard let event = event(status.state, at: now) else { return nil }
    toldAt = now
    return (event, entry)
  }

  private mutating func event(_ state: PlayerStatus.State, at now: Duration) -> HookEvent? {
    switch state {
    case .playing where !hasStarted:
      (hasStarted, isPaused) = (true, false)
      return .started
    case .playing where isPaused:
      isPaused = false
      return .resumed
    case .playing: return now - toldAt >= Self.interval ? .position : nil
    case .paused where hasStarted && !isPaused:
      isPaused = true
      return .paused
    case .paused, .buffering, .stopped: return nil
    }
  }

  mutating func finish(_ entry: EpisodeEntry) -> EpisodeEntry {
    var entry = entry
    entry.status = EpisodeStatus(lastPlayedAt: .now, hasCompleted: true)
    (self.entry, hasStarted) = (entry, false)
    return entry
  }

  mutating func stop(at position: Duration?) -> EpisodeEntry? {
    guard !isOver, let entry else { return nil }
    isOver = true
    return entry.status.hasCompleted ? entry : position.map { entry.heard(to: $0) } ?? entry
  }
}

extension EpisodeEntry {
  /// As the library has it when it was heard up to there.
  fileprivate func heard(to position: Duration) -> EpisodeEntry {
    var entry = self
    entry.status = EpisodeStatus(
      lastListenTime: position, lastPlayedAt: .now, hasCompleted: status.hasCompleted, isCurrentlyPlaying: true)
    return entry
  }
}
