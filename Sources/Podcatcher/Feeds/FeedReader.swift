private import FeedKit
private import PodcastModel
internal import PodcastStore
private import Synchronization
internal import System
internal import Transfer

/// Fetches feeds and parses them as they arrive.
///
/// A short feed is parsed when all of it is here, and not at all when its fingerprint is the known one. A long feed is
/// parsed while it arrives, so that it is never in memory twice; so is a short one when the budget for buffered bytes is
/// spent. Only a few feeds are parsed and stored at a time: the others are buffered, and then their servers wait. A slow
/// server delays no other feed: a feed that waits for bytes has its turn again when they are here.
struct FeedReader: Sendable {
  private let client: @Sendable () throws(TransferError) -> HTTPClient
  private let budget = ByteBudget(4 << 20)
  private let short = AsyncSemaphore(4)
  private let long = AsyncSemaphore(2)

  private static let longest = 512 << 10
  /// Bytes that a stream may buffer: while it is collected, and while it is parsed.
  private static let (collectingBuffer, parsingBuffer) = (48 << 10, 256 << 10)

  init(client: @escaping @Sendable () throws(TransferError) -> HTTPClient) {
    self.client = client
  }

  /// Hands the feed to `keep` before anything else is parsed.
  func ask<Kept: Sendable>(
    _ request: FeedRequest, baseURL: String? = nil, keep: @Sendable (FetchedFeed) async throws(FollowError) -> Kept
  ) async throws(FollowError) -> FeedAnswer<Kept> {
    do {
      let (stream, head) = try await begin(request)
      do {
        return try await answer(request, baseURL, stream, head, keep)
      } catch {
        stream.cancel()
        throw error
      }
    } catch let error as TransferError {
      throw .network(NetworkFailure(error))
    } catch let error as FeedError {
      throw .feed(FeedFailure(error))
    } catch let error as FollowError {
      throw error
    } catch {
      throw .network(NetworkFailure(.cancelled))
    }
  }

  /// Returns the result of `keep`, or throws the reason why there is no feed.
  func fetch<Kept: Sendable>(
    _ request: FeedRequest, baseURL: String? = nil, keep: @Sendable (FetchedFeed) async throws(FollowError) -> Kept
  ) async throws(FollowError) -> Kept {
    switch try await ask(request, baseURL: baseURL, keep: keep) {
    case .kept(let kept): return kept
    case .refused(let head): throw request.refused(head.status)
    case .unchanged: throw .status(304)
    }
  }

  func fetch(_ request: FeedRequest, baseURL: String? = nil) async throws(FollowError) -> FetchedFeed {
    try await fetch(request, baseURL: baseURL) { found throws(FollowError) in found }
  }

  /// Waits for the head. A connection that many feeds share may break for a reason that is not this feed's: it is asked for
  /// once more, on another one.
  private func begin(_ request: FeedRequest) async throws(TransferError) -> (HTTPStream, HTTPHead) {
    let first = try stream(of: request)
    do throws(TransferError) {
      return (first, try await first.head())
    } catch {
      first.cancel()
      guard error.code == .cut, request.address.hasPrefix("https:"), !Task.isCancelled else { throw error }
    }
    let second = try stream(of: request)
    do throws(TransferError) {
      return (second, try await second.head())
    } catch {
      second.cancel()
      throw error
    }
  }

  private func stream(of request: FeedRequest) throws(TransferError) -> HTTPStream {
    let stream = try client().stream(request.http)
    stream.limitBuffer(to: Self.collectingBuffer, wakingFrom: Self.collectingBuffer / 2)
    return stream
  }

  private func answer<Kept: Sendable>(
    _ request: FeedRequest, _ baseURL: String?, _ stream: HTTPStream, _ head: HTTPHead,
    _ keep: @Sendable (FetchedFeed) async throws(FollowError) -> Kept
  ) async throws -> FeedAnswer<Kept> {
    let address = head.permanentAddress(from: request.address)
    guard head.status == 200 else {
      stream.cancel()
      return head.status == 304 ? .unchanged(nil, freshness: head.freshness, address: address) : .refused(head)
    }
    let start = FeedStart(budget)
    try await start.read(stream, atMost: Self.longest)
    let known = request.validators.documentHash
    let unchanged = FeedAnswer<Kept>.unchanged(
      head.validators(documentHash: known), freshness: head.freshness, address: address)
    if start.isWhole(known) { return unchanged }
    let turn = Turn(start.isWhole ? short : long)
    await turn.take()
    defer { turn.giveBack() }
    let (feed, hash) = try await parse(start, stream, turn, head, baseURL: baseURL ?? head.url, request.episodes)
    if let hash, hash == known { return unchanged }
    return .kept(try await keep(found(feed, hash, head, asked: request.address)))
  }

  /// Without a hash when the document was longer than any feed: its rest is not fetched.
  private func parse(
    _ start: FeedStart, _ stream: HTTPStream, _ turn: Turn, _ head: HTTPHead, baseURL: String,
    _ takeEpisodes: (([FeedEpisode]) -> Void)?
  ) async throws -> (Feed, Int64?) {
    let parser = try FeedParser(baseURL: baseURL, charset: head.charset)
    var fingerprint = start.fingerprint
    if !start.isWhole { stream.limitBuffer(to: Self.parsingBuffer, wakingFrom: Self.parsingBuffer / 4) }
    try start.takeBytes().withUnsafeBytes(parser.parse)
    while !start.isWhole, !parser.isCut, let chunk = try await turn.waiting(stream.next) {
      try chunk.withUnsafeBytes { bytes in
        fingerprint.add(bytes)
        try parser.parse(bytes)
      }
      takeEpisodes?(parser.takeEpisodes())
    }
    if parser.isCut { stream.cancel() }
    return (try parser.finish(), parser.isCut ? nil : fingerprint.value)
  }

  private func found(_ feed: Feed, _ hash: Int64?, _ head: HTTPHead, asked: String) -> FetchedFeed {
    var found = FetchedFeed(feed: feed, address: head.permanentAddress(from: asked), finalAddress: head.url)
    found.freshness = head.freshness
    if !feed.isIncomplete || hash == nil { found.validators = head.validators(documentHash: hash) }
    return found
  }
}

/// The turn of a feed to be parsed and stored, of which a semaphore has a few.
private final class Turn: Sendable {
  private let semaphore: AsyncSemaphore
  private let state = Mutex((isHeld: false, isWaiting: false))

  /// Longer than an answer takes from one window of TCP to the next, so that the feeds of quick servers come one after
  /// the other, and few of them are in memory at a time.
  private static let patience = Duration.milliseconds(250)

  init(_ semaphore: AsyncSemaphore) { self.semaphore = semaphore }

  func take() async {
    let isHeld = state.withLock { state in
      state.isWaiting = false
      return state.isHeld
    }
    if isHeld { return }
    await semaphore.wait()
    state.withLock { $0.isHeld = true }
  }

  func giveBack() {
    let wasHeld = state.withLock { state in
      defer { state.isHeld = false }
      return state.isHeld
    }
    if wasHeld { semaphore.signal() }
  }

  /// Gives the turn back where the bytes take long, and takes it again for them.
  func waiting(
    _ next: () async throws(TransferError) -> [UInt8]?
  ) async throws(TransferError) -> [UInt8]? {
    state.withLock { $0.isWaiting = true }
    let timer = Task {
      try await Task.sleep(for: Self.patience)
      // The bytes may have come in this moment.
      if state.withLock({ $0.isWaiting }) { giveBack() }
    }
    defer { timer.cancel() }
    let bytes = try await next()
    timer.cancel()
    await take()
    return bytes
  }
}

/// The beginning of a body, or all of it, charged to the budget. One task reads it and then parses it.
private final class FeedStart {
  private(set) var fingerprint = FeedFingerprint()
  private(set) var isWhole = false
  private let budget: ByteBudget
  /// One array: a server may send five bytes at a time, and an array for each would take a page of memory.
  private var bytes: [UInt8] = []
  private var length = 0

  init(_ budget: ByteBudget) { self.budget = budget }

  deinit { budget.giveBack(length) }

  /// Reads until the body is whole, too long, or the budget is spent.
  func read(_ stream: HTTPStream, atMost limit: Int) async throws(TransferError) {
    while length < limit {
      guard let chunk = try await stream.next() else {
        isWhole = true
        return
      }
      chunk.withUnsafeBytes { fingerprint.add($0) }
      bytes += chunk
      length += chunk.count
      guard budget.take(chunk.count) else { return }
    }
  }

  func isWhole(_ known: Int64?) -> Bool { isWhole && fingerprint.value == known }

  func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

extension HTTPHead {
  fileprivate func validators(documentHash: Int64?) -> FeedValidators {
    FeedValidators(etag: self["etag"], lastModified: self["last-modified"], documentHash: documentHash)
  }
}
