internal import PodcastModel

/// The rows of `parked_records`: imported records whose episode is not in the library yet. Feeds list their latest
/// episodes only, and some cannot be fetched on the day of the import.
struct ParkedRecords {
  let connection: Connection

  /// Inside a transaction. Returns the steps that undo it; none when all of them are parked already.
  func park(_ records: [ListeningRecord]) throws(StoreError) -> [UndoStep] {
    guard !records.isEmpty else { return [] }
    // No number of an import that can be undone: its records may all have found their episodes.
    let last = try connection.integer(
      """
      SELECT max(number) FROM (SELECT max(import_number) AS number FROM parked_records UNION ALL
        SELECT max(subject) FROM undo_steps WHERE kind = \(UndoStep.Kind.parking.rawValue))
      """)
    let number = (last ?? 0) + 1
    var isNew = false
    for record in records {
      try connection.execute(
        """
        INSERT OR IGNORE INTO parked_records (import_number, feed, record)
        VALUES (\(number), \(RecordMatcher.withoutScheme(record.feedURL)), \(record.parkedText))
        """)
      isNew = isNew || connection.changedRows > 0
    }
    return isNew ? [UndoStep(kind: .parking, subject: number)] : []
  }

  func revert(_ step: UndoStep) throws(StoreError) {
    try connection.execute("DELETE FROM parked_records WHERE import_number = \(step.subject)")
  }

  private struct Row {
    var id: Int64
    /// Of the import that brought it.
    var number: Int64
    var record: ListeningRecord?
  }

  private func rows(of podcast: PodcastID) throws(StoreError) -> [Row] {
    let addresses = try connection.rows("SELECT url FROM addresses WHERE podcast_id = \(podcast)") { $0.text(0) }
    var found: [Row] = []
    for feed in Set(addresses.map(RecordMatcher.withoutScheme)) {
      found += try connection.rows(
        "SELECT id, import_number, record FROM parked_records WHERE feed = \(feed) ORDER BY id"
      ) { row in
        Row(id: row.integer(0), number: row.integer(1), record: ListeningRecord(feedURL: feed, parkedText: row.text(2)))
      }
    }
    return found
  }

  /// All of them, with the present address of their podcast where it is in the library.
  func all() throws(StoreError) -> [ListeningRecord] {
    var addresses: [String: String] = [:]
    let rows = try connection.rows("SELECT feed, record FROM parked_records ORDER BY id") { ($0.text(0), $0.text(1)) }
    var records: [ListeningRecord] = []
    for (feed, text) in rows {
      if addresses[feed] == nil { addresses[feed] = try presentAddress(of: feed) }
      let address = addresses[feed] ?? feed
      if let record = ListeningRecord(feedURL: address, parkedText: text) { records.append(record) }
    }
    return records
  }

  private func presentAddress(of feed: String) throws(StoreError) -> String {
    let url = feed.contains("://") ? feed : "https://" + feed
    guard let podcast = try RecordMatcher(connection: connection).podcast(at: url) else { return url }
    return try connection.first("SELECT feed_url FROM podcasts WHERE id = \(podcast)") { $0.text(0) } ?? url
  }

  /// Applies the records whose episodes have come. After a merge of this podcast.
  static func retry(_ podcast: PodcastID, in library: OpenLibrary, now: Timestamp) throws(StoreError) {
    let connection = try library.connection
    guard try connection.integer("SELECT 1 FROM parked_records LIMIT 1") != nil else { return }
    let parked = try ParkedRecords(connection: connection).rows(of: podcast)
    guard !parked.isEmpty else { return }
    let result = try RecordMatcher(connection: connection).match(parked.compactMap(\.record), in: podcast)
    guard !result.matches.isEmpty else { return }
    // Several rows may be about one episode.
    let found = Set(result.matches.map { EpisodeTraits($0.record) })
    let numbers = Dictionary(
      parked.compactMap { row in row.record.map { (EpisodeTraits($0), row.number) } }, uniquingKeysWith: max)
    let imports = Dictionary(grouping: result.matches) { numbers[EpisodeTraits($0.record)] ?? 0 }
    try library.write(.normal) { connection throws(StoreError) in
      for (number, matches) in imports.sorted(by: { $0.key < $1.key }) {
        var writer = RecordWriter(connection, isDry: false, now: now)
        for match in matches { try writer.write(match) }
        try writer.finishQueue()
        try UndoLog(connection: connection).add(writer.steps, count: writer.result.changed, toImport: number)
      }
      for row in parked where row.record.map({ found.contains(EpisodeTraits($0)) }) ?? true {
        try connection.execute("DELETE FROM parked_records WHERE id = \(row.id)")
      }
    }
  }
}
