internal import PodcastModel
internal import PodcastStore
private import Text

/// Media files that are on this machine.
enum LocalFile {
  /// The path of an episode's media file, where all of it is here.
  static func whole(of entry: EpisodeEntry, in store: PodcastStore) async throws(StoreError) -> String? {
    var record = try await store.mediaRecord(of: entry.episode.id)
    return record?.adoptWholeFile() ?? entry.episode.enclosure.flatMap { path($0.url, of: entry.podcast) }
  }

  /// The path that an enclosure names: only feeds of this machine may.
  static func path(_ url: String, of podcast: PodcastReference) -> String? {
    let scheme = "file://"
    guard podcast.feedURL.hasPrefix(scheme), url.hasPrefix(scheme) else { return nil }
    let path = PercentCoding.decoded(url.dropFirst(scheme.count))
    return path.hasPrefix("/") && !path.utf8.contains(0) ? path : nil
  }
}
