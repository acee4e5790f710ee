private import CMPV
private import Synchronization

/// The player on libmpv. Making one takes no time: libmpv is loaded while the player can already be told what to do.
package final class MPVPlayer: Player {
  private let loop: MPVLoop
  private let observers: ObserverList
  private let nextMedia = Atomic<UInt64>(1)

  /// `audioOutput` as in `PODCLI_AO`; nil lets libmpv choose. `first` runs on the player's thread before libmpv is
  /// loaded: while that goes on, no other library can be.
  package init(audioOutput: String? = nil, first: @escaping @Sendable () -> Void = {}) {
    observers = ObserverList()
    loop = MPVLoop(audioOutput: audioOutput, observers: observers, first: first)
  }

  deinit { loop.close() }

  package var snapshot: PlaybackSnapshot { loop.snapshot }

  @discardableResult
  package func load(_ media: MediaSource, _ options: LoadOptions) throws(PlaybackError) -> MediaID {
    let id = newID()
    if let refusal = loop.send(.load(id, media, options)) { throw refusal }
    return id
  }

  package func queue(_ media: MediaSource, _ options: LoadOptions) throws(PlaybackError) -> MediaID {
    let id = newID()
    if let refusal = loop.send(.queue(id, media, options)) { throw refusal }
    return id
  }

  package func unqueue(_ media: MediaID) { loop.send(.unqueue(media)) }

  private func newID() -> MediaID { MediaID(number: nextMedia.add(1, ordering: .relaxed).oldValue) }

  package func setPaused(_ isPaused: Bool) { loop.send(.set("pause", isPaused ? "yes" : "no")) }
  package func setSound(_ sound: Sound) { changeSound { $0 = sound } }
  package func changeSound(_ change: @escaping @Sendable (inout Sound) -> Void) { loop.send(.sound(change)) }
  package func fade(to factor: Double) { loop.send(.fade(factor)) }

  package func seek(to position: Duration) {
    command(["seek", position.mpvSeconds, "absolute+exact"])
  }

  package func seek(by offset: Duration) {
    command(["seek", offset.mpvSeconds, "relative+exact"])
  }

  package func skipChapters(_ steps: Int) {
    command(["add", "chapter", String(steps)])
  }

  package func stop() { command(["stop"]) }

  /// In libmpv's own words.
  func command(_ words: [String]) { loop.send(.command(words)) }

  package func close() { loop.close() }

  package func events() -> PlaybackEvents {
    PlaybackEvents(observers.add)
  }

  package func observeTime(
    every interval: Duration, _ handler: @escaping @Sendable (Duration) -> Void
  ) -> Observation {
    let gate = Mutex(PeriodicGate(every: interval))
    return observers.add { event in
      if let position = gate.withLock({ $0.take(event) }) { handler(position) }
    }
  }

  package func observeBoundaries(
    _ times: [Duration], _ handler: @escaping @Sendable (Duration) -> Void
  ) -> Observation {
    let gate = Mutex(BoundaryGate(times))
    return observers.add { event in
      for time in gate.withLock({ $0.take(event) }) { handler(time) }
    }
  }

  package func observeEnd(_ handler: @escaping @Sendable (MediaID, EndReason) -> Void) -> Observation {
    observers.add { event in
      if case .ended(let media, let reason) = event { handler(media, reason) }
    }
  }
}

extension Duration {
  /// Written out without an exponent, which libmpv would refuse.
  var mpvSeconds: String {
    let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
    let fraction = String(rest + 1000).dropFirst()
    return (milliseconds < 0 ? "-" : "") + "\(whole).\(fraction)"
  }
}
