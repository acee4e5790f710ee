package import PodcastModel

/// A rendition of an episode's media file whose bytes are gone, and in which marks of the user were made.
package struct FormerRendition: Hashable, Sendable {
  /// The row id; 0 for one that is not in the library yet.
  package var id: Int64 = 0
  /// The episode.
  package var episode: EpisodeID
  /// The length of the whole file.
  package var size: Int64?
  /// The server's validator.
  package var etag: String?
  /// The server's other validator.
  package var lastModified: String?
  /// A print of its frames.
  package var frames: [UInt8]?
  /// A print of its sound.
  package var sound: [UInt8]?
  /// The marks that were made in it.
  package var marks: [FormerMark] = []

  /// A rendition without marks.
  package init(episode: EpisodeID, frames: [UInt8]? = nil, sound: [UInt8]? = nil) {
    self.episode = episode
    self.frames = frames
    self.sound = sound
  }
}

/// A mark of the user in a former rendition.
package struct FormerMark: Hashable, Sendable {
  /// The kind of a mark.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case position, bookmark, skip, anchor
  }

  /// The kind.
  package var kind: Kind
  /// The row id of a bookmark or a skip; of an anchor the time in the transcript, in milliseconds; the episode of a position.
  package var item: Int64
  /// The position.
  package var start: Duration
  /// The end of a skip.
  package var end: Duration?
}

/// A former mark, and where it lies in the present rendition.
package struct FollowedMark: Hashable, Sendable {
  /// The mark as it was.
  package var mark: FormerMark
  /// Nil where it cannot be found again.
  package var position: Duration?
  /// The end of a skip. An empty one is removed: its advert is gone.
  package var end: Duration?

  /// A mark and its position.
  package init(_ mark: FormerMark, position: Duration?, end: Duration? = nil) {
    self.mark = mark
    self.position = position
    self.end = end
  }
}

/// The marks of an episode that have moved.
package struct MovedMarks: Hashable, Sendable {
  /// The kept position before.
  package var from: Duration?
  /// The kept position now; nil where it cannot be found again, and is a bookmark.
  package var to: Duration?
  /// Of bookmarks, skips and ties of the transcript.
  package var others = 0
  /// Whether none has.
  package var isEmpty: Bool { from == nil && others == 0 }

  /// None that has.
  package init() {}
}
