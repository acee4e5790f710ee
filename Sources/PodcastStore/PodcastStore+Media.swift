package import PodcastModel

/// An episode's medium on this machine: how much of it is here, and from where it came.
package struct Medium: Hashable, Sendable {
  package var episode: EpisodeID
  package var state: Download.State
  /// Asked for with `download`, so that it stays; otherwise it is a cache of what was streamed.
  package var isKept = false
  /// Fetched because its podcast is set so.
  package var isAutomatic = false
  package var path: String?
  package var received: Int64 = 0
  package var total: Int64?
  package var sourceURL: String?
  /// Which of the publisher's versions this is.
  package var rendition: String?
  package var etag: String?
  package var lastModified: String?
  /// The bytes that are here.
  package var ranges: [Range<Int64>] = []
  package var attempts = 0
  package var error: String?
  /// Integrated loudness, in LUFS.
  package var loudness: Double?
  package var requestedAt: Timestamp?
  package var completedAt: Timestamp?
  package var lastUsedAt: Timestamp?

  package init(episode: EpisodeID, state: Download.State) {
    self.episode = episode
    self.state = state
  }
}

/// The same under a name that is free where a medium is what plays.
package typealias MediaRecord = Medium

extension PodcastStore {
  package func medium(of id: EpisodeID) throws(StoreError) -> Medium? {
    try media("WHERE episode_id = \(id)").first
  }

  /// Those waiting come in the order they were asked for.
  package func media(_ state: Download.State, limit: Int? = nil) throws(StoreError) -> [Medium] {
    try media("WHERE state = \(state.rawValue) ORDER BY requested_at, episode_id LIMIT \(limit ?? -1)")
  }

  /// Everything that is here or wanted here, with what was asked for last on top. What was heard in part is not.
  package func downloads() throws(StoreError) -> [EpisodeEntry] {
    try entries(
      """
      \(EpisodeRows.selectByMedia)WHERE m.path IS NOT NULL
        AND (m.is_kept = 1 OR m.is_automatic = 1 OR m.state = 'complete')
      ORDER BY m.requested_at DESC, m.episode_id DESC
      """)
  }

  /// What was streamed and nobody would miss: neither asked for, nor queued, nor a favourite, nor begun. The least
  /// recently played comes first.
  package func spareStreams() throws(StoreError) -> [Medium] {
    try media("WHERE is_kept = 0 AND is_automatic = 0 AND path IS NOT NULL AND \(Self.isSpare) ORDER BY last_used_at")
  }

  /// What came by itself, the newest episode first, and whether anybody would miss it.
  package func automaticDownloads(of podcast: PodcastID) throws(StoreError) -> [(medium: Medium, isSpare: Bool)] {
    let ofPodcast: SQL = """
      is_kept = 0 AND is_automatic = 1 AND path IS NOT NULL
      AND episode_id IN (SELECT id FROM episodes WHERE podcast_id = \(podcast))
      """
    let spare = Set(try media("WHERE \(ofPodcast) AND \(Self.isSpare)").map(\.episode))
    let newestFirst: SQL = "ORDER BY (SELECT listed_at FROM episodes WHERE id = episode_id) DESC, episode_id DESC"
    return try media("WHERE \(ofPodcast) \(newestFirst)").map { ($0, spare.contains($0.episode)) }
  }

  private static let isSpare: SQL = """
    episode_id NOT IN (SELECT episode_id FROM queue) AND NOT EXISTS (
      SELECT 1 FROM statuses s WHERE s.episode_id = media.episode_id
        AND (s.is_favourite = 1 OR s.is_currently_playing = 1 OR s.last_listen_time IS NOT NULL))
    """

  /// Bytes on the disk, all in all.
  package func mediaSize() throws(StoreError) -> Int64 {
    try connection.integer("SELECT sum(received) FROM media") ?? 0
  }

  /// Bytes of what was streamed and not asked for.
  package func cacheSize() throws(StoreError) -> Int64 {
    try connection.integer("SELECT sum(received) FROM media WHERE is_kept = 0 AND is_automatic = 0") ?? 0
  }

  /// Whoever fills its file is to go on to the end, and it stays. False when nothing of it is here.
  package func keepMedia(of id: EpisodeID, at now: Timestamp = .now) throws(StoreError) -> Bool {
    try write { connection throws(StoreError) in
      try connection.execute("UPDATE media SET is_kept = 1, requested_at = \(now) WHERE episode_id = \(id)")
    }
    return try medium(of: id) != nil
  }

  private func media(_ rest: SQL) throws(StoreError) -> [Medium] {
    try connection.rows(
      """
      SELECT episode_id, state, is_kept, path, received, total, source_url, rendition, etag, last_modified, ranges,
        attempts, error, loudness, requested_at, completed_at, last_used_at, is_automatic
      FROM media \(rest)
      """
    ) { row in
      let state = Download.State(rawValue: row.text(1)) ?? .failed
      var medium = Medium(episode: EpisodeID(rawValue: row.integer(0)), state: state)
      medium.isKept = row.flag(2)
      medium.path = row.optionalText(3)
      medium.received = row.integer(4)
      medium.total = row.optionalInteger(5)
      medium.sourceURL = row.optionalText(6)
      medium.rendition = row.optionalText(7)
      medium.etag = row.optionalText(8)
      medium.lastModified = row.optionalText(9)
      medium.ranges = ByteRanges.parse(row.text(10))
      medium.attempts = row.count(11)
      medium.error = row.optionalText(12)
      medium.loudness = row.optionalReal(13)
      medium.requestedAt = row.optionalTime(14)
      medium.completedAt = row.optionalTime(15)
      medium.lastUsedAt = row.optionalTime(16)
      medium.isAutomatic = row.flag(17)
      return medium
    }
  }

  /// A finished one survives a power cut; the way there may be walked again. What was asked for once stays asked for,
  /// whoever fills the file.
  package func save(_ medium: Medium, durably: Bool = false) throws(StoreError) {
    try write(durably || medium.state == .complete ? .full : .normal) { connection throws(StoreError) in
      let ranges = medium.ranges.isEmpty ? nil : ByteRanges.text(medium.ranges)
      try connection.execute(
        """
        INSERT INTO media (episode_id, state, is_kept, path, received, total, source_url, rendition, etag,
          last_modified, ranges, attempts, error, loudness, requested_at, completed_at, last_used_at,
          is_automatic)
        VALUES (\(medium.episode), \(medium.state.rawValue), \(medium.isKept), \(medium.path), \(medium.received),
          \(medium.total), \(medium.sourceURL), \(medium.rendition), \(medium.etag), \(medium.lastModified), \(ranges),
          \(medium.attempts), \(medium.error), \(medium.loudness), \(medium.requestedAt), \(medium.completedAt),
          \(medium.lastUsedAt), \(medium.isAutomatic))
        ON CONFLICT (episode_id) DO UPDATE SET state = excluded.state, is_kept = max(is_kept, excluded.is_kept), path = excluded.path,
          received = excluded.received, total = excluded.total, source_url = excluded.source_url,
          rendition = excluded.rendition, etag = excluded.etag, last_modified = excluded.last_modified,
          ranges = excluded.ranges, attempts = excluded.attempts, error = excluded.error, loudness = excluded.loudness,
          requested_at = coalesce(excluded.requested_at, requested_at), completed_at = excluded.completed_at,
          last_used_at = excluded.last_used_at, is_automatic = excluded.is_automatic
        """)
    }
  }

  package func removeMedia(of id: EpisodeID) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.execute("DELETE FROM media WHERE episode_id = \(id)")
    }
  }
}

/// `0-4095,8192-9000`, both ends included, as in HTTP.
package enum ByteRanges {
  package static func text(_ ranges: [Range<Int64>]) -> String {
    ranges.filter { !$0.isEmpty }.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
  }

  package static func parse(_ text: String) -> [Range<Int64>] {
    text.split(separator: ",").compactMap { piece in
      let ends = piece.split(separator: "-").compactMap { Int64($0) }
      guard ends.count == 2, ends[0] >= 0, ends[0] <= ends[1], ends[1] < Int64.max else { return nil }
      return ends[0]..<(ends[1] + 1)
    }
  }
}
