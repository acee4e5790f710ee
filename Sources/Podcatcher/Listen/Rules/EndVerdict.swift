package import Playback

/// How an episode's playing came to its end: this decides when an episode that was heard to its end counts as played. Pure.
///
/// The end of the bytes proves nothing unless every byte of the file was read: a dropped connection ends them, too,
/// without an error. Otherwise the episode is finished only where playback reached its tail.
package enum EndVerdict: Hashable, Sendable {
  case finished
  /// The media file broke off before its end; the position is kept.
  case interrupted
  case failed(PlaybackError)
  case replaced
  case stopped

  /// Credits and farewells: a file that ends or breaks off here has been heard whole.
  static let tail = Duration.seconds(15)

  struct Evidence: Hashable, Sendable {
    var reason: EndReason
    var position: Duration?
    var mediumDuration: Duration?
    var feedDuration: Duration?
    /// Every byte of the media file was read, or exactly as many came as were announced: its end is the end, whatever
    /// durations were announced.
    var isWholeMedium: Bool
    /// Bytes of it are missing.
    var isBroken: Bool
    /// How much came of the announced length, where nothing proves that it is all.
    var share: Double?
    var tail: Duration

    init(
      _ reason: EndReason, position: Duration? = nil, mediumDuration: Duration? = nil,
      feedDuration: Duration? = nil, isWholeMedium: Bool = false, isBroken: Bool = false,
      share: Double? = nil, tail: Duration = EndVerdict.tail
    ) {
      self.reason = reason
      self.position = position
      self.mediumDuration = mediumDuration
      self.feedDuration = feedDuration
      self.isWholeMedium = isWholeMedium
      self.isBroken = isBroken
      self.share = share
      self.tail = tail
    }
  }

  init(_ evidence: Evidence) {
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
    // Adverts change the length a little. A number of bytes that is wrong counts for less than two durations that agree; the
    // engine's alone may be an estimate from the bytes that came, and the feed's alone is often wrong, too.
    if let share, share < 0.9, !durationsAgree { return false }
    // An announced length can be wrong either way; the longer one is the safer claim.
    guard let duration = [mediumDuration, feedDuration].compactMap({ $0 }).max() else {
      return share != nil && !isBroken
    }
    return position >= duration - min(tail, duration / 2)
  }

  private var durationsAgree: Bool {
    guard let mediumDuration, let feedDuration else { return false }
    return mediumDuration >= feedDuration * 9 / 10 && mediumDuration <= feedDuration * 11 / 10
  }
}
