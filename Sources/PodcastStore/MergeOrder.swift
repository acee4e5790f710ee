internal import PodcastModel
internal import Synchronization

/// A feed that waits to be merged, and what became of it.
final class MergeOrder: Sendable {
  enum Target: Sendable {
    case podcast(PodcastID)
    case subscription(Subscription)
  }

  /// What to follow, and how it is called and found.
  struct Subscription: Sendable {
    var feedURL: String
    var ownTitle: String?
    var tags: [String]
    var isPrivate: Bool
    var otherAddresses: [String]
  }

  let target: Target
  let digest: DigestedFeed
  let validators: FeedValidators?
  let nextCheckAt: Timestamp?
  /// One of many need not be durable by itself: a power cut takes back the last ones whole, and the next refresh brings
  /// them again.
  let isOneOfMany: Bool
  let now: Timestamp
  private let outcome = Mutex<Result<MergeResult, StoreError>?>(nil)

  init(
    _ target: Target, _ feed: Feed, _ validators: FeedValidators?, nextCheckAt: Timestamp?, isOneOfMany: Bool,
    now: Timestamp
  ) {
    self.target = target
    digest = DigestedFeed(feed)
    self.validators = validators
    self.nextCheckAt = nextCheckAt
    self.isOneOfMany = isOneOfMany
    self.now = now
  }

  /// The first outcome counts.
  func finish(_ result: Result<MergeResult, StoreError>) { outcome.withLock { $0 = $0 ?? result } }

  var result: MergeResult {
    get throws(StoreError) {
      guard let outcome = outcome.withLock({ $0 }) else { preconditionFailure("a merge was waited for that never ran") }
      return try outcome.get()
    }
  }
}

/// Where feeds wait. Whoever comes to the library next takes all of them, so that many small ones share a transaction.
final class MergeQueue: Sendable {
  private let waiting = Mutex<[MergeOrder]>([])

  func add(_ order: MergeOrder) { waiting.withLock { $0.append(order) } }

  func takeAll() -> [MergeOrder] {
    waiting.withLock { orders in
      defer { orders = [] }
      return orders
    }
  }
}
