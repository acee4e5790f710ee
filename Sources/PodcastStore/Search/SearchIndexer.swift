internal import PodcastModel
internal import Text

/// Brings new and changed episodes into the full-text index, in slices.
struct SearchIndexer {
  let library: OpenLibrary

  /// A search that comes after a large import waits this long for the index, and then finds the episodes indexed so far.
  static let searchPatience = Duration.seconds(5)

  /// Indexes every queued episode. False when `budget` ended it before that.
  func run(budget: Duration) throws(StoreError) -> Bool {
    let deadline = ContinuousClock.now + budget
    while try library.connection.integer("SELECT 1 FROM search_queue LIMIT 1") != nil {
      guard ContinuousClock.now < deadline else { return false }
      try library.write(.normal) { connection throws(StoreError) in
        try writeSlice(connection, while: library.slice())
      }
      try SearchIndex.joinParts(in: library)
    }
    return true
  }

  /// For a search: indexes for some seconds, where the library can be written.
  func runBeforeSearch() throws(StoreError) {
    if library.access == .readWrite { _ = try run(budget: Self.searchPatience) }
  }

  /// After a search that found nothing: it may have looked at a part of the episodes only.
  func refuseIncompleteIndex() throws(StoreError) {
    guard library.access == .readOnly,
      try library.connection.integer("SELECT 1 FROM search_queue LIMIT 1") != nil
    else { return }
    throw StoreError(
      .indexIncomplete, message: "not every episode is in the search index", about: library.path)
  }

  private func writeSlice(_ connection: Connection, while mayGoOn: () -> Bool) throws(StoreError) {
    let ids = try connection.rows("SELECT episode_id FROM search_queue ORDER BY episode_id LIMIT 1000") {
      EpisodeID(rawValue: $0.integer(0))
    }
    let index = try SearchIndex(connection: connection)
    var last: EpisodeID?
    for (count, id) in ids.enumerated() {
      if let texts = try texts(of: id, connection) { try index.replace(id, with: texts) }
      last = id
      if count % 4 == 3, !mayGoOn() { break }
    }
    if let last { try connection.execute("DELETE FROM search_queue WHERE episode_id <= \(last)") }
  }

  private func texts(of id: EpisodeID, _ connection: Connection) throws(StoreError) -> SearchIndex.Texts? {
    let row = try connection.first(
      """
      SELECT e.title, CASE WHEN d.notes <> '' THEN d.notes ELSE d.subtitle END, e.chapter_count, e.has_transcript
      FROM episodes e LEFT JOIN episode_details d ON d.episode_id = e.id WHERE e.id = \(id)
      """
    ) { row in
      (
        texts: SearchIndex.Texts(
          title: row.text(0), notes: PlainText.withoutMarkup(row.text(1)), chapters: "", transcript: ""),
        hasChapters: !row.isNull(2), hasTranscript: row.flag(3)
      )
    }
    guard let row else { return nil }
    var texts = row.texts
    if row.hasChapters {
      texts.chapters = try joined("SELECT title FROM chapters WHERE episode_id = \(id) ORDER BY place", connection)
    }
    if row.hasTranscript {
      texts.transcript = try joined("SELECT text FROM transcripts WHERE episode_id = \(id) ORDER BY place", connection)
    }
    return texts
  }

  private func joined(_ sql: SQL, _ connection: Connection) throws(StoreError) -> String {
    try connection.rows(sql) { $0.text(0) }.joined(separator: "\n")
  }
}
