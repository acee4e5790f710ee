private import Glibc
package import Playback
package import PodcastModel
package import PodcastStore
private import Synchronization

/// What is playing right now.
package struct NowPlaying: Sendable {
  package var entry: EpisodeEntry
  package var snapshot: PlaybackSnapshot
  /// A place to be saved; absent until the medium is heard, and where none is to be saved.
  package var position: Duration?
  /// The last place that was looked up, where places are only guessed.
  package var guess: ApproximatePosition?
  package var chapters: [Chapter]
  /// For bytes or a device that are not there.
  package var isWaiting = false
  /// What the listener should know: that it waits for the network, or when it will stop.
  package var note: String?

  package var chapterIndex: Int? { snapshot.position.flatMap { chapters.index(at: $0) } }
}

/// Joins the episode with the player's last words, for readers that must never wait.
final class PlayingState: Sendable {
  private struct State {
    var entry: EpisodeEntry?
    var media: MediaID?
    var isTrusted = false
    var isKept = true
    var medium: Medium?
    var chapters: [Chapter] = []
    var note: String?
    var isWaiting = false
    var guess: ApproximatePosition?

    /// The engine looks for the place, and what it needs is missing: where it says it is it will not stay.
    var isLost: Bool { !isTrusted && medium?.fault != nil }
  }

  private let state = Mutex(State())

  /// `isKept`: its place is to be saved.
  func set(_ entry: EpisodeEntry, media: MediaID?, of medium: Medium, isKept: Bool) {
    state.withLock { $0 = State(entry: entry, media: media, isKept: isKept, medium: medium, note: $0.note) }
  }

  /// From now on its positions are worth keeping.
  func trust() { state.withLock { $0.isTrusted = true } }

  func guide(by chapters: [Chapter]) { state.withLock { $0.chapters = chapters } }

  func wait(_ isWaiting: Bool) { state.withLock { $0.isWaiting = isWaiting } }

  /// Its time is not known for sure, where there is a guess.
  func guess(_ guess: ApproximatePosition?) { state.withLock { $0.guess = guess } }

  func note(_ text: String?) { state.withLock { $0.note = text } }

  /// In the words of the listener.
  private static let guessed = "about here: in this kind of MP3 a time can only be guessed"

  func clear() { state.withLock { $0 = State() } }

  func read(_ snapshot: PlaybackSnapshot) -> NowPlaying? {
    state.withLock { state in
      guard let entry = state.entry else { return nil }
      let isOurs = state.media != nil && snapshot.media == state.media
      var shown = snapshot
      if !isOurs || state.isLost { (shown.position, shown.duration) = (nil, nil) }
      if state.medium?.isPart == true { shown.duration = nil }
      return NowPlaying(
        entry: entry, snapshot: shown, position: isOurs && state.isTrusted && state.isKept ? snapshot.position : nil,
        guess: state.guess, chapters: state.chapters, isWaiting: snapshot.isBuffering || state.isWaiting,
        note: state.note ?? (state.guess == nil ? nil : Self.guessed))
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
