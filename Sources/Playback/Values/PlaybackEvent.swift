/// One loading of a media file; never the same twice in a player's life.
package struct MediaID: Hashable, Sendable {
  let number: UInt64
}

/// A player's report, in order. A position may be left out when it is not taken in time; nothing else is.
package enum PlaybackEvent: Hashable, Sendable {
  /// Sound is on its way for the first time since loading: position and duration can be trusted from here.
  case ready(MediaID)
  case position(MediaID, Duration)
  case duration(MediaID, Duration)
  /// The position was changed by a seek; positions go on from `to`.
  case seeked(MediaID, to: Duration)
  case paused(Bool)
  case buffering(Bool)
  case sound(Sound)
  case chapters(MediaID, [MediaChapter])
  case ended(MediaID, EndReason)
  /// libmpv is gone, and nothing follows.
  case closed
}

/// A chapter mark inside the media file.
package struct MediaChapter: Hashable, Sendable {
  /// Seconds.
  package var start: Double
  /// Empty where the mark has none.
  package var title: String
}

/// Why libmpv stopped reading a media file. `reachedEnd` says that the bytes ended, not that the episode did:
/// a dropped connection looks the same, and telling them apart is the listener's duty.
package enum EndReason: Hashable, Sendable {
  case reachedEnd
  case stopped
  case replaced
  case failed(PlaybackError)
}

/// Why nothing plays: a code, and libmpv's own message.
package struct PlaybackError: Error, Hashable, Sendable {
  /// The reasons that podcli tells apart.
  package enum Code: String, Sendable {
    /// libmpv is not installed.
    case libraryMissing
    /// No audio device, or it refused.
    case noAudioOutput
    /// No media file, or of a kind that cannot be decoded.
    case cannotDecode
    case cannotOpen
    /// A call after `close`.
    case closed
    /// The core broke down. It has been replaced, and takes the next media file.
    case engineLost
    case failed
  }

  /// For decisions.
  package var code: Code
  /// For people.
  package var message: String
  /// libmpv's own number, where it gave one.
  var engineCode: Int32?

  /// `engineCode` is libmpv's own number, where it gave one.
  package init(_ code: Code, _ message: String, engineCode: Int32? = nil) {
    self.code = code
    self.message = message
    self.engineCode = engineCode
  }
}

/// The last state known of a player.
package struct PlaybackSnapshot: Hashable, Sendable {
  /// The one that was started last.
  package var media: MediaID?
  /// Absent until the media file is ready.
  package var position: Duration?
  /// Where a seek leads that libmpv has not done yet.
  package var target: Duration?
  /// Absent while libmpv does not know it.
  package var duration: Duration?
  /// By the user.
  package var isPaused = false
  /// For want of bytes.
  package var isBuffering = false
  /// As it was last set.
  package var sound = Sound()
  /// The decibels on top of the volume, where the media file was corrected.
  package var gain: Double?
  /// The gain that the media file's own tags ask for.
  package var tagGain: TagGain?
  /// The voices of the media file are levelled.
  package var isLevelled = false
  /// How much trimming silence has saved since the media file was loaded.
  package var timeSaved = Duration.zero
  /// The chapter marks inside the media file.
  package var chapters: [MediaChapter] = []
}
