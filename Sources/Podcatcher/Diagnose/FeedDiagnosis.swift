private import FeedKit
package import PodcastModel
internal import PodcastStore
internal import Text
internal import Transfer

/// The journey that fetches one podcast's feed and the first byte of its newest media file, and examines each step.
package struct FeedDiagnosis: Sendable {
  private let secrets: Secrets
  private let client: @Sendable () throws(TransferError) -> HTTPClient

  init(secrets: Secrets, client: @escaping @Sendable () throws(TransferError) -> HTTPClient) {
    self.secrets = secrets
    self.client = client
  }

  /// Throws where no transfer is possible at all.
  package func findings(_ podcast: PodcastEntry) async throws(NetworkFailure) -> [FeedFinding] {
    let client: HTTPClient
    do throws(TransferError) { client = try self.client() } catch { throw NetworkFailure(error) }
    let feedURL = podcast.reference.feedURL
    let secret = secrets.secret(for: feedURL)
    let request = FeedRequest(feedURL, secret)
    var findings: [FeedFinding] = [.lastRefresh(error: podcast.refreshError, podcast.lastRefreshedAt)]
    let feed: Result<Feed, FollowError>?
    if WebURL(request.address).scheme == "file" {
      feed = Self.file(request.address)
    } else {
      let answer = await Self.fetch(request, client)
      findings += Self.connection(request, answer)
      feed = (try? answer.get())?.feed
    }
    guard let feed else { return findings }
    findings += Self.contents(feed)
    if case .success(let feed) = feed, let newest = Self.newest(of: feed) {
      findings.append(await Self.mediaFile(newest, of: podcast.reference, secret, client))
    }
    return findings
  }

  // MARK: The feed

  private struct Answer {
    var head: HTTPHead
    var size = 0
    /// Nil without a document to parse.
    var feed: Result<Feed, FollowError>?
  }

  /// Parses while it reads, and ends the transfer where the parser does.
  private static func fetch(_ request: FeedRequest, _ client: HTTPClient) async -> Result<Answer, TransferError> {
    let stream = client.stream(request.http)
    defer { stream.cancel() }
    do {
      var answer = Answer(head: try await stream.head())
      guard answer.head.status == 200 else { return .success(answer) }
      do {
        answer.feed = .success(try await parse(stream, &answer))
      } catch let error as FeedError {
        answer.feed = .failure(.feed(FeedFailure(error)))
      }
      return .success(answer)
    } catch {
      return .failure(error as? TransferError ?? .cancelled)
    }
  }

  private static func parse(_ stream: HTTPStream, _ answer: inout Answer) async throws -> Feed {
    let parser = try FeedParser(baseURL: answer.head.url, charset: answer.head.charset)
    while !parser.isCut, let chunk = try await stream.next() {
      answer.size += chunk.count
      try chunk.withUnsafeBytes(parser.parse)
    }
    return try parser.finish()
  }

  private static func file(_ address: String) -> Result<Feed, FollowError> {
    Result { () throws(FollowError) in
      try FeedFile.feed(FeedFile.path(in: address), baseURL: address)
    }
  }

  // MARK: The connection

  private static func connection(
    _ request: FeedRequest, _ answer: Result<Answer, TransferError>
  ) -> [FeedFinding] {
    let address = WebURL(request.address)
    let host = address.host ?? request.address
    let isEncrypted = address.scheme == "https"
    switch answer {
    case .failure(let error): return steps(host, isEncrypted, until: NetworkFailure(error))
    case .success(let whole):
      let redirects = whole.head.redirects.map { FeedFinding.Redirect(status: $0.status, location: $0.location) }
      return steps(host, isEncrypted, until: nil) + (redirects.isEmpty ? [] : [.redirects(redirects)])
        + [.answer(FeedFinding.Answer(whole.head, size: whole.size), host: host)]
    }
  }

  /// Each step before the failing one succeeded.
  private static func steps(_ host: String, _ isEncrypted: Bool, until failure: NetworkFailure?) -> [FeedFinding] {
    let steps: [(step: FeedFinding.Step, failures: Set<NetworkFailure.Reason>)] = [
      (.address, [.badAddress, .libraryMissing]), (.name, [.cannotResolve]),
      (.connect, [.cannotConnect]),
    ]
    var findings: [FeedFinding] = []
    for (step, failures) in steps + (isEncrypted ? [(.tls, [.insecure])] : []) {
      if let failure, failures.contains(failure.reason) { return findings + [.step(step, host: host, failure)] }
      findings.append(.step(step, host: host, nil))
    }
    return findings + (failure.map { [.step(.answer, host: host, $0)] } ?? [])
  }

  // MARK: Contents

  private static func contents(_ feed: Result<Feed, FollowError>) -> [FeedFinding] {
    switch feed {
    case .failure(let error): return [.unreadable(error)]
    case .success(let feed):
      let contents = FeedFinding.contents(
        feed.format, episodes: feed.episodes.count, isIncomplete: feed.isIncomplete)
      return [contents] + (feed.warnings.isEmpty ? [] : [.warnings(feed.warnings)])
    }
  }

  private static func newest(of feed: Feed) -> (title: String, url: String)? {
    let playable = feed.episodes.filter { $0.enclosure != nil }
    let newest = playable.max { ($0.publishedAt?.seconds ?? .min) < ($1.publishedAt?.seconds ?? .min) }
    guard let newest, let url = newest.enclosure?.url else { return nil }
    return (newest.title ?? url, url)
  }

  private static func mediaFile(
    _ newest: (title: String, url: String), of podcast: PodcastReference, _ secret: Secret?, _ client: HTTPClient
  ) async -> FeedFinding {
    if let path = LocalFile.path(newest.url, of: podcast) {
      return .localMediaFile(title: newest.title, path: path, size: RegularFile.size(of: path))
    }
    var request = HTTPRequest(mediaAt: newest.url, of: podcast, secret)
    request.range = ByteRange(from: 0, through: 0)
    let stream = client.stream(request)
    defer { stream.cancel() }
    do throws(TransferError) {
      return .mediaFile(title: newest.title, .success(FeedFinding.Answer(try await stream.head(), size: 0)))
    } catch {
      return .mediaFile(title: newest.title, .failure(NetworkFailure(error)))
    }
  }
}

extension FeedFinding.Answer {
  fileprivate init(_ head: HTTPHead, size: Int) {
    self.init(
      status: head.status, type: head["content-type"], size: size,
      hasValidators: head["etag"] != nil || head["last-modified"] != nil)
  }
}
