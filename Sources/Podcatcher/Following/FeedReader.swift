package import FeedKit
private import PodcastModel
package import PodcastStore
internal import System
package import Transfer

/// Fetches feeds and parses them as they arrive.
///
/// A short feed is parsed when it is here, unless it is the one known already. A long one is parsed while
/// it comes, so that it is never in memory twice; so is a short one when there is no more room for bytes that wait.
/// Only a few feeds are parsed and stored at a time: the others wait as bytes, and then their servers with them. A slow
/// server holds nobody up.
package struct FeedReader: Sendable {
  private let client: @Sendable () throws(TransferError) -> HTTPClient
  private let room = ByteBudget(4 << 20)
  private let short = AsyncSemaphore(4)
  private let long = AsyncSemaphore(2)

  private static let longest = 512 << 10
  /// What waits in each stream: of all of them, and of the two that are parsed while they come.
  private static let (sip, gulp) = (48 << 10, 256 << 10)

  package init(client: @escaping @Sendable () throws(TransferError) -> HTTPClient) {
    self.client = client
  }

  /// Hands what it found to `keep`, before anything else is parsed.
  package func ask<Kept: Sendable>(
    _ question: FeedQuestion, baseURL: String? = nil, keep: @Sendable (FetchedFeed) async throws(FollowError) -> Kept
  ) async throws(FollowError) -> FeedAnswer<Kept> {
    do {
      let stream = try client().stream(question.request)
      stream.letWait(Self.sip, wakingFrom: Self.sip / 2)
      do {
        return try await answer(question, baseURL, stream, keep)
      } catch {
        stream.cancel()
        throw error
      }
    } catch let error as TransferError {
      throw .transfer(error)
    } catch let error as FeedError {
      throw .feed(error)
    } catch let error as FollowError {
      throw error
    } catch {
      throw .transfer(.cancelled)
    }
  }

  /// What `keep` makes of the feed, or the reason why there is none.
  package func fetch<Kept: Sendable>(
    _ question: FeedQuestion, baseURL: String? = nil, keep: @Sendable (FetchedFeed) async throws(FollowError) -> Kept
  ) async throws(FollowError) -> Kept {
    switch try await ask(question, baseURL: baseURL, keep: keep) {
    case .kept(let kept): return kept
    case .refused(let head): throw .status(head.status)
    case .unchanged: throw .status(304)
    }
  }

  package func fetch(_ question: FeedQuestion, baseURL: String? = nil) async throws(FollowError) -> FetchedFeed {
    try await fetch(question, baseURL: baseURL) { found throws(FollowError) in found }
  }

  private func answer<Kept: Sendable>(
    _ question: FeedQuestion, _ baseURL: String?, _ stream: HTTPStream,
    _ keep: @Sendable (FetchedFeed) async throws(FollowError) -> Kept
  ) async throws -> FeedAnswer<Kept> {
    let head = try await stream.head()
    guard head.status == 200 else {
      stream.cancel()
      return head.status == 304 ? .unchanged(nil, freshness: head.freshness) : .refused(head)
    }
    let start = Start(room)
    try await start.read(stream, atMost: Self.longest)
    let known = question.validators.documentHash
    let unchanged = FeedAnswer<Kept>.unchanged(head.validators(documentHash: known), freshness: head.freshness)
    if start.isWhole(known) { return unchanged }
    let semaphore = start.isWhole ? short : long
    await semaphore.wait()
    defer { semaphore.signal() }
    let (feed, hash) = try await parse(start, stream, head, baseURL: baseURL ?? head.url)
    return hash == known ? unchanged : .kept(try await keep(found(feed, hash, head, asked: question.address)))
  }

  private func parse(
    _ start: Start, _ stream: HTTPStream, _ head: HTTPHead, baseURL: String
  ) async throws -> (Feed, Int64) {
    let parser = try FeedParser(baseURL: baseURL, charset: head.charset)
    var fingerprint = start.fingerprint
    if !start.isWhole { stream.letWait(Self.gulp, wakingFrom: Self.gulp / 4) }
    try start.takeBytes().withUnsafeBytes(parser.parse)
    while !start.isWhole, let chunk = try await stream.next() {
      try chunk.withUnsafeBytes { bytes in
        fingerprint.add(bytes)
        try parser.parse(bytes)
      }
    }
    return (try parser.finish(), fingerprint.value)
  }

  private func found(_ feed: Feed, _ hash: Int64, _ head: HTTPHead, asked: String) -> FetchedFeed {
    var found = FetchedFeed(feed: feed, address: head.permanentAddress(from: asked), finalAddress: head.url)
    found.freshness = head.freshness
    if !feed.isIncomplete { found.validators = head.validators(documentHash: hash) }
    return found
  }
}

/// The beginning of a body, or all of it, and the room it takes. One task reads it and then parses it.
private final class Start {
  private(set) var fingerprint = FeedFingerprint()
  private(set) var isWhole = false
  private let room: ByteBudget
  /// One piece: a server may send five bytes at a time, and each piece of its own takes a page of memory.
  private var bytes: [UInt8] = []
  private var length = 0

  init(_ room: ByteBudget) { self.room = room }

  deinit { room.giveBack(length) }

  /// Until it is whole, too long, or there is no more room.
  func read(_ stream: HTTPStream, atMost limit: Int) async throws(TransferError) {
    while length < limit {
      guard let chunk = try await stream.next() else {
        isWhole = true
        return
      }
      chunk.withUnsafeBytes { fingerprint.add($0) }
      bytes += chunk
      length += chunk.count
      let isRoomLeft = room.take(chunk.count)
      guard isRoomLeft else { return }
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

/// Why a feed cannot be followed.
package enum FollowError: Error, Sendable {
  case transfer(TransferError)
  case status(Int)
  case feed(FeedError)
  case file(String, String)
  case notAnAddress(String)
  /// Apple's directory names no feed for this link.
  case notInDirectory(String)
  /// The file for secrets cannot be read or written.
  case secretsNotKept
  case store(StoreError)
}
