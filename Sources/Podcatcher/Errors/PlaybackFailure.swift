package import Playback

/// Why nothing can be heard: the player's error, reduced to the reasons that messages tell apart.
package struct PlaybackFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// libmpv is not installed.
    case libraryMissing
    case noAudioOutput
    /// The media file cannot be opened or decoded.
    case cannotPlay
    /// The player closed or failed while it played.
    case stopped
  }

  package var reason: Reason
  /// libmpv's own words where it gave any.
  package var message: String

  package init(_ error: PlaybackError) {
    reason =
      switch error.code {
      case .libraryMissing: .libraryMissing
      case .noAudioOutput: .noAudioOutput
      case .cannotDecode, .cannotOpen: .cannotPlay
      case .closed, .engineLost, .failed: .stopped
      }
    message = error.message
  }
}
