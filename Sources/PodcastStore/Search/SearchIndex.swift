internal import PodcastModel

/// The full-text index of episodes and the texts it was made from. Nothing else writes either.
///
/// To remove a text from the index, SQLite needs the same text that was added.
struct SearchIndex {
  struct Texts {
    var title: String
    var notes: String
    var chapters: String
    var transcript: String
  }

  private let connection: Connection
  private let texts, words: RowWriter

  init(connection: Connection) throws(StoreError) {
    self.connection = connection
    texts = try RowWriter(
      "INSERT INTO search_texts (id, title, notes, chapters, transcript) VALUES (?, ?, ?, ?, ?)", connection)
    words = try RowWriter(
      "INSERT INTO search (rowid, title, notes, chapters, transcript) VALUES (?, ?, ?, ?, ?)", connection)
  }

  func replace(_ id: EpisodeID, with texts: Texts) throws(StoreError) {
    try remove(id)
    for writer in [self.texts, words] {
      try writer.write { values in
        values.add(id)
        values.add(texts.title)
        values.add(texts.notes)
        values.add(texts.chapters)
        values.add(texts.transcript)
      }
    }
  }

  func remove(_ id: EpisodeID) throws(StoreError) {
    guard try connection.integer("SELECT 1 FROM search_texts WHERE id = \(id)") != nil else { return }
    try connection.execute(
      """
      INSERT INTO search (search, rowid, title, notes, chapters, transcript)
      SELECT 'delete', id, title, notes, chapters, transcript FROM search_texts WHERE id = \(id)
      """)
    try connection.execute("DELETE FROM search_texts WHERE id = \(id)")
  }
}

extension SearchIndex {
  /// Joins some parts of the index, in one transaction; true when there are more to join. SQLite by itself joins many at
  /// once when a transaction is committed, while every other writer waits.
  static func joinParts(in library: OpenLibrary) throws(StoreError) -> Bool {
    try library.write(.normal, toleratedWAL: Checkpoint.toleratedByMerges) { connection throws(StoreError) in
      try joinParts(connection, while: library.slice())
    }
  }

  private static func joinParts(_ connection: Connection, while mayGoOn: () -> Bool) throws(StoreError) -> Bool {
    try takeOver(connection)
    repeat {
      let before = connection.allChanges
      try connection.execute("INSERT INTO search (search, rank) VALUES ('merge', \(pagesAtATime))")
      // One change is the statement's own.
      if connection.allChanges - before <= 1 { return false }
    } while mayGoOn()
    return true
  }

  private static let pagesAtATime = 8

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
  /// Whether the index holds the very texts it was made from.
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

  /// Inside a transaction: rebuilds the index from its texts, and queues episodes that have none.
  static func rebuild(_ connection: Connection) throws(StoreError) {
    try connection.executeScript(
      """
      INSERT INTO search (search) VALUES ('rebuild');
      INSERT OR IGNORE INTO search_queue (episode_id)
        SELECT id FROM episodes WHERE id NOT IN (SELECT id FROM search_texts);
      """)
  }
}

/// The full-text index of podcasts.
enum PodcastIndex {
  static func rename(_ podcast: PodcastID, _ connection: Connection) throws(StoreError) {
    try remove(podcast, connection)
    try connection.execute(
      """
      INSERT INTO podcast_search (rowid, title, author)
      SELECT id, title, author FROM podcasts WHERE id = \(podcast)
      """)
  }

  static func remove(_ podcast: PodcastID, _ connection: Connection) throws(StoreError) {
    try connection.execute("DELETE FROM podcast_search WHERE rowid = \(podcast)")
  }
}
