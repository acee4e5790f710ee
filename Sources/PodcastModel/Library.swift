// What a library keeps: identities, what the publisher says, and what you did with it.

package struct PodcastID: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
}

package struct EpisodeID: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Enough of a podcast to name it beside one of its episodes.
package struct PodcastReference: Hashable, Sendable {
  package var id: PodcastID
  package var title: String
  package var feedURL: String

  package init(id: PodcastID, title: String, feedURL: String) {
    self.id = id
    self.title = title
    self.feedURL = feedURL
  }
}

/// An episode in a library: what the publisher says. A refresh may replace it; nothing you do changes it.
package struct Episode: Hashable, Sendable {
  package var id: EpisodeID
  package var guid: String
  package var title: String
  package var link: String?
  package var publishedAt: Timestamp?
  package var duration: Duration?
  package var season: Double?
  package var episode: Double?
  package var episodeType: String?
  package var isExplicit: Bool?
  package var image: String?
  package var enclosure: Enclosure?

  package init(id: EpisodeID, guid: String, title: String) {
    self.id = id
    self.guid = guid
    self.title = title
  }
}

/// What you did with an episode.
package struct EpisodeStatus: Hashable, Sendable {
  /// Where you stopped. Absent when never played, or played to the end.
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

/// An episode's medium on this machine.
package struct Download: Hashable, Sendable {
  package enum State: String, Sendable, CaseIterable { case pending, downloading, paused, failed, complete }

  package var state: State
  /// 0 to 1; absent while the size is unknown.
  package var progress: Double?
  package var path: String?

  package init(state: State, progress: Double? = nil, path: String? = nil) {
    self.state = state
    self.progress = progress
    self.path = path
  }
}

/// One line of a list: an episode, its podcast, and what you did with it.
package struct EpisodeEntry: Hashable, Sendable {
  package var episode: Episode
  package var podcast: PodcastReference
  package var status = EpisodeStatus()
  package var isFavourite = false
  package var download: Download?
  package var chapterCount: Int?
  package var hasTranscript = false

  package init(episode: Episode, podcast: PodcastReference) {
    self.episode = episode
    self.podcast = podcast
  }
}

/// One line of the list of podcasts.
package struct PodcastEntry: Hashable, Sendable {
  package var reference: PodcastReference
  package var author: String?
  package var link: String?
  package var image: String?
  package var isSubscribed = true
  /// Its address is a secret: it leaves the library only when asked to.
  package var isPrivate = false
  package var subscribedAt: Timestamp?
  package var episodeCount = 0
  package var unplayedCount = 0
  package var downloadedCount = 0
  /// When its newest episode was published.
  package var newestAt: Timestamp?
  package var lastRefreshedAt: Timestamp?
  /// What went wrong at the last refresh.
  package var refreshError: String?
  /// The publisher has said that the feed is no more.
  package var isGone = false

  package var id: PodcastID { reference.id }
  package var title: String { reference.title }

  package init(reference: PodcastReference) { self.reference = reference }
}

/// Everything kept of an episode beside its line in a list.
package struct EpisodeDetails: Hashable, Sendable {
  package var entry: EpisodeEntry
  /// The fullest text the feed has, HTML allowed.
  package var notes: String?
  package var summary: String?
  package var subtitle: String?
  package var author: String?
  package var updatedAt: Timestamp?
  package var chaptersLink: ChaptersLink?
  package var chapters: [Chapter] = []
  package var transcripts: [TranscriptLink] = []
  package var alternateEnclosures: [AlternateEnclosure] = []
  package var persons: [Person] = []
  package var bookmarks: [Bookmark] = []

  package init(entry: EpisodeEntry) { self.entry = entry }
}

/// Everything kept of a podcast beside its line in a list.
package struct PodcastDetails: Hashable, Sendable {
  package var entry: PodcastEntry
  package var description: String?
  package var subtitle: String?
  package var copyright: String?
  package var ownerName: String?
  package var ownerEmail: String?
  package var language: String?
  package var type: String?
  package var isExplicit: Bool?
  package var guid: String?
  package var medium: String?
  package var isComplete: Bool?
  package var categories: [String] = []
  package var fundings: [Funding] = []
  package var tags: [String] = []
  package var settings: [String: String] = [:]

  package init(entry: PodcastEntry) { self.entry = entry }
}

/// A place in an episode worth coming back to.
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

/// One time somebody listened.
package struct ListeningSession: Hashable, Sendable {
  package var startedAt: Timestamp
  package var endedAt: Timestamp?
  package var startPosition: Duration
  package var endPosition: Duration
  /// By the clock on the wall, pauses left out.
  package var listened: Duration = .zero
  package var savedBySpeed: Duration = .zero
  package var savedByTrim: Duration = .zero

  package init(startedAt: Timestamp, startPosition: Duration) {
    self.startedAt = startedAt
    self.startPosition = startPosition
    endPosition = startPosition
  }
}

/// One line of the history.
package struct HistoryEntry: Hashable, Sendable {
  package var entry: EpisodeEntry
  package var session: ListeningSession

  package init(entry: EpisodeEntry, session: ListeningSession) {
    self.entry = entry
    self.session = session
  }
}

/// How much was listened to, over some time.
package struct ListeningStatistics: Hashable, Sendable {
  package struct Share: Hashable, Sendable {
    package var podcast: PodcastReference
    package var listened: Duration
    package var episodes: Int

    package init(podcast: PodcastReference, listened: Duration, episodes: Int) {
      self.podcast = podcast
      self.listened = listened
      self.episodes = episodes
    }
  }

  package struct Day: Hashable, Sendable {
    /// Its midnight in UTC.
    package var date: Timestamp
    package var listened: Duration

    package init(date: Timestamp, listened: Duration) {
      self.date = date
      self.listened = listened
    }
  }

  package var listened: Duration = .zero
  package var savedBySpeed: Duration = .zero
  package var savedByTrim: Duration = .zero
  package var episodes = 0
  package var podcasts: [Share] = []
  package var days: [Day] = []

  package init() {}
}

/// An episode that was searched for, and the place where the words are.
package struct SearchHit: Hashable, Sendable {
  package enum Field: String, Hashable, Sendable, CaseIterable { case title, notes, chapters, transcript }

  package var entry: EpisodeEntry
  package var field: Field
  /// Some words around the place.
  package var snippet: String
  /// The found words in `snippet`, as offsets of its UTF-8.
  package var matches: [Range<Int>]
  /// When in the episode it is said.
  package var time: Duration?

  package init(entry: EpisodeEntry, field: Field, snippet: String, matches: [Range<Int>], time: Duration? = nil) {
    self.entry = entry
    self.field = field
    self.snippet = snippet
    self.matches = matches
    self.time = time
  }
}
