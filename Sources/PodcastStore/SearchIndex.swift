internal import PodcastModel

/// The full-text index and the texts it was made from: the one place that writes either.
///
/// To take a text out of the index, SQLite must be told the very text that went in.
struct SearchIndex {
  struct Texts {
    var title: String
    var notes: String
    var chapters: String
    var transcript: String
  }

  let connection: Connection

  func replace(_ id: EpisodeID, with texts: Texts) throws(StoreError) {
    try remove("SELECT id FROM search_texts WHERE id = \(id)")
    try connection.execute(
      """
      INSERT OR REPLACE INTO search_texts (id, title, notes, chapters, transcript)
      VALUES (\(id), \(texts.title), \(texts.notes), \(texts.chapters), \(texts.transcript))
      """)
    try connection.execute(
      """
      INSERT INTO search (rowid, title, notes, chapters, transcript)
      VALUES (\(id), \(texts.title), \(texts.notes), \(texts.chapters), \(texts.transcript))
      """)
  }

  /// Before a podcast is forgotten.
  func removeEpisodes(of podcast: PodcastID) throws(StoreError) {
    try remove("SELECT id FROM episodes WHERE podcast_id = \(podcast)")
    try connection.execute("DELETE FROM podcast_search WHERE rowid = \(podcast)")
  }

  private func remove(_ ids: SQL) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO search (search, rowid, title, notes, chapters, transcript)
      SELECT 'delete', id, title, notes, chapters, transcript FROM search_texts WHERE id IN (\(ids))
      """)
  }

  func rename(_ podcast: PodcastID) throws(StoreError) {
    try connection.execute("DELETE FROM podcast_search WHERE rowid = \(podcast)")
    try connection.execute(
      """
      INSERT INTO podcast_search (rowid, title, author)
      SELECT id, title, author FROM podcasts WHERE id = \(podcast)
      """)
  }
}
