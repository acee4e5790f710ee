private import Glibc
internal import PodcastModel
internal import System

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

  /// Texts of a library from before schema 13 are left.
  var hasCopies: Bool {
    get throws(StoreError) { try library.connection.integer("SELECT 1 FROM search_copies LIMIT 1") != nil }
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
    try alone { () throws(StoreError) in
      try run(atMost: .seconds(3600), joinsAll: true)
      try removeCopies()
    }
  }

  /// Indexes every queued episode, also beside a process that is at it: for an answer that may not be of a part of them.
  func runToEnd() throws(StoreError) {
    guard library.access == .readWrite else { return }
    try run(atMost: .seconds(3600), joinsAll: false)
  }

  /// In slices, of which each may be the last.
  func removeCopies() throws(StoreError) {
    while try hasCopies {
      try library.write(.normal, toleratedWAL: Checkpoint.toleratedByMerges) { connection throws(StoreError) in
        let (index, mayGoOn) = (SearchIndex(connection: connection), library.slice())
        while try index.removeCopy(), mayGoOn() {}
      }
    }
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
    let index = SearchIndex(connection: connection)
    for (count, id) in ids.enumerated() {
      try index.add(id)
      if count % 4 == 3, !mayGoOn() { break }
    }
  }
}
