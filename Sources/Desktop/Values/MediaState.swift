/// The track that plays, in the words of a desktop's media controls. Texts are one line each, without control characters.
package struct Track: Hashable, Sendable {
  /// An object path, different for each track.
  package var path: String
  package var title: String
  package var artist: String
  package var album: String
  /// Absent while unknown.
  package var length: Duration?
  /// The absolute path of a picture on this machine.
  package var artPath: String?
  /// The publication date, as ISO 8601 writes it.
  package var created: String?

  /// All else unknown.
  package init(path: String, title: String, artist: String, album: String) {
    self.path = path
    self.title = title
    self.artist = artist
    self.album = album
  }
}

/// The state of a player, but for its position, which changes all the time.
package struct MediaState: Hashable, Sendable {
  /// The raw values are those of MPRIS.
  package enum Playback: String, Sendable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  package var playback: Playback
  /// Absent where nothing is loaded.
  package var track: Track?
  /// 1 is the normal speed.
  package var rate = 1.0
  /// 1 is the normal volume.
  package var volume = 1.0

  package init(playback: Playback, track: Track? = nil) {
    self.playback = playback
    self.track = track
  }
}

/// A player as the bus knows it.
package struct MediaIdentity: Sendable {
  /// A part of its bus name, the name of its desktop entry, and the name that people see.
  var name: String
  /// The range of `MediaState.rate`.
  var rates: ClosedRange<Double>

  /// `name` is a part of its bus name, the name of its desktop entry, and the name that people see.
  package init(name: String, rates: ClosedRange<Double>) {
    self.name = name
    self.rates = rates
  }
}
