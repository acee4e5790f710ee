package import PodcastModel

extension PodcastStore {
  /// The podcast that has one of these addresses, or had it once.
  package func podcast(atAnyOf addresses: [String]) throws(StoreError) -> PodcastEntry? {
    for address in addresses {
      if let entry = try podcast(at: address) { return entry }
    }
    return nil
  }

  /// More ways to it, by which it is found again. Those that lead to another podcast stay that one's.
  package func addAddresses(_ addresses: [String], of podcast: PodcastID) throws(StoreError) {
    var unknown: [String] = []
    for address in addresses where try self.podcast(at: address) == nil { unknown.append(address) }
    guard !unknown.isEmpty else { return }
    try write { connection throws(StoreError) in
      for address in unknown {
        try connection.execute("INSERT OR IGNORE INTO addresses (url, podcast_id) VALUES (\(address), \(podcast))")
      }
    }
  }

  /// Its address is a secret now, whatever it was before.
  package func setPrivate(_ podcast: PodcastID) throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.execute("UPDATE podcasts SET is_private = 1 WHERE id = \(podcast)")
    }
  }
}
