internal import PodcastModel
internal import Text

/// Finds the episodes of records: by guid, then enclosure, then title and date, as a refresh does.
struct RecordMatcher {
  let connection: Connection

  /// A record with its episode.
  struct Match {
    var episode: EpisodeID
    var record: ListeningRecord
  }

  /// The records of one feed, sorted by whether their episode is in the library.
  struct Result {
    var matches: [Match] = []
    var unmatched: [ListeningRecord] = []
  }

  /// The podcast with this feed address, with or without encryption.
  func podcast(at feedURL: String) throws(StoreError) -> PodcastID? {
    let rows = PodcastRows(connection: connection)
    if let id = try rows.id(at: feedURL) { return id }
    let rest = Self.withoutScheme(feedURL)
    guard rest != feedURL else { return nil }
    return try rows.id(at: (feedURL.hasPrefix("https:") ? "http://" : "https://") + rest)
  }

  static func withoutScheme(_ address: String) -> String {
    for scheme in ["https://", "http://"] where address.hasPrefix(scheme) {
      return String(address.dropFirst(scheme.count))
    }
    return address
  }

  func match(_ records: [ListeningRecord], in podcast: PodcastID) throws(StoreError) -> Result {
    let records = Self.newest(of: records)
    var ids: [EpisodeID] = []
    let known = try connection.rows(
      """
      SELECT id, guid, enclosure_url, title, published_at
      FROM episodes INDEXED BY episodes_of_podcast WHERE podcast_id = \(podcast)
      """
    ) { row in
      ids.append(EpisodeID(rawValue: row.integer(0)))
      return EpisodeTraits(
        guid: row.text(1), enclosure: row.optionalText(2), title: row.text(3), publishedAt: row.optionalTime(4))
    }
    let found = EpisodeMatcher(incoming: records.map(EpisodeTraits.init(_:)), known: known).matches
    var result = Result()
    for (index, record) in records.enumerated() {
      if let match = found[index] {
        result.matches.append(Match(episode: ids[match], record: record))
      } else {
        result.unmatched.append(record)
      }
    }
    return result
  }

  /// Of several records about one episode the one that was made last, with the marks of all.
  private static func newest(of records: [ListeningRecord]) -> [ListeningRecord] {
    var indexes: [EpisodeTraits: Int] = [:]
    var kept: [ListeningRecord] = []
    for record in records {
      guard let index = indexes[EpisodeTraits(record)] else {
        indexes[EpisodeTraits(record)] = kept.count
        kept.append(record)
        continue
      }
      let other = kept[index]
      let isNewer =
        record.isAboutListening && (record.listenedAt ?? .now) >= (other.listenedAt ?? record.listenedAt ?? .now)
      var newest = isNewer ? record : other
      newest.isFavourite = record.isFavourite || other.isFavourite
      newest.queueNumber = other.queueNumber ?? record.queueNumber
      newest.bookmarks = other.bookmarks + record.bookmarks.filter { !other.bookmarks.contains($0) }
      kept[index] = newest
    }
    return kept
  }
}

extension EpisodeTraits {
  /// Apps measure lengths differently, so these do not count.
  init(_ record: ListeningRecord) {
    self.init(
      guid: record.guid, enclosure: record.enclosure, title: record.title.map(PlainText.line),
      publishedAt: record.publishedAt)
  }
}
