internal import PodcastModel

/// The rows of `transcripts`: the segments of transcripts that were fetched.
struct TranscriptRows {
  let connection: Connection

  func read(of id: EpisodeID) throws(StoreError) -> [TranscriptSegment] {
    try connection.rows(
      "SELECT start, end, speaker, text FROM transcripts WHERE episode_id = \(id) ORDER BY place"
    ) { row in
      TranscriptSegment(
        start: row.optionalInteger(0).map { Double($0) / 1000 }, end: row.optionalInteger(1).map { Double($0) / 1000 },
        speaker: row.optionalText(2), text: row.text(3))
    }
  }

  /// Also marks the episode and queues it for the full-text index.
  func set(_ segments: [TranscriptSegment], of id: EpisodeID) throws(StoreError) {
    try connection.execute("DELETE FROM transcripts WHERE episode_id = \(id)")
    for (index, segment) in segments.enumerated() {
      try connection.execute(
        """
        INSERT INTO transcripts (episode_id, place, start, end, speaker, text)
        VALUES (\(id), \(index), \(segment.start.flatMap { Duration(validSeconds: $0) }),
          \(segment.end.flatMap { Duration(validSeconds: $0) }), \(segment.speaker), \(segment.text))
        """)
    }
    try connection.execute("UPDATE episodes SET has_transcript = 1 WHERE id = \(id)")
    try connection.execute("INSERT OR IGNORE INTO search_queue (episode_id) VALUES (\(id))")
  }
}
