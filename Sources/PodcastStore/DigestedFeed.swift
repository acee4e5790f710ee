internal import PodcastModel

/// A parsed feed and what can be known of it without a library, worked out before it has to wait for one.
struct DigestedFeed: Sendable {
  let feed: Feed
  /// For each episode.
  let hashes: [Int64]
  /// The episodes to merge, oldest first, so that a newer episode gets a higher id. The same item twice, to the letter,
  /// is one episode; two items that merely share a guid are two.
  let order: [Int]
  let contentHash: Int64

  init(_ feed: Feed) {
    self.feed = feed
    contentHash = feed.contentHash
    hashes = feed.episodes.withUnsafeBufferPointer { episodes in
      guard let first = episodes.baseAddress else { return [] }
      // An element of an array is copied to be looked at; what a pointer points to is not.
      return episodes.indices.map { first[$0].contentHash }
    }
    var seen = Set<Int64>(minimumCapacity: hashes.count)
    var order = hashes.indices.filter { [hashes] in seen.insert(hashes[$0]).inserted }
    if !Self.isOldestFirst(feed.episodes) { order.reverse() }
    self.order = order
  }

  private static func isOldestFirst(_ episodes: [FeedEpisode]) -> Bool {
    guard let first = episodes.indices.first(where: { episodes[$0].publishedAt != nil }),
      let last = episodes.indices.last(where: { episodes[$0].publishedAt != nil }),
      let oldest = episodes[first].publishedAt, let newest = episodes[last].publishedAt
    else { return false }
    return oldest < newest
  }
}
