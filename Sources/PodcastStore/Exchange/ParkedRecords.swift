internal import PodcastModel

/// The rows of `parked_records`: imported records whose episode is not in the library yet. Feeds list their latest
/// episodes only, and some cannot be fetched on the day of the import.
struct ParkedRecords {
  let connection: Connection

  /// Inside a transaction. Returns the steps that undo it; none when all of them are parked already.
  func park(_ records: [ListeningRecord]) throws(StoreError) -> [UndoStep] {
    guard !records.isEmpty else { return [] }
    let number = (try connection.integer("SELECT max(import_number) FROM parked_records") ?? 0) + 1
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

  private func ids(of podcast: PodcastID) throws(StoreError) -> [(id: Int64, record: ListeningRecord?)] {
    let addresses = try connection.rows("SELECT url FROM addresses WHERE podcast_id = \(podcast)") { $0.text(0) }
    var found: [(id: Int64, record: ListeningRecord?)] = []
    for feed in Set(addresses.map(RecordMatcher.withoutScheme)) {
      found += try connection.rows("SELECT id, record FROM parked_records WHERE feed = \(feed) ORDER BY id") { row in
        (row.integer(0), ListeningRecord(feedURL: feed, parkedText: row.text(1)))
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
    let parked = try ParkedRecords(connection: connection).ids(of: podcast)
    guard !parked.isEmpty else { return }
    let result = try RecordMatcher(connection: connection).match(parked.compactMap(\.record), in: podcast)
    guard !result.matches.isEmpty else { return }
    // Several rows may be about one episode.
    let found = Set(result.matches.map { EpisodeTraits($0.record) })
    try library.write(.normal) { connection throws(StoreError) in
      var writer = RecordWriter(connection, isDry: false, now: now)
      for match in result.matches { try writer.write(match) }
      try writer.finishQueue()
      for row in parked where row.record.map({ found.contains(EpisodeTraits($0)) }) ?? true {
        try connection.execute("DELETE FROM parked_records WHERE id = \(row.id)")
      }
      try UndoLog(connection: connection).addToImport(writer.steps, count: writer.result.changed)
    }
  }
}
