package import PodcastModel

/// Places inside an episode: chapters, transcripts, bookmarks, and what to skip.
extension PodcastStore {
  package func chapters(of id: EpisodeID) throws(StoreError) -> [Chapter] {
    try connection.rows(
      "SELECT start, end, title, link, image, is_listed FROM chapters WHERE episode_id = \(id) ORDER BY place"
    ) { row in
      var chapter = Chapter(
        start: Double(row.integer(0)) / 1000, title: row.text(2), end: row.optionalInteger(1).map { Double($0) / 1000 },
        link: row.optionalText(3), image: row.optionalText(4))
      chapter.isListed = row.flag(5)
      return chapter
    }
  }

  /// From a document of their own, or from the medium.
  package func setChapters(_ chapters: [Chapter], of id: EpisodeID) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      try ChapterRows.replace(chapters, of: id, connection)
      try connection.execute(
        "UPDATE episodes SET chapter_count = \(chapters.count(where: \.isListed)) WHERE id = \(id)")
      try connection.execute("INSERT OR IGNORE INTO search_queue (episode_id) VALUES (\(id))")
    }
  }

  package func transcript(of id: EpisodeID) throws(StoreError) -> [TranscriptSegment] {
    try connection.rows(
      "SELECT start, end, speaker, text FROM transcripts WHERE episode_id = \(id) ORDER BY place"
    ) { row in
      TranscriptSegment(
        start: row.optionalInteger(0).map { Double($0) / 1000 }, end: row.optionalInteger(1).map { Double($0) / 1000 },
        speaker: row.optionalText(2), text: row.text(3))
    }
  }

  package func setTranscript(_ segments: [TranscriptSegment], of id: EpisodeID) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      try connection.execute("DELETE FROM transcripts WHERE episode_id = \(id)")
      for (place, segment) in segments.enumerated() {
        try connection.execute(
          """
          INSERT INTO transcripts (episode_id, place, start, end, speaker, text)
          VALUES (\(id), \(place), \(segment.start.flatMap { Duration(validSeconds: $0) }),
            \(segment.end.flatMap { Duration(validSeconds: $0) }), \(segment.speaker), \(segment.text))
          """)
      }
      try connection.execute("UPDATE episodes SET has_transcript = 1 WHERE id = \(id)")
      try connection.execute("INSERT OR IGNORE INTO search_queue (episode_id) VALUES (\(id))")
    }
  }

  // MARK: Bookmarks

  package func bookmarks(of id: EpisodeID) throws(StoreError) -> [Bookmark] {
    try connection.rows(
      "SELECT id, position, note, created_at FROM bookmarks WHERE episode_id = \(id) ORDER BY position, id", bookmark)
  }

  /// All of them, with their episodes, the last one made first.
  package func bookmarks(limit: Int = 1000) throws(StoreError) -> [(entry: EpisodeEntry, bookmark: Bookmark)] {
    var rows = EpisodeRows()
    return try connection.rows(
      """
      SELECT \(EpisodeRows.columns), b.id, b.position, b.note, b.created_at
      FROM bookmarks b CROSS JOIN episodes e ON e.id = b.episode_id LEFT JOIN statuses s ON s.episode_id = e.id
      CROSS JOIN podcasts p ON p.id = e.podcast_id LEFT JOIN media m ON m.episode_id = e.id
      ORDER BY b.id DESC LIMIT \(limit)
      """
    ) { row in (rows.entry(row), bookmark(row, from: EpisodeRows.columnCount)) }
  }

  private func bookmark(_ row: Statement.Row) -> Bookmark { bookmark(row, from: 0) }

  private func bookmark(_ row: Statement.Row, from column: Int32) -> Bookmark {
    Bookmark(
      id: row.integer(column), position: .milliseconds(row.integer(column + 1)), note: row.optionalText(column + 2),
      createdAt: Timestamp(seconds: row.integer(column + 3)))
  }

  @discardableResult
  package func addBookmark(
    at position: Duration, note: String? = nil, in id: EpisodeID, now: Timestamp = .now
  ) throws(StoreError) -> Bookmark {
    // Asked for once, it is worth waiting for.
    try write(patience: BusyHandler.usualPatience) { connection throws(StoreError) in
      try connection.execute(
        """
        INSERT INTO bookmarks (episode_id, position, note, created_at)
        VALUES (\(id), \(max(.zero, position)), \(note), \(now))
        """)
      return Bookmark(id: connection.lastInsertedID, position: max(.zero, position), note: note, createdAt: now)
    }
  }

  package func removeBookmark(_ id: Int64) throws(StoreError) {
    try write { connection throws(StoreError) in try connection.execute("DELETE FROM bookmarks WHERE id = \(id)") }
  }

  // MARK: Ranges to skip

  package func skips(of id: EpisodeID) throws(StoreError) -> [Range<Duration>] {
    try connection.rows("SELECT start, end FROM skips WHERE episode_id = \(id) ORDER BY start") { row in
      Duration.milliseconds(row.integer(0))..<Duration.milliseconds(row.integer(1))
    }
  }

  package func addSkip(_ range: Range<Duration>, in id: EpisodeID) throws(StoreError) {
    guard range.lowerBound >= .zero, range.lowerBound.inMilliseconds < range.upperBound.inMilliseconds else { return }
    try write(patience: BusyHandler.usualPatience) { connection throws(StoreError) in
      try connection.execute(
        "INSERT INTO skips (episode_id, start, end) VALUES (\(id), \(range.lowerBound), \(range.upperBound))")
    }
  }
}
