package import PodcastModel

/// How far an episode was heard.
package enum PlayState: Hashable, Sendable {
  case unplayed
  case position(Duration)
  case finished

  /// Decides between two reports of the same second, the same way on every device: the further one wins. Servers have
  /// whole seconds.
  var rank: Int64 {
    switch self {
    case .unplayed: -1
    case .position(let position): position.components.seconds
    case .finished: .max
    }
  }
}

/// The state of an episode as a server has it from another device.
package struct RemotePlay: Hashable, Sendable {
  package var feedURL: String
  package var enclosure: String
  package var guid: String?
  /// Zero where it cannot be read, so that it wins over nothing.
  package var at: Timestamp
  package var state: PlayState

  package init(feedURL: String, enclosure: String, guid: String?, at: Timestamp, state: PlayState) {
    self.feedURL = feedURL
    self.enclosure = enclosure
    self.guid = guid
    self.at = at
    self.state = state
  }

  func isNewer(than other: RemotePlay) -> Bool { (at.seconds, state.rank) > (other.at.seconds, other.state.rank) }
}

/// The state of an episode that the server does not have yet.
package struct UnsentPlay: Hashable, Sendable {
  package var episode: EpisodeID
  package var podcast: PodcastID
  package var feedURL: String
  package var guid: String
  package var enclosure: String?
  package var state: PlayState
  /// The length of the episode.
  package var total: Duration?
  /// The position at which the last session began; nil when the state comes from a mark.
  package var started: Duration?
  /// A later time wins on the server.
  package var stamp: Timestamp
  /// How often the server has lost it.
  package var losses = 0
}

/// The server's clock, by which its reports are dated.
package struct ServerClock: Hashable, Sendable {
  package var present: Timestamp
  /// The local clock's seconds plus these are the server's; zero for clocks that nearly agree.
  package var offset: Int64

  /// `date` is the date of the server's last answer.
  package init(date: Timestamp?, now: Timestamp = .now) {
    present = date ?? now
    let difference = present.seconds - now.seconds
    offset = abs(difference) > 3600 ? difference : 0
  }

  func stamp(_ local: Timestamp) -> Int64 { min(local.seconds &+ offset, present.seconds) }
  func local(_ stamp: Timestamp) -> Int64 { stamp.seconds &- offset }
}
