package import PodcastModel

extension PodcastStore {
  /// The podcast that has one of these addresses, or had it once.
  package func podcast(atAnyOf addresses: [String]) throws(StoreError) -> PodcastEntry? {
    for address in addresses {
      if let entry = try podcast(at: address) { return entry }
    }
    return nil
  }

  /// After many writes of which none was durable by itself: now they are.
  package func makeDurable() throws(StoreError) {
    guard !logSync.now() else { return }
    try write { connection throws(StoreError) in
      // The same number again: a write that changes nothing.
      let version = try connection.integer("PRAGMA user_version") ?? 0
      try connection.execute(SQL(text: "PRAGMA user_version = \(version)"))
    }
  }
}
