internal import PodcastModel
internal import Synchronization

/// One feed that is merged into the library in slices. The job is made outside the store's actor and waits in a
/// `MergeQueue`; its `Run` is the part on the connection.
final class MergeJob: Sendable {
  enum Target: Sendable {
    case podcast(PodcastID)
    case subscription(Subscription)
  }

  let target: Target
  let feed: Feed
  let validators: FeedValidators?
  let nextCheckAt: Timestamp?
  /// One of many need not be durable by itself: a power cut undoes the last ones as a whole, and the next refresh merges
  /// them again.
  let isOneOfMany: Bool
  let now: Timestamp

  /// The content hash of each episode of the feed, and of the podcast itself.
  let hashes: [Int64]
  let podcastHash: Int64
  /// The indexes of the episodes to merge, oldest first, so that a newer episode gets a higher id. Items that are equal
  /// in every stored field are one episode; items that only share a guid are several.
  let order: [Int]

  private let outcome = Mutex<Result<MergeResult, StoreError>?>(nil)

  /// Hashes the feed here, in the caller's task, so that the store does not wait for it.
  init(
    _ target: Target, _ feed: Feed, _ validators: FeedValidators?, nextCheckAt: Timestamp?, isOneOfMany: Bool,
    now: Timestamp
  ) {
    self.target = target
    self.feed = feed
    self.validators = validators
    self.nextCheckAt = nextCheckAt
    self.isOneOfMany = isOneOfMany
    self.now = now
    podcastHash = feed.contentHash
    hashes = feed.episodes.withUnsafeBufferPointer { episodes in
      guard let first = episodes.baseAddress else { return [] }
      // An array's subscript copies the element; a pointer's does not.
      return episodes.indices.map { index in
        defer { if index > 0 { first[index - 1].texts.letGo(before: first[index].texts) } }
        return first[index].contentHash
      }
    }
    order = Self.order(of: feed.episodes, hashes)
  }

  private static func order(of episodes: [FeedEpisode], _ hashes: [Int64]) -> [Int] {
    var seen = Set<Int64>(minimumCapacity: hashes.count)
    let order = hashes.indices.filter { seen.insert(hashes[$0]).inserted }
    return isOldestFirst(episodes) ? order : order.reversed()
  }

  private static func isOldestFirst(_ episodes: [FeedEpisode]) -> Bool {
    guard let first = episodes.indices.first(where: { episodes[$0].publishedAt != nil }),
      let last = episodes.indices.last(where: { episodes[$0].publishedAt != nil }),
      let oldest = episodes[first].publishedAt, let newest = episodes[last].publishedAt
    else { return false }
    return oldest < newest
  }

  // MARK: The result

  /// The first outcome counts.
  func finish(_ result: Result<MergeResult, StoreError>) { outcome.withLock { $0 = $0 ?? result } }

  /// The result of a job that was run.
  var result: MergeResult {
    get throws(StoreError) {
      guard let outcome = outcome.withLock({ $0 }) else { preconditionFailure("a merge was waited for that never ran") }
      return try outcome.get()
    }
  }
}
