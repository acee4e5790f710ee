/// One loading of a medium; never the same twice in a player's life.
package struct MediaID: Hashable, Sendable {
  let number: UInt64
}

/// What a player reports, in order. Positions may be left out when nobody takes them in time; nothing else is.
package enum PlaybackEvent: Hashable, Sendable {
  /// Sound is on its way for the first time since loading: position and duration can be trusted from here.
  case ready(MediaID)
  case position(MediaID, Duration)
  case duration(MediaID, Duration)
  /// The place was changed, by whomever; positions go on from `to`.
  case seeked(MediaID, to: Duration)
  case paused(Bool)
  case buffering(Bool)
  case sound(Sound)
  case chapter(MediaID, index: Int?)
  case chapters(MediaID, [MediaChapter])
  case ended(MediaID, EndReason)
  /// The engine is gone, and nothing follows.
  case closed
}

/// A chapter mark inside the medium.
package struct MediaChapter: Hashable, Sendable {
  package var start: Double
  package var title: String
}

/// Why the engine stopped reading a medium. `reachedEnd` says that the bytes ended, not that the episode did:
/// a dropped connection looks the same, and telling them apart is the listener's duty.
package enum EndReason: Hashable, Sendable {
  case reachedEnd
  case stopped
  case replaced
  case failed(PlaybackError)
}

package struct PlaybackError: Error, Hashable, Sendable {
  package enum Code: String, Sendable {
    /// libmpv is not installed.
    case libraryMissing
    /// No audio device, or it refused.
    case noAudioOutput
    /// Not a medium, or of a kind that cannot be decoded.
    case cannotDecode
    case cannotOpen
    case closed
    /// The engine broke down. It has been replaced, and takes the next medium.
    case engineLost
    case failed
  }

  package var code: Code
  package var message: String
  /// libmpv's own number, where it gave one.
  package var engineCode: Int32?

  package init(_ code: Code, _ message: String, engineCode: Int32? = nil) {
    self.code = code
    self.message = message
    self.engineCode = engineCode
  }
}

/// The last thing known of a player. Reading it never calls the engine, which may be stuck.
package struct PlaybackSnapshot: Hashable, Sendable {
  package var media: MediaID?
  /// Absent until the medium is ready.
  package var position: Duration?
  package var duration: Duration?
  package var isPaused = false
  package var isBuffering = false
  package var sound = Sound()
  /// What trimming silence has saved since the medium was loaded.
  package var timeSaved = Duration.zero
  package var chapter: Int?
  package var chapters: [MediaChapter] = []
}
