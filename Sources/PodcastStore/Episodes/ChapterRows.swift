internal import PodcastModel

/// The rows of `chapters`, from the feed, a separate document or the media file.
struct ChapterRows {
  let connection: Connection

  /// In the order of their times: that of the feed may be another.
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

  /// Whether there are some of the media file, or of a document that was fetched, which go before the feed's own. `id` is SQL.
  static func hasPreferred(_ id: String) -> String {
    """
    (EXISTS (SELECT 1 FROM document_sources WHERE episode_id = \(id) AND kind = 'chapters')
      OR EXISTS (SELECT 1 FROM chapters WHERE episode_id = \(id) AND is_embedded))
    """
  }

  func hasPreferred(of id: EpisodeID) throws(StoreError) -> Bool {
    try connection.integer(SQL(text: "SELECT \(Self.hasPreferred(String(id.rawValue)))")) == 1
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
