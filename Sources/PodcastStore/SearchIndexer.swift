internal import PodcastModel

/// Makes plain text of what can be searched. The index itself follows `search_texts` by triggers.
struct SearchIndexer {
  let connection: Connection

  func writeSlice(while mayGoOn: () -> Bool) throws(StoreError) {
    let ids = try connection.rows("SELECT episode_id FROM search_queue ORDER BY episode_id LIMIT 500") {
      EpisodeID(rawValue: $0.integer(0))
    }
    for (count, id) in ids.enumerated() {
      try index(id)
      if count % 2 == 1, !mayGoOn() { return }
    }
  }

  private func index(_ id: EpisodeID) throws(StoreError) {
    let texts = try connection.first(
      """
      SELECT e.title, d.notes, d.subtitle FROM episodes e LEFT JOIN episode_details d ON d.episode_id = e.id
      WHERE e.id = \(id)
      """
    ) { (title: $0.text(0), notes: $0.text(1), subtitle: $0.text(2)) }
    guard let texts else { return }
    let notes = PlainText.from(html: texts.notes.isEmpty ? texts.subtitle : texts.notes)
    let chapters = try joined("SELECT title FROM chapters WHERE episode_id = \(id) ORDER BY place")
    let transcript = try joined("SELECT text FROM transcripts WHERE episode_id = \(id) ORDER BY place")
    let content = SearchIndex.Texts(title: texts.title, notes: notes, chapters: chapters, transcript: transcript)
    try SearchIndex(connection: connection).replace(id, with: content)
    try connection.execute("DELETE FROM search_queue WHERE episode_id = \(id)")
  }

  private func joined(_ sql: SQL) throws(StoreError) -> String {
    try connection.rows(sql) { $0.text(0) }.joined(separator: "\n")
  }
}
