internal import PodcastModel

/// Finds the episode of a line: by its guid within the podcast, then by its enclosure, then by its date where that
/// leaves one candidate. A feed that numbers its episodes anew gives a guid to another one: where the enclosure and the
/// day are not those of the line, and another episode has the enclosure, that one is meant.
struct SyncEpisodes {
  let connection: Connection
  /// Of the podcast that was asked for last, as lines of one podcast mostly follow each other.
  private var podcast: PodcastID?
  private var byMedia: [String: [EpisodeID]] = [:]
  /// Podcasts of which a line told that their feed numbers its episodes anew.
  private var renumbered: Set<PodcastID> = []

  /// The episode of a line.
  enum Found {
    case episode(EpisodeID)
    /// It has nothing but the guid of this episode, which may be another version of its own, or stand for it no more.
    case guidAlone(EpisodeID)
    case nothing
  }

  init(connection: Connection) { self.connection = connection }

  mutating func find(_ episode: SyncEntity.Episode, in podcast: PodcastID) throws(StoreError) -> Found {
    if let guid = episode.guid {
      let found = try connection.rows(
        "SELECT id, enclosure_url, published_at FROM episodes WHERE podcast_id = \(podcast) AND guid = \(guid) ORDER BY twin"
      ) { Twin(id: EpisodeID(rawValue: $0.integer(0)), url: $0.optionalText(1), date: $0.optionalInteger(2)) }
      if let one = Self.mostAlike(found, episode) {
        guard one.isOther(than: episode) else { return .episode(one.id) }
        guard let other = try find(byMediaOf: episode, in: podcast) else { return .guidAlone(one.id) }
        renumbered.insert(podcast)
        return .episode(other)
      }
    }
    if let found = try find(byMediaOf: episode, in: podcast) { return .episode(found) }
    guard let date = episode.publishedAt else { return .nothing }
    let sameDate = try connection.rows(
      """
      SELECT id FROM episodes INDEXED BY episodes_of_podcast
      WHERE podcast_id = \(podcast) AND listed_at = \(date) AND published_at = \(date) LIMIT 2
      """
    ) { EpisodeID(rawValue: $0.integer(0)) }
    return sameDate.count == 1 ? .episode(sameDate[0]) : .nothing
  }

  /// Whether a guid alone names an episode of this podcast. Asked once all other lines are looked at.
  func isNamedByGUID(in podcast: PodcastID) -> Bool { !renumbered.contains(podcast) }

  private mutating func find(
    byMediaOf episode: SyncEntity.Episode, in podcast: PodcastID
  ) throws(StoreError) -> EpisodeID? {
    guard let media = episode.media else { return nil }
    try readMedia(of: podcast)
    return byMedia[media].flatMap { $0.count == 1 ? $0[0] : nil }
  }

  /// One of the episodes with one guid.
  private struct Twin {
    var id: EpisodeID
    var url: String?
    var date: Int64?

    func hasMedia(of episode: SyncEntity.Episode) -> Bool {
      url.map(SyncAddress.media).map { $0.bare == episode.media || $0.whole == episode.media } ?? false
    }

    /// Neither the enclosure nor the day is that of the line. Where one is not known, the guid decides.
    func isOther(than episode: SyncEntity.Episode) -> Bool {
      guard let date, let said = episode.publishedAt, url != nil, episode.media != nil else { return false }
      return !hasMedia(of: episode) && abs(Double(date) - Double(said)) >= 86_400
    }
  }

  /// By the enclosure, then by the date, which alone differs where a feed without guids names one enclosure in each item;
  /// the first if neither tells them apart.
  private static func mostAlike(_ twins: [Twin], _ episode: SyncEntity.Episode) -> Twin? {
    guard twins.count > 1 else { return twins.first }
    let media = twins.filter { $0.hasMedia(of: episode) }
    let alike = media.isEmpty ? twins : media
    return alike.first { $0.date != nil && $0.date == episode.publishedAt } ?? alike.first
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
