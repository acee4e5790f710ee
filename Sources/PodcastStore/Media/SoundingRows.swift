internal import PodcastModel

/// The rows of `soundings`: a measurement for each episode.
struct SoundingRows {
  let connection: Connection

  func record(of id: EpisodeID) throws(StoreError) -> SoundingRecord? {
    try connection.first(
      """
      SELECT episode_id, file, format, is_complete, measured_at, loudness, peak, has_equal_channels, data FROM soundings
      WHERE episode_id = \(id)
      """
    ) { row in
      SoundingRecord(
        episode: EpisodeID(rawValue: row.integer(0)), file: row.text(1), format: row.count(2), isComplete: row.flag(3),
        measuredAt: Timestamp(seconds: row.integer(4)), loudness: row.optionalReal(5), peak: row.optionalReal(6),
        hasEqualChannels: row.optionalFlag(7), data: row.optionalBlob(8))
    }
  }

  /// Of the newest measured episodes of a podcast.
  func loudness(of podcast: PodcastID, limit: Int) throws(StoreError) -> [Double] {
    try connection.rows(
      """
      SELECT s.loudness FROM soundings s JOIN episodes e ON e.id = s.episode_id
      WHERE e.podcast_id = \(podcast) AND s.is_complete = 1 AND s.loudness IS NOT NULL
      ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit)
      """
    ) { $0.optionalReal(0) ?? 0 }
  }

  func save(_ record: SoundingRecord) throws(StoreError) {
    try connection.execute(
      """
      INSERT OR REPLACE INTO soundings
        (episode_id, file, format, is_complete, measured_at, loudness, peak, has_equal_channels, data)
      VALUES (\(record.episode), \(record.file), \(record.format), \(record.isComplete), \(record.measuredAt),
        \(record.loudness), \(record.peak), \(record.hasEqualChannels), \(record.data))
      """)
  }

  /// The media file is gone: its loudness stays, a draft goes.
  func evict(_ id: EpisodeID) throws(StoreError) {
    try connection.execute("DELETE FROM soundings WHERE episode_id = \(id) AND is_complete = 0")
    try connection.execute("UPDATE soundings SET data = NULL WHERE episode_id = \(id)")
  }
}
