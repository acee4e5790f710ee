package import PodcastModel
package import PodcastStore
private import System
internal import Text
internal import Transfer

/// The journey that fetches every feed that is due, many at a time, and merges the new episodes into the library.
package struct Refresher: Sendable {
  private let store: PodcastStore
  private let reader: FeedReader
  private let secrets: Secrets
  private let backOff = HostBackOff()
  private let paging = AsyncSemaphore(8)
  private static let patienceWithPages = 3

  /// The occasion of a refresh, and its transfers.
  package struct Options: Sendable {
    package var occasion = RefreshPolicy.Occasion.all
    /// Transfers at the same time.
    package var jobs = 64

    package init() {}
  }

  /// The result of one feed.
  package struct Outcome: Sendable {
    /// Unchanged, merged, failed or not fetched.
    package enum Result: Sendable {
      case unchanged
      case merged(MergeResult)
      case failed(FollowError)
      /// Not due, or its server asked to retry later.
      case waiting(until: Timestamp)
      /// Not fetched, as it answered 410 before.
      case gone
    }

    package var podcast: PodcastReference
    package var result: Result
    /// The feed ended in the middle; its complete episodes are in the library.
    package var isIncomplete = false
    /// The library now has its new address.
    package var hasMoved = false
    /// It has moved to the address of this podcast, which is followed, too, or was left.
    package var twin: PodcastReference?
    package var isTwinLeft = false
    /// The publisher announces a new address that is not followed.
    package var refusedMove: RefusedMove?

    package enum RefusedMove: Hashable, Sendable {
      /// The new address serves none, or leads back to the old one.
      case noFeed
      /// It serves another podcast of this title.
      case otherPodcast(String)
    }
  }

  /// Turns an error into the code and the message that the library keeps beside the podcast.
  package typealias Words = @Sendable (FollowError) -> (code: String, message: String)

  init(store: PodcastStore, reader: FeedReader, secrets: Secrets) {
    self.store = store
    self.reader = reader
    self.secrets = secrets
  }

  /// Reports each feed as it is done. Ends early only when the library itself fails.
  package func refresh(
    _ feeds: [FeedState], _ options: Options, words: Words, report: (Outcome) -> Void
  ) async throws(StoreError) {
    let secrets = secrets.all()
    do {
      try await withThrowingTaskGroup(of: Done.self) { group in
        var waiting = feeds.makeIterator()
        var records = RecordBatch(store: store)
        func startNext() {
          guard let feed = waiting.next() else { return }
          // Parsing uses all cores, wherever the caller runs.
          group.addTask(executorPreference: AllCores.executor) {
            await self.refresh(feed, options.occasion, secrets[feed.podcast.feedURL])
          }
        }
        for _ in 0..<max(1, options.jobs) { startNext() }
        while let done = try await group.next() {
          defer { startNext() }
          if case .failed(.store(let error)) = done.outcome.result {
            // Another podcli has deleted the podcast meanwhile.
            if error.code == .notFound { continue }
            if error.code != .refused { throw error }
          }
          try await records.add(done.record(words))
          report(done.outcome)
        }
        try await records.flush(isLast: true)
      }
      // Rows that a deletion has left, as it was ended.
      try? await store.finishLeftWork()
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.cannotOpen, message: "\(error)", about: store.path)
    }
  }

  /// An outcome, and the values to record with it.
  private struct Done: Sendable {
    var outcome: Outcome
    var unchanged: (validators: FeedValidators?, nextCheckAt: Timestamp?)?
    var nextCheckAt: Timestamp?
    var isThrottled = false

    init(_ feed: FeedState, _ result: Outcome.Result) { outcome = Outcome(podcast: feed.podcast, result: result) }

    func record(_ words: Words) -> FeedRecord? {
      if let unchanged {
        return FeedRecord(outcome.podcast.id, .unchanged(unchanged.validators), nextCheckAt: unchanged.nextCheckAt)
      }
      // A feed that was not asked, as --offline was given, has not failed.
      guard case .failed(let error) = outcome.result, !error.isOffline else { return nil }
      let (code, message) = words(error)
      return FeedRecord(
        outcome.podcast.id,
        .failed(code: isThrottled ? RefreshPolicy.throttled : code, message: message, isGone: error.isGone),
        nextCheckAt: nextCheckAt)
    }
  }

  /// Outcomes without a merge, written 64 in one transaction.
  private struct RecordBatch {
    let store: PodcastStore
    private var records: [FeedRecord] = []

    init(store: PodcastStore) { self.store = store }

    mutating func add(_ record: FeedRecord?) async throws(StoreError) {
      if let record { records.append(record) }
      if records.count >= 64 { try await flush(isLast: false) }
    }

    mutating func flush(isLast: Bool) async throws(StoreError) {
      try await store.record(records, isLast: isLast)
      records = []
    }
  }
}

// MARK: - One feed

extension Refresher {
  private func refresh(_ feed: FeedState, _ occasion: RefreshPolicy.Occasion, _ secret: Secret?) async -> Done {
    let now = Timestamp.now
    switch RefreshPolicy.verdict(feed, on: occasion, now: now) {
    case .wait(let moment): return Done(feed, .waiting(until: moment))
    case .gone: return Done(feed, .gone)
    case .ask: break
    }
    do throws(FollowError) {
      if feed.podcast.feedURL.hasPrefix("file://") { return try await refreshFile(feed) }
      if PrivateAddress.isCover(feed.podcast.feedURL), secret?.address == nil { throw .secretMissing }
      var request = FeedRequest(feed.podcast.feedURL, secret)
      request.validators = RefreshPolicy.validators(feed, on: occasion, now: now)
      if let moment = backOff.end(request.address, now: now), occasion != .forced {
        return Done(feed, .waiting(until: moment))
      }
      return try await fetch(feed, request, secret)
    } catch {
      return failed(feed, error)
    }
  }

  private func refreshFile(_ feed: FeedState) async throws(FollowError) -> Done {
    let address = feed.podcast.feedURL
    let contents = try FeedFile.feed(FeedFile.path(in: address), baseURL: address)
    do throws(StoreError) {
      return Done(feed, .merged(try await store.merge(contents, into: feed.podcast.id, isOneOfMany: true)))
    } catch {
      throw .store(error)
    }
  }

  private func fetch(_ feed: FeedState, _ request: FeedRequest, _ secret: Secret?) async throws(FollowError) -> Done {
    let answer = try await reader.ask(request) { found throws(FollowError) in
      if found.address != request.address, let twin = try await twin(of: feed, at: found.address, secret) {
        return Answer.twin(twin, freshness: found.freshness)
      }
      // Many hosts always redirect: there only the address of a podcast that is here as well shows a mistake.
      var mustBeSame = found.address != request.address
      if !mustBeSame { mustBeSame = try await isOwned(found.finalAddress, besides: feed) }
      if mustBeSame, try await !isSame(found.feed, as: feed) { throw .otherPodcast(Self.title(found.feed)) }
      // On the first time all of it is stored at once, as by `subscribe`.
      if feed.isNew, found.feed.nextPageURL != nil { return .paged(found) }
      return Answer.merged(try await merge(found, feed))
    }
    switch answer {
    case .unchanged(nil, _, let address) where address != request.address && request.isConditional:
      // Another server than the one that gave the validators: only the document shows what it serves.
      var again = request
      again.validators = FeedValidators(documentHash: request.validators.documentHash)
      return try await fetch(feed, again, secret)
    case .unchanged(let validators, let freshness, let address):
      var done = Done(feed, .unchanged)
      if address != request.address { try await move(feed, to: address, secret, &done.outcome) }
      done.unchanged = (validators, RefreshPolicy.nextCheck(freshFor: freshness, now: .now))
      return done
    case .refused(let head): return refused(feed, head, request)
    case .kept(.twin(let twin, let freshness)):
      var done = Done(feed, .unchanged)
      done.outcome.twin = twin
      done.unchanged = (nil, RefreshPolicy.nextCheck(freshFor: freshness, now: .now))
      return done
    case .kept(.paged(var found)):
      // Each holds all of its episodes.
      await paging.wait()
      defer { paging.signal() }
      let missing = await reader.addPages(to: &found, request)
      // The next refresh may find all of them. A page that never comes keeps nothing from being followed.
      if case .later(let error) = missing, feed.failures < Self.patienceWithPages { throw error }
      var kept = try await merge(found, feed)
      kept.isIncomplete = kept.isIncomplete || !missing.isNone
      return try await done(kept, feed, request, secret)
    case .kept(.merged(let kept)): return try await done(kept, feed, request, secret)
    }
  }

  private func done(
    _ kept: Kept, _ feed: FeedState, _ request: FeedRequest, _ secret: Secret?
  ) async throws(FollowError) -> Done {
    var done = Done(feed, .merged(kept.result))
    done.outcome.isIncomplete = kept.isIncomplete
    try await follow(kept, feed, request, secret, &done.outcome)
    return done
  }

  private enum Answer: Sendable {
    case merged(Kept)
    /// The feed goes on on another page.
    case paged(FetchedFeed)
    /// A permanent redirect leads to another podcast that is followed: its episodes are there.
    case twin(PodcastReference, freshness: Duration?)
  }

  private struct Kept: Sendable {
    var result: MergeResult
    var address: String
    var newAddress: String?
    var isIncomplete: Bool
  }

  private func merge(_ found: FetchedFeed, _ feed: FeedState) async throws(FollowError) -> Kept {
    // The whole feed is fetched each time until the announced address is known to serve it.
    let validators = found.newAddress == nil ? found.validators : FeedValidators()
    do throws(StoreError) {
      let result = try await store.merge(
        found.feed, into: feed.podcast.id, validators: validators,
        nextCheckAt: RefreshPolicy.nextCheck(freshFor: found.freshness, now: .now), isOneOfMany: true)
      return Kept(
        result: result, address: found.address, newAddress: found.newAddress, isIncomplete: found.feed.isIncomplete)
    } catch {
      throw .store(error)
    }
  }

  private func refused(_ feed: FeedState, _ head: HTTPHead, _ request: FeedRequest) -> Done {
    var done = failed(feed, request.refused(head.status))
    let wait = head["retry-after"]
    if head.status == 429 || (head.status == 503 && wait != nil) {
      let moment = RefreshPolicy.nextCheck(retryAfter: wait, now: .now)
      done.isThrottled = true
      done.nextCheckAt = moment
      backOff.set(request.address, until: moment)
    }
    return done
  }

  private func failed(_ feed: FeedState, _ error: FollowError) -> Done {
    var done = Done(feed, .failed(error))
    let number = feed.failures < .max ? feed.failures + 1 : .max
    done.nextCheckAt = RefreshPolicy.nextCheck(afterFailure: number, isServers: error.isServers, now: .now)
    return done
  }
}

// MARK: - Moving

extension Refresher {
  /// A permanent redirect has served a feed by now; an address that the feed announces must be tried first.
  private func follow(
    _ kept: Kept, _ feed: FeedState, _ request: FeedRequest, _ secret: Secret?, _ outcome: inout Outcome
  ) async throws(FollowError) {
    if kept.address != request.address, !kept.isIncomplete {
      try await move(feed, to: kept.address, secret, &outcome)
    }
    guard let new = kept.newAddress else { return }
    guard let found = await destination(of: new, from: [request.address, kept.address], request) else {
      outcome.refusedMove = .noFeed
      return
    }
    let isSame = [request.address, kept.address].contains(found.address)
    if !isSame, let twin = try await twin(of: feed, at: found.address, secret) { return outcome.twin = twin }
    guard try await self.isSame(found.feed, as: feed) else {
      outcome.refusedMove = .otherPodcast(Self.title(found.feed))
      return
    }
    do throws(StoreError) {
      let more = try await store.merge(
        found.feed, into: feed.podcast.id, validators: found.validators, isOneOfMany: true)
      outcome.result = .merged(kept.result.adding(more))
    } catch {
      throw .store(error)
    }
    if !isSame { try await move(feed, to: found.address, secret, &outcome) }
  }

  /// Follows announced addresses, five at most; nil when they end at no feed, or go round in a circle. A permanent redirect
  /// may lead back to an address seen before.
  private func destination(of address: String, from seen: [String], _ request: FeedRequest) async -> FetchedFeed? {
    var seen = seen
    var next = address
    for _ in 0..<5 {
      guard !seen.contains(next), let found = try? await reader.fetch(request.request(forLink: next)) else {
        return nil
      }
      guard !found.feed.isIncomplete else { return nil }
      if seen.contains(found.address) { return found }
      seen.append(next)
      guard let further = found.newAddress else { return found }
      next = further
    }
    return nil
  }

  /// A redirect or an announcement that leads to another show is a mistake, or the former host's: nothing is merged then.
  private func isSame(_ found: Feed, as feed: FeedState) async throws(FollowError) -> Bool {
    do throws(StoreError) {
      guard let known = try await store.podcast(feed.podcast.id), known.episodeCount > 0 else { return true }
      return try await Subscriber.isSame(found, as: known, store)
    } catch {
      throw .store(error)
    }
  }

  private static func title(_ feed: Feed) -> String { feed.title ?? "a feed without a title" }

  private func isOwned(_ address: String, besides feed: FeedState) async throws(FollowError) -> Bool {
    guard address != feed.podcast.feedURL else { return false }
    do throws(StoreError) {
      return try await !owners(of: PrivateAddress(address).spellings, besides: feed).isEmpty
    } catch {
      throw .store(error)
    }
  }

  /// Another podcast that is followed at this address.
  private func twin(
    of feed: FeedState, at address: String, _ secret: Secret?
  ) async throws(FollowError) -> PodcastReference? {
    let spellings = PrivateAddress(address, isPrivate: secret?.address != nil).spellings
    do throws(StoreError) {
      return try await owners(of: spellings, besides: feed).first(where: \.isSubscribed)?.reference
    } catch {
      throw .store(error)
    }
  }

  /// The other podcasts whose feed has one of these addresses now.
  private func owners(of addresses: [String], besides feed: FeedState) async throws(StoreError) -> [PodcastEntry] {
    var owners: [PodcastEntry] = []
    for address in addresses {
      guard let other = try await store.podcast(at: address), other.id != feed.podcast.id,
        other.reference.feedURL == address
      else { continue }
      owners.append(other)
    }
    return owners
  }

  /// Credentials go along only where scheme, host and port stay the same.
  private func move(
    _ feed: FeedState, to address: String, _ secret: Secret?, _ outcome: inout Outcome
  ) async throws(FollowError) {
    let old = feed.podcast.feedURL
    let isSameOrigin = WebURL(secret?.address ?? old).origin == WebURL(address).origin
    let destination = PrivateAddress(
      address, credentials: isSameOrigin ? secret?.credentials : nil, isPrivate: secret?.address != nil)
    do throws(StoreError) {
      guard destination.listed != old else { return }
      // The address is a secret here: it must not come into the library in clear.
      if let owner = try await owners(of: destination.spellings.filter(PrivateAddress.isCover), besides: feed).first {
        (outcome.twin, outcome.isTwinLeft) = (owner.reference, !owner.isSubscribed)
        return
      }
      if destination.secret != nil, !secrets.keep(destination.secret, for: destination.listed) { return }
      let isMoved = try await store.moveFeed(
        of: feed.podcast.id, to: destination.listed, isPrivate: destination.secret != nil)
      guard isMoved else {
        guard let owner = try await store.podcast(at: destination.listed) else { return }
        (outcome.twin, outcome.isTwinLeft) = (owner.reference, !owner.isSubscribed)
        return
      }
    } catch {
      throw .store(error)
    }
    if secret != nil { _ = secrets.keep(nil, for: old) }
    outcome.hasMoved = true
  }
}

extension FollowError {
  package var isOffline: Bool { if case .network(let failure) = self { failure.reason == .offline } else { false } }

  /// The server answered; other errors may be due to the connection.
  fileprivate var isServers: Bool {
    switch self {
    case .status, .feed: true
    default: false
    }
  }
}
