internal import PodcastModel

/// Finds the episode of a line: by its guid within the podcast, then by its enclosure, then by its date where that
/// leaves one candidate.
struct SyncEpisodes {
  let connection: Connection
  /// Of the podcast that was asked for last, as lines of one podcast mostly follow each other.
  private var podcast: PodcastID?
  private var byMedia: [String: [EpisodeID]] = [:]

  init(connection: Connection) { self.connection = connection }

  mutating func find(_ episode: SyncEntity.Episode, in podcast: PodcastID) throws(StoreError) -> EpisodeID? {
    if let guid = episode.guid {
      let found = try connection.rows(
        "SELECT id, enclosure_url, published_at FROM episodes WHERE podcast_id = \(podcast) AND guid = \(guid) ORDER BY twin"
      ) { Twin(id: EpisodeID(rawValue: $0.integer(0)), url: $0.optionalText(1), date: $0.optionalInteger(2)) }
      if let one = Self.mostAlike(found, episode) { return one }
    }
    if let media = episode.media {
      try readMedia(of: podcast)
      if let found = byMedia[media], found.count == 1 { return found[0] }
    }
    guard let date = episode.publishedAt else { return nil }
    let sameDate = try connection.rows(
      """
      SELECT id FROM episodes INDEXED BY episodes_of_podcast
      WHERE podcast_id = \(podcast) AND listed_at = \(date) AND published_at = \(date) LIMIT 2
      """
    ) { EpisodeID(rawValue: $0.integer(0)) }
    return sameDate.count == 1 ? sameDate[0] : nil
  }

  /// One of several episodes with one guid.
  private struct Twin {
    var id: EpisodeID
    var url: String?
    var date: Int64?
  }

  /// By the enclosure, then by the date, which alone differs where a feed without guids names one enclosure in each item;
  /// the first if neither tells them apart.
  private static func mostAlike(_ twins: [Twin], _ episode: SyncEntity.Episode) -> EpisodeID? {
    guard twins.count > 1 else { return twins.first?.id }
    let media = twins.filter { twin in
      twin.url.map(SyncAddress.media).map { $0.bare == episode.media || $0.whole == episode.media } ?? false
    }
    let alike = media.isEmpty ? twins : media
    return (alike.first { $0.date != nil && $0.date == episode.publishedAt } ?? alike.first)?.id
  }

  private mutating func readMedia(of podcast: PodcastID) throws(StoreError) {
    guard self.podcast != podcast else { return }
    self.podcast = podcast
    var found: [String: [EpisodeID]] = [:]
    try connection.forEachRow(
      """
      SELECT id, enclosure_url FROM episodes INDEXED BY episodes_of_podcast
      WHERE podcast_id = \(podcast) AND enclosure_url IS NOT NULL
      """
    ) { row in
      let media = SyncAddress.media(row.text(1))
      for hash in Set([media.bare, media.whole]) {
        found[hash, default: []].append(EpisodeID(rawValue: row.integer(0)))
      }
    }
    byMedia = found
  }

  /// The traits that other machines recognise an episode by. The hash is without the address's query, unless only that
  /// tells the podcast's episodes apart.
  mutating func traits(of id: EpisodeID) throws(StoreError) -> (podcast: PodcastID, episode: SyncEntity.Episode)? {
    let row = try connection.first(
      "SELECT podcast_id, guid, enclosure_url, published_at FROM episodes WHERE id = \(id)"
    ) { (PodcastID(rawValue: $0.integer(0)), $0.text(1), $0.optionalText(2), $0.optionalInteger(3)) }
    guard let (podcast, guid, url, date) = row else { return nil }
    var media: String?
    if let url {
      let hashes = SyncAddress.media(url)
      try readMedia(of: podcast)
      media = byMedia[hashes.bare]?.count == 1 ? hashes.bare : hashes.whole
    }
    return (podcast, SyncEntity.Episode(guid: guid, media: media, publishedAt: date))
  }
}
