extension PodcastStore {
  /// Brings new and changed episodes into the full-text index, in slices. False when `budget` ended it before it was done.
  @discardableResult
  package func indexForSearch(budget: Duration = .seconds(3600)) throws(StoreError) -> Bool {
    let deadline = ContinuousClock.now + budget
    while try connection.integer("SELECT 1 FROM search_queue LIMIT 1") != nil {
      guard ContinuousClock.now < deadline else { return false }
      try write(.normal) { connection throws(StoreError) in
        try SearchIndexer(connection: connection).writeSlice(until: .now + .milliseconds(25))
      }
    }
    return true
  }
}
