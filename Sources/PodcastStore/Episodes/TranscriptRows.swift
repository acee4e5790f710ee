internal import PodcastModel

/// The rows of `transcripts`: the segments of transcripts that were fetched.
struct TranscriptRows {
  let connection: Connection

  func read(of id: EpisodeID) throws(StoreError) -> [TranscriptSegment] {
    try connection.rows(
      "SELECT start, end, speaker, text, words FROM transcripts WHERE episode_id = \(id) ORDER BY place"
    ) { row in
      var segment = TranscriptSegment(
        start: row.optionalInteger(0).map { Double($0) / 1000 }, end: row.optionalInteger(1).map { Double($0) / 1000 },
        speaker: row.optionalText(2), text: row.text(3))
      if let start = segment.start, let words = row.optionalText(4) {
        segment.wordStarts = words.split(separator: " ").map { start + (Double($0) ?? 0) / 100 }
      }
      return segment
    }
  }

  /// Also marks the episode and queues it for the full-text index.
  func set(_ segments: [TranscriptSegment], of id: EpisodeID) throws(StoreError) {
    try SearchIndex(connection: connection).withdraw(id)
    try connection.execute("DELETE FROM transcripts WHERE episode_id = \(id)")
    for (index, segment) in segments.enumerated() {
      try connection.execute(
        """
        INSERT INTO transcripts (episode_id, place, start, end, speaker, text, words)
        VALUES (\(id), \(index), \(segment.start.flatMap { Duration(validSeconds: $0) }),
          \(segment.end.flatMap { Duration(validSeconds: $0) }), \(segment.speaker), \(segment.text),
          \(Self.words(of: segment)))
        """)
    }
    try connection.execute("UPDATE episodes SET has_transcript = 1 WHERE id = \(id)")
  }

  private static func words(of segment: TranscriptSegment) -> String? {
    guard let start = segment.start, !segment.wordStarts.isEmpty else { return nil }
    let offsets = segment.wordStarts.map { Int(max(-360_000, min(($0 - start) * 100, 360_000)).rounded()) }
    return offsets.map { String($0) }.joined(separator: " ")
  }
}
