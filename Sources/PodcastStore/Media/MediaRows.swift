internal import PodcastModel

/// The rows of `media`: one record for each media file, downloaded or cached.
struct MediaRows {
  let connection: Connection

  func record(of id: EpisodeID) throws(StoreError) -> MediaRecord? {
    try records("WHERE episode_id = \(id)").first
  }

  /// Pending ones come in the order of their requests.
  func records(_ state: Download.State) throws(StoreError) -> [MediaRecord] {
    try records("WHERE state = \(state.rawValue) ORDER BY requested_at, episode_id")
  }

  func records(of podcast: PodcastID) throws(StoreError) -> [MediaRecord] {
    try records("WHERE episode_id IN (SELECT id FROM episodes WHERE podcast_id = \(podcast))")
  }

  /// All downloads and complete files, with the last request on top. Partly cached streams are left out.
  func downloads() throws(StoreError) -> [EpisodeEntry] {
    try EpisodeRows.read(
      """
      \(EpisodeRows.selectByMedia())WHERE m.path IS NOT NULL
        AND (m.is_kept = 1 OR m.is_automatic = 1 AND m.requested_at IS NOT NULL OR m.state = 'complete')
      ORDER BY m.requested_at DESC, m.episode_id DESC
      """, from: connection)
  }

  /// The paths of all media files.
  func paths() throws(StoreError) -> Set<String> {
    let mediaPath = MediaPath(in: connection.dataFolder)
    let paths = try connection.rows("SELECT path FROM media WHERE path IS NOT NULL") { mediaPath.located($0.text(0)) }
    return Set(paths.compactMap(\.self))
  }

  /// Cached streams that can be evicted: not downloaded by request, queued, favourite or begun. The least recently played
  /// comes first.
  func spareStreams() throws(StoreError) -> [MediaRecord] {
    try records("WHERE \(Self.isStream) AND path IS NOT NULL AND \(Self.isSpare) ORDER BY last_used_at")
  }

  /// Automatic downloads, the newest episode first, and whether each can be evicted.
  func automaticDownloads(of podcast: PodcastID) throws(StoreError) -> [(record: MediaRecord, isSpare: Bool)] {
    let ofPodcast: SQL = """
      is_kept = 0 AND NOT (\(Self.isStream)) AND path IS NOT NULL
      AND episode_id IN (SELECT id FROM episodes WHERE podcast_id = \(podcast))
      """
    let spare = Set(try records("WHERE \(ofPodcast) AND \(Self.isSpare)").map(\.episode))
    let newestFirst: SQL = "ORDER BY (SELECT listed_at FROM episodes WHERE id = episode_id) DESC, episode_id DESC"
    return try records("WHERE \(ofPodcast) \(newestFirst)").map { ($0, spare.contains($0.episode)) }
  }

  /// An automatic download that was removed, and is streamed now, was not requested again.
  private static let isStream: SQL = "is_kept = 0 AND (is_automatic = 0 OR requested_at IS NULL)"

  private static let isSpare: SQL = """
    episode_id NOT IN (SELECT episode_id FROM queue) AND NOT EXISTS (
      SELECT 1 FROM statuses s WHERE s.episode_id = media.episode_id
        AND (s.is_favourite = 1 OR s.is_currently_playing = 1 OR s.last_listen_time IS NOT NULL))
    """

  /// Bytes of all media files.
  func size() throws(StoreError) -> Int64 { try connection.integer("SELECT sum(received) FROM media") ?? 0 }

  /// Bytes of cached streams.
  func cacheSize() throws(StoreError) -> Int64 {
    try connection.integer("SELECT sum(received) FROM media WHERE \(Self.isStream)") ?? 0
  }

  private func records(_ rest: SQL) throws(StoreError) -> [MediaRecord] {
    let mediaPath = MediaPath(in: connection.dataFolder)
    return try connection.rows(
      """
      SELECT episode_id, state, is_kept, path, received, total, source_url, rendition, etag, last_modified, ranges,
        attempts, error, loudness, requested_at, completed_at, last_used_at, is_automatic
      FROM media \(rest)
      """
    ) { row in
      let state = Download.State(rawValue: row.text(1)) ?? .failed
      var record = MediaRecord(episode: EpisodeID(rawValue: row.integer(0)), state: state)
      record.isKept = row.flag(2)
      record.path = mediaPath.located(row.optionalText(3))
      record.received = row.integer(4)
      record.total = row.optionalInteger(5)
      record.sourceURL = row.optionalText(6)
      record.rendition = row.optionalText(7)
      record.etag = row.optionalText(8)
      record.lastModified = row.optionalText(9)
      record.ranges = ByteRanges.parse(row.text(10))
      record.failedAttempts = row.count(11)
      record.error = row.optionalText(12)
      record.loudness = row.optionalReal(13)
      record.requestedAt = row.optionalTime(14)
      record.completedAt = row.optionalTime(15)
      record.lastUsedAt = row.optionalTime(16)
      record.isAutomatic = row.flag(17)
      return record
    }
  }

  // MARK: Writing

  /// Turns a cached stream into a download. Does nothing where there is no record.
  func keep(_ id: EpisodeID, at now: Timestamp) throws(StoreError) {
    try connection.execute("UPDATE media SET is_kept = 1, requested_at = \(now) WHERE episode_id = \(id)")
  }

  /// A file once kept stays kept, and keeps the time of its request. `unlessRemoved`: false where the record is gone that
  /// was saved before.
  @discardableResult
  func save(_ record: MediaRecord, unlessRemoved: Bool = false) throws(StoreError) -> Bool {
    guard try connection.integer("SELECT 1 FROM episodes WHERE id = \(record.episode)") != nil else {
      throw StoreError(
        .notFound, message: "episode \(record.episode.rawValue) was deleted meanwhile", about: connection.path)
    }
    if unlessRemoved, try isRemoved(record.episode) { return false }
    let ranges = record.ranges.isEmpty ? nil : ByteRanges.text(record.ranges)
    try connection.execute(
      """
      INSERT INTO media (episode_id, state, is_kept, path, received, total, source_url, rendition, etag,
        last_modified, ranges, attempts, error, loudness, requested_at, completed_at, last_used_at,
        is_automatic)
      VALUES (\(record.episode), \(record.state.rawValue), \(record.isKept), \(record.path), \(record.received),
        \(record.total), \(record.sourceURL), \(record.rendition), \(record.etag), \(record.lastModified), \(ranges),
        \(record.failedAttempts), \(record.error), \(record.loudness), \(record.requestedAt), \(record.completedAt),
        \(record.lastUsedAt), \(record.isAutomatic))
      ON CONFLICT (episode_id) DO UPDATE SET state = excluded.state, is_kept = max(is_kept, excluded.is_kept), path = excluded.path,
        received = excluded.received, total = excluded.total, source_url = excluded.source_url,
        rendition = excluded.rendition, etag = excluded.etag, last_modified = excluded.last_modified,
        ranges = excluded.ranges, attempts = excluded.attempts, error = excluded.error, loudness = excluded.loudness,
        requested_at = coalesce(excluded.requested_at, requested_at), completed_at = excluded.completed_at,
        last_used_at = excluded.last_used_at, is_automatic = excluded.is_automatic
      """)
    return true
  }

  /// The memory of a file that was removed has no path.
  func isRemoved(_ id: EpisodeID) throws(StoreError) -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM episodes e WHERE e.id = \(id)
        AND NOT EXISTS (SELECT 1 FROM media WHERE episode_id = e.id AND path IS NOT NULL)
      """) != nil
  }

  func remove(_ id: EpisodeID) throws(StoreError) {
    try connection.execute("DELETE FROM media WHERE episode_id = \(id)")
  }
}
