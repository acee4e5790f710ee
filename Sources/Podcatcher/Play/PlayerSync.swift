internal import PodcastStore
private import Synchronization
private import System

/// Tells other machines how far an episode was heard: at a pause, at its end, and every five minutes. The library has the
/// position by then. The end of the player has a sync of its own, that by a signal, too.
final class PlayerSync: Sendable {
  private struct State {
    var isPaused = false
    var syncedAt = Monotonic.now()
  }

  private let syncer: Syncer
  private let state = Mutex(State())

  private static let interval = Duration.seconds(300)

  init(_ syncer: Syncer) { self.syncer = syncer }

  func take(_ status: PlayerStatus) {
    let isDue = state.withLock { state in
      let wasPaused = state.isPaused
      state.isPaused = status.state == .paused
      let now = Monotonic.now()
      guard (state.isPaused && !wasPaused) || now - state.syncedAt >= Self.interval else { return false }
      state.syncedAt = now
      return true
    }
    if isDue { begin() }
  }

  func take(_ report: Listener.Report) {
    if case .finished = report { begin() }
  }

  private func begin() {
    Task { await syncer.runQuietly(withServer: true) }
  }
}
