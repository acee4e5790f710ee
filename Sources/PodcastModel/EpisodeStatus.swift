/// The user's status of an episode.
package struct EpisodeStatus: Hashable, Sendable {
  /// The position where playback stopped. Absent when never played, or played to the end.
  package var lastListenTime: Duration?
  package var lastPlayedAt: Timestamp?
  package var hasCompleted = false
  /// At most one episode of a library is the current one. The flag outlives the process: a cold `resume` finds it.
  package var isCurrentlyPlaying = false

  package init(
    lastListenTime: Duration? = nil, lastPlayedAt: Timestamp? = nil, hasCompleted: Bool = false,
    isCurrentlyPlaying: Bool = false
  ) {
    self.lastListenTime = lastListenTime
    self.lastPlayedAt = lastPlayedAt
    self.hasCompleted = hasCompleted
    self.isCurrentlyPlaying = isCurrentlyPlaying
  }
}

/// A position in an episode that the user has marked.
package struct Bookmark: Hashable, Sendable {
  package var id: Int64
  package var position: Duration
  package var note: String?
  package var createdAt: Timestamp

  package init(id: Int64, position: Duration, note: String?, createdAt: Timestamp) {
    self.id = id
    self.position = position
    self.note = note
    self.createdAt = createdAt
  }
}
