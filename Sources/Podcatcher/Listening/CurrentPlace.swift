private import Glibc
package import Playback
package import PodcastModel
private import Synchronization

/// What is playing right now.
package struct NowPlaying: Sendable {
  package var entry: EpisodeEntry
  package var snapshot: PlaybackSnapshot
  /// A place worth keeping; absent until the medium is heard.
  package var position: Duration?
}

/// Joins the episode with the player's last words, for readers that must never wait.
final class CurrentPlace: Sendable {
  private struct State {
    var entry: EpisodeEntry?
    var media: MediaID?
    var isTrusted = false
  }

  private let state = Mutex(State())

  func set(_ entry: EpisodeEntry, media: MediaID?) {
    state.withLock { $0 = State(entry: entry, media: media) }
  }

  /// From now on its positions are worth keeping.
  func trust() { state.withLock { $0.isTrusted = true } }

  func clear() { state.withLock { $0 = State() } }

  func read(_ snapshot: PlaybackSnapshot) -> NowPlaying? {
    state.withLock { state in
      guard let entry = state.entry else { return nil }
      let isOurs = state.media != nil && snapshot.media == state.media
      return NowPlaying(
        entry: entry, snapshot: snapshot, position: isOurs && state.isTrusted ? snapshot.position : nil)
    }
  }
}

package enum Monotonic {
  package static let now: @Sendable () -> Duration = {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
