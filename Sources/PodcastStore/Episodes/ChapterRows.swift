internal import PodcastModel

/// The rows of `chapters`, from the feed, a separate document or the media file.
struct ChapterRows {
  let connection: Connection

  /// In the order of their times; the feed's may be another.
  func read(of id: EpisodeID) throws(StoreError) -> [Chapter] {
    try connection.rows(
      "SELECT start, end, title, link, image, is_listed, is_embedded FROM chapters WHERE episode_id = \(id) ORDER BY start, place"
    ) { row in
      var chapter = Chapter(
        start: Double(row.integer(0)) / 1000, title: row.text(2), end: row.optionalInteger(1).map { Double($0) / 1000 },
        link: row.optionalText(3), image: row.optionalText(4))
      chapter.isListed = row.flag(5)
      chapter.isEmbedded = row.flag(6)
      return chapter
    }
  }

  func replace(_ chapters: [Chapter], of id: EpisodeID) throws(StoreError) {
    try connection.execute("DELETE FROM chapters WHERE episode_id = \(id)")
    for (index, chapter) in chapters.enumerated() {
      try connection.execute(
        """
        INSERT INTO chapters (episode_id, place, start, end, title, link, image, is_listed, is_embedded)
        VALUES (\(id), \(index), \(Duration(validSeconds: chapter.start) ?? .zero),
          \(chapter.end.flatMap { Duration(validSeconds: $0) }), \(chapter.title), \(chapter.link), \(chapter.image),
          \(chapter.isListed), \(chapter.isEmbedded))
        """)
    }
  }

  /// For chapters that do not come from the feed: also counts them and queues the episode for the full-text index.
  func set(_ chapters: [Chapter], of id: EpisodeID) throws(StoreError) {
    try SearchIndex(connection: connection).withdraw(id)
    try replace(chapters, of: id)
    try connection.execute(
      "UPDATE episodes SET chapter_count = \(chapters.count(where: \.isListed)) WHERE id = \(id)")
  }
}
