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
    var keptPlace: Duration?
  }

  private let state = Mutex(State())

  func set(_ entry: EpisodeEntry, media: MediaID?, keptPlace: Duration?) {
    state.withLock { $0 = State(entry: entry, media: media, keptPlace: keptPlace) }
  }

  /// The user went elsewhere: the place kept before no longer counts.
  func moved() { state.withLock { $0.keptPlace = nil } }

  func clear() { state.withLock { $0 = State() } }

  func read(_ snapshot: PlaybackSnapshot) -> NowPlaying? {
    state.withLock { state in
      guard let entry = state.entry else { return nil }
      let isOurs = state.media != nil && snapshot.media == state.media
      let position = isOurs ? snapshot.position : nil
      let isWorthKeeping = position.map { ProgressRecorder.isWorthKeeping($0, keptPlace: state.keptPlace) } ?? false
      return NowPlaying(entry: entry, snapshot: snapshot, position: isWorthKeeping ? position : nil)
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
