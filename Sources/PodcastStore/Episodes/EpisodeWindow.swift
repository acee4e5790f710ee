package import PodcastModel

/// The part of a list that a window begins with.
package enum ListAnchor: Hashable, Sendable {
  /// The newest episodes.
  case start
  /// The oldest.
  case end
  /// As many on each side of this episode, itself included where it still matches.
  case around(EpisodeCursor)
}

/// Some consecutive episodes of a list that is newest first.
package struct EpisodeWindow: Hashable, Sendable {
  package var entries: [EpisodeEntry]
  /// The list has newer ones.
  package var hasMoreBefore: Bool
  /// The list has older ones.
  package var hasMoreAfter: Bool

  package init(_ entries: [EpisodeEntry] = [], hasMoreBefore: Bool = false, hasMoreAfter: Bool = false) {
    self.entries = entries
    self.hasMoreBefore = hasMoreBefore
    self.hasMoreAfter = hasMoreAfter
  }
}

extension EpisodeCursor {
  /// A list that goes on after this one begins with the episode itself.
  var justBefore: EpisodeCursor {
    var cursor = self
    cursor.id.rawValue += 1
    return cursor
  }
}
