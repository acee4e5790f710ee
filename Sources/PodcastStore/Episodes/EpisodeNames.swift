internal import PodcastModel

/// The stored values of an episode that differ from those in its feed, or are not in it.
struct EpisodeNames {
  let guid: String
  let title: String
  let duration: Duration?
  /// Tells episodes with the same guid apart.
  var twin: Int64 = 0
  var contentHash: Int64 = 0

  init(_ episode: borrowing FeedEpisode) {
    title = Self.title(of: episode)
    guid = Self.guid(of: episode, title: title)
    // Programs that make feeds write 0 where they do not know it.
    duration = episode.duration.flatMap { $0 > 0 ? Duration(validSeconds: $0) : nil }
  }

  /// The guid, or a substitute where the feed has none.
  private static func guid(of episode: borrowing FeedEpisode, title: String) -> String {
    if let guid = episode.guid, !guid.isEmpty { return guid }
    if let url = episode.enclosure?.url ?? episode.link { return url }
    let hash = ContentHash.of("\(title) \(episode.publishedAt?.seconds ?? 0)")
    return "untitled:" + String(UInt64(bitPattern: hash), radix: 16)
  }

  private static func title(of episode: borrowing FeedEpisode) -> String {
    if let title = episode.title, !title.isEmpty { return title }
    return episode.subtitle ?? episode.guid ?? "Untitled"
  }
}
