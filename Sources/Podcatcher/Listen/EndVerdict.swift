package import Playback

/// How an episode's playing came to its end. Pure.
///
/// That the bytes ended proves nothing: a dropped connection ends them, too, without an error. Only who reached
/// the tail of the episode has finished it.
package enum EndVerdict: Hashable, Sendable {
  case finished
  /// The medium broke off before its end; the place is kept.
  case interrupted
  case failed(PlaybackError)
  case replaced
  case stopped

  /// Credits and farewells: who stops here has heard the episode.
  package static let tail = Duration.seconds(15)

  package struct Evidence: Hashable, Sendable {
    package var reason: EndReason
    package var position: Duration?
    package var mediumDuration: Duration?
    package var feedDuration: Duration?
    /// Every byte of the medium was read, so its end is the end, whatever durations were announced.
    package var isWholeMedium: Bool
    /// It was cut out of the medium, of which the rest is not to be had.
    package var isPart: Bool
    package var tail: Duration

    package init(
      _ reason: EndReason, position: Duration? = nil, mediumDuration: Duration? = nil,
      feedDuration: Duration? = nil, isWholeMedium: Bool = false, isPart: Bool = false,
      tail: Duration = EndVerdict.tail
    ) {
      self.reason = reason
      self.position = position
      self.mediumDuration = mediumDuration
      self.feedDuration = feedDuration
      self.isWholeMedium = isWholeMedium
      self.isPart = isPart
      self.tail = tail
    }
  }

  package init(_ evidence: Evidence) {
    switch evidence.reason {
    case .replaced: self = .replaced
    case .stopped: self = .stopped
    case .failed(let error): self = .failed(error)
    case .reachedEnd: self = evidence.reachedTail ? .finished : .interrupted
    }
  }
}

extension EndVerdict.Evidence {
  fileprivate var reachedTail: Bool {
    guard let position else { return false }
    if isWholeMedium { return true }
    // An announced length can be wrong either way; the longer one is the safer claim. Of a part neither is one.
    guard !isPart, let duration = [mediumDuration, feedDuration].compactMap({ $0 }).max() else { return false }
    return position >= duration - min(tail, duration / 2)
  }
}
