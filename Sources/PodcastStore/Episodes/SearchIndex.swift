internal import PodcastModel

/// The full-text index of episodes. Nothing else writes it.
///
/// The index keeps no text. To remove an episode from it, SQLite needs the same text that was added, which the view
/// `search_texts` makes again from what the library has of the episode: so it is removed before anything of that changes.
/// A library from before schema 13 had a second copy of every text; `search_copies` holds those that are not yet removed.
struct SearchIndex {
  let connection: Connection

  /// Before a text of the episode changes: takes it out of the index, and queues it to be indexed again.
  func withdraw(_ id: EpisodeID) throws(StoreError) {
    try remove(id)
    try connection.execute("INSERT OR IGNORE INTO search_queue (episode_id) VALUES (\(id))")
  }

  func remove(_ id: EpisodeID) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO search (search, rowid, title, notes, chapters, transcript)
      SELECT 'delete', id, title, notes, chapters, transcript FROM search_texts WHERE id = \(id)
      """)
  }

  /// Indexes a queued episode.
  func add(_ id: EpisodeID) throws(StoreError) {
    // A podcli from before schema 13 that is still running has changed it without withdrawing it.
    let isIndexed = try connection.integer("SELECT 1 FROM search_docsize WHERE id = \(id)") != nil
    if isIndexed { return try Self.empty(connection) }
    try connection.execute(
      """
      INSERT INTO search (rowid, title, notes, chapters, transcript)
      SELECT id, indexed_text_2(title), indexed_text_2(notes), indexed_text_2(chapters), indexed_text_2(transcript)
      FROM plain_texts WHERE id = \(id)
      """)
    try connection.execute("DELETE FROM search_queue WHERE episode_id = \(id)")
  }

  /// Removes the first copy that is left, false if there is none.
  func removeCopy() throws(StoreError) -> Bool {
    try connection.execute("DELETE FROM search_copies WHERE id = (SELECT min(id) FROM search_copies)")
    return connection.changedRows > 0
  }
}

extension SearchIndex {
  /// Joins some parts of the index, in one transaction; true when there are more to join. SQLite by itself joins many at
  /// once when a transaction is committed, while every other writer waits.
  static func joinParts(in library: OpenLibrary) throws(StoreError) -> Bool {
    try library.write(.normal, toleratedWAL: Checkpoint.toleratedByMerges) { connection throws(StoreError) in
      try joinParts(connection, pages: library.isShared ? 4 : 16, while: library.slice())
    }
  }

  /// A step cannot be interrupted, and costs the same start whether it writes few pages or many.
  private static func joinParts(
    _ connection: Connection, pages: Int, while mayGoOn: () -> Bool
  ) throws(StoreError) -> Bool {
    try takeOver(connection)
    repeat {
      let before = connection.allChanges
      try connection.execute("INSERT INTO search (search, rank) VALUES ('merge', \(pages))")
      // One change is the statement's own.
      if connection.allChanges - before <= 1 { return false }
    } while mayGoOn()
    return true
  }

  /// Turns off SQLite's own joining: `automerge`, which the schema leaves on, and `crisismerge`, which joins sixteen parts
  /// whatever their size. Eight parts of a size are joined into one.
  private static func takeOver(_ connection: Connection) throws(StoreError) {
    let isOurs = try connection.integer("SELECT 1 FROM search_config WHERE k = 'crisismerge'") == 1
    guard !isOurs else { return }
    for (setting, value) in [("automerge", 0), ("usermerge", 8), ("crisismerge", 1000)] {
      try connection.execute("INSERT INTO search (search, rank) VALUES (\(setting), \(value))")
    }
  }
}

extension SearchIndex {
  /// Whether the index holds the very texts that its episodes have. No copy of a text is left.
  static func isSound(in library: OpenLibrary) throws(StoreError) -> Bool {
    do {
      try library.write { connection throws(StoreError) in
        try connection.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
      }
      return true
    } catch  where error.isAboutIndex {
      return false
    }
  }

  /// Inside a transaction: queues every episode.
  static func empty(_ connection: Connection) throws(StoreError) {
    try connection.executeScript(
      """
      INSERT INTO search (search) VALUES ('delete-all');
      DELETE FROM search_copies;
      INSERT OR IGNORE INTO search_queue (episode_id) SELECT id FROM episodes;
      """)
  }
}

/// The full-text index of podcasts.
enum PodcastIndex {
  static func rename(_ podcast: PodcastID, _ connection: Connection) throws(StoreError) {
    try remove(podcast, connection)
    try connection.execute(
      """
      INSERT INTO podcast_search_words (rowid, title, author)
      SELECT id, indexed_text_2(title), indexed_text_2(author) FROM podcasts WHERE id = \(podcast)
      """)
  }

  static func rebuild(_ connection: Connection) throws(StoreError) {
    try connection.executeScript(
      """
      DELETE FROM podcast_search_words;
      INSERT INTO podcast_search_words (rowid, title, author)
      SELECT id, indexed_text_2(title), indexed_text_2(author) FROM podcasts;
      """)
  }

  static func remove(_ podcast: PodcastID, _ connection: Connection) throws(StoreError) {
    try connection.execute("DELETE FROM podcast_search_words WHERE rowid = \(podcast)")
  }
}
