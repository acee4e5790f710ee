private import Synchronization

/// Plays one media file at a time on libmpv, and reports time and end. This file is all that the target offers, but for
/// pictures (`PictureDecoder`), the measuring of sound (`SoundDecoder`), sound files (`SoundEncoder`) and the values that
/// go in and out:
///
/// - what to play: `MediaSource`, `ByteSource`, `ByteStream`, `LoadOptions`
/// - how it sounds: `Sound`, `SoundCorrection`
/// - what comes back: `PlaybackEvent`, `EndReason`, `PlaybackError`, `PlaybackSnapshot`, `MediaChapter`
/// - observing: `PlaybackEvents` for all of it in order; `PeriodicTime`, `Boundaries` and `Ends` for a part of it
///
/// Making a player takes no time: libmpv is loaded later, and the player accepts calls before. No call ever blocks; its
/// effect shows in the events.
package final class Player: Sendable {
  private let loop: MPVLoop
  private let observers = ObserverList()
  private let nextMedia = Atomic<UInt64>(1)

  /// `audioOutput` as in `PODCLI_AO`; nil lets libmpv choose. `first` runs on the player's thread before libmpv is
  /// loaded: meanwhile no other library can be.
  package init(audioOutput: String? = nil, first: @escaping @Sendable () -> Void = {}) {
    loop = MPVLoop(audioOutput: audioOutput, observers: observers, first: first)
  }

  deinit { close() }

  /// Loads libmpv now, though there is nothing to play yet. That takes a while, in which no thread of this process can be
  /// started, as the dynamic loader is locked: call it once everything that goes on meanwhile is under way.
  package func prepare() { loop.prepare() }

  /// Silences the player and frees libmpv. Later calls do nothing.
  package func close() { loop.send(.close) }

  // MARK: Loading

  /// Replaces what is playing.
  @discardableResult
  package func load(_ media: MediaSource, _ options: LoadOptions) throws(PlaybackError) -> MediaID {
    let id = newID()
    if let refusal = loop.send(.load(id, media, options)) { throw refusal }
    return id
  }

  /// Opens it before the end of what plays now, and plays it right behind that end. One at a time.
  package func queue(_ media: MediaSource, _ options: LoadOptions) throws(PlaybackError) -> MediaID {
    let id = newID()
    if let refusal = loop.send(.queue(id, media, options)) { throw refusal }
    return id
  }

  /// Takes back what was queued, even where it has just begun to play.
  package func unqueue(_ media: MediaID) { loop.send(.unqueue(media)) }

  private func newID() -> MediaID { MediaID(number: nextMedia.add(1, ordering: .relaxed).oldValue) }

  // MARK: Control

  /// Pauses, or goes on.
  package func setPaused(_ isPaused: Bool) { loop.send(.pause(isPaused)) }

  /// Pauses, or goes on: the other of what was asked for last, which libmpv may not have done yet.
  package func togglePause() { loop.togglePause() }

  /// The state that was asked for last.
  package var isPauseWanted: Bool { loop.isPauseWanted }

  /// Takes the exact position, not the nearest frame that is quick to reach.
  package func seek(to position: Duration) { loop.send(.seek(position)) }

  /// From the position by then; negative goes back.
  package func seek(by offset: Duration) { loop.send(.seekBy(offset)) }

  /// Ends the media file, and drops a queued one.
  package func stop() { command(["stop"]) }

  /// Takes effect at once, and holds for what is loaded later, too.
  package func setSound(_ sound: Sound) { changeSound { $0 = sound } }

  /// Applies `change` to the sound as it is by then: two changes in a row are both made.
  package func changeSound(_ change: @escaping @Sendable (inout Sound) -> Void) { loop.send(.sound(change)) }

  /// Puts the sound of a media file right from now on, with what has become known of it.
  package func correct(_ media: MediaID, _ correction: SoundCorrection) { loop.send(.correct(media, correction)) }

  /// A factor on the volume, for fading out. It holds until the next call.
  package func fade(to factor: Double) { loop.send(.fade(factor)) }

  /// A command of libmpv.
  func command(_ words: [String]) { loop.send(.command(words)) }

  // MARK: Observing

  /// The last state known. Reading it never calls libmpv, which may be stuck.
  package var snapshot: PlaybackSnapshot { loop.snapshot }

  /// Everything from now on, in order. Any number of listeners; each gets all of it.
  package func events() -> PlaybackEvents { PlaybackEvents(observers) }

  /// Calls `handler` with what `filter` makes of the events, on the player's thread, until the token is released or
  /// cancelled. The handler must not block.
  package func observe<Filter: EventFilter>(
    _ filter: Filter, _ handler: @escaping @Sendable (Filter.Output) -> Void
  ) -> Observation {
    let filter = Mutex(filter)
    return observers.add { event in
      for output in filter.withLock({ $0.take(event) }) { handler(output) }
    }
  }
}
