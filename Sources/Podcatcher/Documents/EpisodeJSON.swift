package import PodcastModel
package import Text

/// The JSON of an episode, the same in every answer.
package enum EpisodeJSON {
  /// With its podcast, its status and its download.
  package static func document(_ entry: EpisodeEntry) -> JSON {
    let episode = entry.episode
    let address = episode.enclosure.map { shown($0.url, of: entry.podcast) }
    // An episode without a guid has the address of its file as one.
    let guid = episode.guid == episode.enclosure?.url ? address : episode.guid
    return [
      "id": JSON(episode.id.rawValue), "guid": JSON(guid), "podcast": podcast(entry.podcast),
      "title": JSON(episode.title), "publishedAt": JSON(episode.publishedAt),
      "duration": entry.duration.map(seconds), "season": number(episode.season), "episode": number(episode.episode),
      "episodeType": JSON(episode.episodeType), "explicit": JSON(episode.isExplicit),
      "link": JSON(episode.link.map(SafeAddress.withoutUser)),
      "image": JSON(episode.image.map(SafeAddress.withoutUser)),
      "enclosure": episode.enclosure.map { enclosure($0, at: address) }, "status": status(entry.status),
      "favourite": JSON(entry.isFavourite), "download": entry.download.map(download),
      "chapters": JSON(entry.chapterCount), "transcript": JSON(entry.hasTranscript),
    ]
  }

  /// The podcast of an episode.
  package static func podcast(_ podcast: PodcastReference) -> JSON {
    [
      "id": JSON(podcast.id.rawValue), "title": JSON(podcast.title),
      "feedURL": JSON(SafeAddress.shown(podcast.feedURL)),
    ]
  }

  private static func enclosure(_ enclosure: Enclosure, at address: String?) -> JSON {
    ["url": JSON(address), "type": JSON(enclosure.type), "length": JSON(enclosure.length)]
  }

  /// Where the address of the feed is a secret, those of its files are, too.
  private static func shown(_ url: String, of podcast: PodcastReference) -> String {
    PrivateAddress.isCover(podcast.feedURL) ? SafeAddress.hostOnly(url) : SafeAddress.withoutSecrets(url)
  }

  private static func status(_ status: EpisodeStatus) -> JSON {
    [
      "lastListenTime": status.lastListenTime.map(seconds), "lastPlayedAt": JSON(status.lastPlayedAt),
      "hasCompleted": JSON(status.hasCompleted), "isCurrentlyPlaying": JSON(status.isCurrentlyPlaying),
    ]
  }

  private static func download(_ download: Download) -> JSON {
    [
      "state": JSON(download.state.rawValue), "progress": JSON(download.progress),
      "path": download.state == .complete ? JSON(download.path) : nil, "error": JSON(download.error),
    ]
  }

  /// Whole numbers have no fraction.
  package static func number(_ value: Double?) -> JSON? {
    guard let value, value.isFinite else { return nil }
    return value == value.rounded() && abs(value) < 1e15 ? .integer(Int64(value)) : .number(value)
  }

  /// In seconds, to the millisecond.
  package static func seconds(_ duration: Duration) -> JSON {
    let milliseconds = duration.inMilliseconds
    return milliseconds % 1000 == 0 ? .integer(milliseconds / 1000) : .number(Double(milliseconds) / 1000)
  }
}
