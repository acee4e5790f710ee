/// The id of an episode in the library. It never changes and is never reused.
package struct EpisodeID: RawRepresentable, Hashable, Sendable {
  package var rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// An episode in a library: the publisher's data. A refresh may replace it; the user's actions never change it.
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

/// An episode as a line of a list: with its podcast, the user's status and its download.
package struct EpisodeEntry: Hashable, Sendable {
  package var episode: Episode
  package var podcast: PodcastReference
  package var status = EpisodeStatus()
  package var isFavourite = false
  package var download: Download?
  package var chapterCount: Int?
  package var hasTranscript = false
  /// The length of its media file, once that was played.
  package var mediaDuration: Duration?

  /// The length to show: that of the media file, else that which the feed gives.
  package var duration: Duration? { mediaDuration ?? episode.duration }

  package init(episode: Episode, podcast: PodcastReference) {
    self.episode = episode
    self.podcast = podcast
  }
}

/// All other data of an episode in the library.
package struct EpisodeDetails: Hashable, Sendable {
  package var entry: EpisodeEntry
  /// The longest text of the feed for it, possibly HTML.
  package var notes: String?
  package var summary: String?
  package var subtitle: String?
  package var author: String?
  package var updatedAt: Timestamp?
  package var chaptersLink: ChaptersLink?
  package var chapters: [Chapter] = []
  /// The address of the document that the chapters were read from.
  package var chaptersSource: String?
  package var transcripts: [TranscriptLink] = []
  /// The address that the kept transcript was fetched from.
  package var transcriptSource: String?
  package var alternateEnclosures: [AlternateEnclosure] = []
  package var persons: [Person] = []
  package var bookmarks: [Bookmark] = []
  /// A program of the user made the transcript.
  package var isTranscriptMadeHere = false
  /// Relative links in the texts count from there.
  package var linkBase: String?

  package init(entry: EpisodeEntry) { self.entry = entry }

  /// Whether the chapters are of another document than the feed links now.
  package var areChaptersFormer: Bool {
    guard let chaptersSource, let chaptersLink else { return false }
    return chaptersSource != chaptersLink.url
  }

  /// Whether the transcript is none of those that the feed links now. One that was made here in the place of a published
  /// one stays; one that was made before there was any gives way to it.
  package var isTranscriptFormer: Bool {
    if isTranscriptMadeHere { return transcriptSource == nil && !transcripts.isEmpty }
    guard let transcriptSource, !transcripts.isEmpty else { return false }
    return !transcripts.contains { $0.url == transcriptSource }
  }

  /// The notes, or else a shorter text, possibly HTML.
  package var longestText: String? { notes ?? summary ?? subtitle }
}
