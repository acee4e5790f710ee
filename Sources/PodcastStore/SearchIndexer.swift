internal import PodcastModel

/// Makes plain text of what can be searched, and brings it into the index.
struct SearchIndexer {
  let connection: Connection

  func writeSlice(while mayGoOn: () -> Bool) throws(StoreError) {
    let ids = try connection.rows("SELECT episode_id FROM search_queue ORDER BY episode_id LIMIT 1000") {
      EpisodeID(rawValue: $0.integer(0))
    }
    let index = try SearchIndex(connection: connection)
    var last: EpisodeID?
    for (count, id) in ids.enumerated() {
      if let texts = try texts(of: id) { try index.replace(id, with: texts) }
      last = id
      if count % 4 == 3, !mayGoOn() { break }
    }
    if let last { try connection.execute("DELETE FROM search_queue WHERE episode_id <= \(last)") }
  }

  private func texts(of id: EpisodeID) throws(StoreError) -> SearchIndex.Texts? {
    let row = try connection.first(
      """
      SELECT e.title, CASE WHEN d.notes <> '' THEN d.notes ELSE d.subtitle END, e.chapter_count, e.has_transcript
      FROM episodes e LEFT JOIN episode_details d ON d.episode_id = e.id WHERE e.id = \(id)
      """
    ) { row in
      (
        texts: SearchIndex.Texts(
          title: row.text(0), notes: PlainText.from(html: row.text(1)), chapters: "", transcript: ""),
        hasChapters: !row.isNull(2), hasTranscript: row.flag(3)
      )
    }
    guard let row else { return nil }
    var texts = row.texts
    if row.hasChapters {
      texts.chapters = try joined("SELECT title FROM chapters WHERE episode_id = \(id) ORDER BY place")
    }
    if row.hasTranscript {
      texts.transcript = try joined("SELECT text FROM transcripts WHERE episode_id = \(id) ORDER BY place")
    }
    return texts
  }

  private func joined(_ sql: SQL) throws(StoreError) -> String {
    try connection.rows(sql) { $0.text(0) }.joined(separator: "\n")
  }
}
