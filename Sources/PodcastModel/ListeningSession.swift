/// One session of listening to an episode.
package struct ListeningSession: Hashable, Sendable {
  package var startedAt: Timestamp
  package var endedAt: Timestamp?
  package var startPosition: Duration
  package var endPosition: Duration
  /// The elapsed real time without pauses.
  package var listened: Duration = .zero
  package var savedBySpeed: Duration = .zero
  package var savedByTrim: Duration = .zero

  package init(startedAt: Timestamp, startPosition: Duration) {
    self.startedAt = startedAt
    self.startPosition = startPosition
    endPosition = startPosition
  }
}

/// A line of the history.
package struct HistoryEntry: Hashable, Sendable {
  package var entry: EpisodeEntry
  package var session: ListeningSession

  package init(entry: EpisodeEntry, session: ListeningSession) {
    self.entry = entry
    self.session = session
  }
}

/// The listening time of a period, in total and by podcast and day.
package struct ListeningStatistics: Hashable, Sendable {
  /// The share of one podcast.
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

  /// The share of one day.
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
