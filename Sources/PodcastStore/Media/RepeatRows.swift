internal import PodcastModel

/// The stretches that the print of an episode shares with others.
package struct RepeatRecord: Hashable, Sendable {
  /// Stands for the bytes that were measured.
  package var file: String
  /// With how many other prints it was compared; nil before that.
  package var compared: Int?
  /// By position.
  package var repeats: [Repeat]
}

/// The rows of `repeats`. They go with the print that they were found in.
struct RepeatRows {
  let connection: Connection

  /// Nil for an episode that was not measured.
  func read(of id: EpisodeID) throws(StoreError) -> RepeatRecord? {
    guard
      let print = try connection.first(
        "SELECT file, compared FROM sound_prints WHERE episode_id = \(id)",
        { RepeatRecord(file: $0.text(0), compared: $0.optionalInteger(1).map { Int(clamping: $0) }, repeats: []) })
    else { return nil }
    var record = print
    record.repeats = try connection.rows(
      "SELECT start, end, kind, found, total FROM repeats WHERE episode_id = \(id) ORDER BY start"
    ) { row in
      Repeat.Kind(rawValue: row.text(2)).map {
        Repeat(
          .milliseconds(row.integer(0))..<max(.milliseconds(row.integer(0)), .milliseconds(row.integer(1))), $0,
          count: row.count(3), of: row.count(4))
      }
    }.compactMap(\.self)
    return record
  }

  /// Replaces those from before. Nothing where the print was replaced meanwhile.
  func replace(with repeats: [Repeat], comparedWith count: Int, in print: SoundPrintRecord) throws(StoreError) {
    try connection.execute(
      "UPDATE sound_prints SET compared = \(count) WHERE episode_id = \(print.episode) AND file = \(print.file)")
    guard connection.changedRows > 0 else { return }
    try connection.execute("DELETE FROM repeats WHERE episode_id = \(print.episode)")
    for stretch in repeats {
      try connection.execute(
        """
        INSERT OR REPLACE INTO repeats (episode_id, start, end, kind, found, total)
        VALUES (\(print.episode), \(stretch.range.lowerBound), \(stretch.range.upperBound), \(stretch.kind.rawValue),
          \(stretch.count), \(stretch.total))
        """)
    }
  }
}

extension SoundPrintRows {
  /// The newest first.
  func episodes(of podcast: PodcastID, limit: Int) throws(StoreError) -> [EpisodeID] {
    try connection.rows(
      """
      SELECT e.id FROM episodes e JOIN sound_prints p ON p.episode_id = e.id WHERE e.podcast_id = \(podcast)
      ORDER BY e.listed_at DESC, e.id DESC LIMIT \(limit)
      """
    ) { EpisodeID(rawValue: $0.integer(0)) }
  }

  /// Of the episodes of its podcast that were published nearest to this one.
  func nearest(to id: EpisodeID, limit: Int) throws(StoreError) -> [SoundPrintRecord] {
    try connection.rows(
      """
      SELECT p.episode_id, p.file, p.data FROM episodes this JOIN episodes e ON e.podcast_id = this.podcast_id
      JOIN sound_prints p ON p.episode_id = e.id WHERE this.id = \(id) AND e.id <> this.id
      ORDER BY abs(e.listed_at - this.listed_at), e.id LIMIT \(limit)
      """
    ) { row in
      SoundPrintRecord(
        episode: EpisodeID(rawValue: row.integer(0)), file: row.text(1), data: row.optionalBlob(2) ?? [])
    }
  }
}
