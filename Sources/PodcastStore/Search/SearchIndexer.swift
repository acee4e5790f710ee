private import Glibc
internal import PodcastModel
internal import System
internal import Text

/// Brings new and changed episodes into the full-text index, in slices.
struct SearchIndexer {
  let library: OpenLibrary

  /// A search waits for the index of this many episodes. After a large import it waits a moment only, and finds the
  /// episodes indexed so far.
  private static let few = 500
  private static let moment = Duration.milliseconds(100)

  /// More episodes are queued than a search waits for.
  var isFarBehind: Bool {
    get throws(StoreError) {
      try library.connection.integer("SELECT 1 FROM search_queue LIMIT 1 OFFSET \(Self.few)") != nil
    }
  }

  /// The percentage of episodes that are indexed. Nil when all are.
  var progress: Int? {
    get throws(StoreError) {
      let connection = try library.connection
      let queued = try connection.integer("SELECT count(*) FROM search_queue") ?? 0
      guard queued > 0 else { return nil }
      let all = try connection.integer("SELECT sum(episodes) FROM counters") ?? 0
      return Int(max(0, all - queued) * 100 / max(1, all))
    }
  }

  /// Indexes every queued episode, unless another process is at it.
  func runAlone() throws(StoreError) {
    try alone { () throws(StoreError) in try run(atMost: .seconds(3600), joinsAll: true) }
  }

  /// For a search, as far as the library can be written.
  func runBeforeSearch() throws(StoreError) {
    guard library.access == .readWrite else { return }
    do throws(StoreError) {
      guard try isFarBehind else { return try run(atMost: .seconds(5), joinsAll: false) }
      try alone { () throws(StoreError) in try run(atMost: Self.moment, joinsAll: false) }
    } catch {
      if !error.isAboutWriting { throw error }
    }
  }

  private func alone(_ index: () throws(StoreError) -> Void) throws(StoreError) {
    guard let lock = FileLock(path: library.path + ".indexing") else { return }
    defer { withExtendedLifetime(lock) {} }
    try index()
  }

  /// Until the queue is empty. A search does not wait until all parts of the index that could be joined are.
  private func run(atMost budget: Duration, joinsAll: Bool) throws(StoreError) {
    let deadline = ContinuousClock.now + budget
    while try library.connection.integer("SELECT 1 FROM search_queue LIMIT 1") != nil {
      guard ContinuousClock.now < deadline else { return }
      try library.write(.normal, toleratedWAL: Checkpoint.toleratedByMerges) { connection throws(StoreError) in
        try writeSlice(connection, while: library.slice())
      }
      while try SearchIndex.joinParts(in: library), joinsAll {}
    }
  }

  /// After a search that found nothing: it may have looked at a part of the episodes only.
  func refuseIncompleteIndex() throws(StoreError) {
    let isReadOnly = library.access == .readOnly || access(library.path, W_OK) != 0
    guard isReadOnly,
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
