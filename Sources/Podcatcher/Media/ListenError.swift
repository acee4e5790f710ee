package import Playback

/// Why an episode does not play.
package enum ListenError: Error, Hashable, Sendable {
  /// The feed gives no media file for it.
  case noMediaFile
  /// podcli does not open its address.
  case refused(String)
  case media(MediaFault)
  case playback(PlaybackError)
  /// The start position lies behind the end of the media file, which may be another one than it was.
  case behindItsEnd(Duration, length: Duration)
  /// A player in the background could not be controlled, for the system's reason.
  case noSocket(String)

  /// Another episode may well be played.
  var isOfEpisode: Bool {
    switch self {
    case .noMediaFile, .refused, .behindItsEnd, .media(.offline): true
    case .media(.disk), .noSocket: false
    case .media(let fault): !fault.mayPass
    case .playback(let error): error.code == .cannotDecode || error.code == .cannotOpen
    }
  }

  /// The network is away, or a server, and may come back.
  var isOfNetwork: Bool { if case .media(let fault) = self { fault.mayPass } else { false } }

  /// The episode before may well play on.
  var isOfMedium: Bool { if case .media = self { true } else { isOfEpisode } }
}
