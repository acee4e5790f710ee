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
    let request = FeedRequest(feedURL, secrets.secret(for: feedURL))
    var findings: [FeedFinding] = [.lastRefresh(error: podcast.refreshError, podcast.lastRefreshedAt)]
    let feed: Result<Feed, FollowError>?
    if WebURL(request.address).scheme == "file" {
      feed = Self.file(request.address)
    } else {
      let answer = await Self.fetch(request, client)
      findings += Self.connection(request, answer)
      feed = Self.parsed(answer)
    }
    guard let feed else { return findings }
    findings += Self.contents(feed)
    if case .success(let feed) = feed { findings += await Self.newestMediaFile(feed, client) }
    return findings
  }

  // MARK: The feed

  private static func fetch(_ request: FeedRequest, _ client: HTTPClient) async -> Result<HTTPAnswer, TransferError> {
    do throws(TransferError) {
      return .success(try await client.fetch(request.http))
    } catch {
      return .failure(error)
    }
  }

  private static func file(_ address: String) -> Result<Feed, FollowError> {
    Result { () throws(FollowError) in
      try FeedFile.feed(FeedFile.path(in: address), baseURL: address)
    }
  }

  /// Nil without a document to parse.
  private static func parsed(_ answer: Result<HTTPAnswer, TransferError>) -> Result<Feed, FollowError>? {
    guard case .success(let whole) = answer, whole.head.status == 200 else { return nil }
    do throws(FeedError) {
      return .success(try FeedParser.feed(from: whole.body, baseURL: whole.head.url, charset: whole.head.charset))
    } catch {
      return .failure(.feed(FeedFailure(error)))
    }
  }

  // MARK: The connection

  private static func connection(
    _ request: FeedRequest, _ answer: Result<HTTPAnswer, TransferError>
  ) -> [FeedFinding] {
    let address = WebURL(request.address)
    let host = address.host ?? request.address
    let isEncrypted = address.scheme == "https"
    switch answer {
    case .failure(let error): return steps(host, isEncrypted, until: NetworkFailure(error))
    case .success(let whole):
      let redirects = whole.head.redirects.map { FeedFinding.Redirect(status: $0.status, location: $0.location) }
      return steps(host, isEncrypted, until: nil) + (redirects.isEmpty ? [] : [.redirects(redirects)])
        + [.answer(FeedFinding.Answer(whole.head, size: whole.body.count), host: host)]
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

  private static func newestMediaFile(_ feed: Feed, _ client: HTTPClient) async -> [FeedFinding] {
    let playable = feed.episodes.filter { $0.enclosure != nil }
    let newest = playable.max { ($0.publishedAt?.seconds ?? .min) < ($1.publishedAt?.seconds ?? .min) }
    guard let newest, let enclosure = newest.enclosure else { return [] }
    var request = HTTPRequest(url: enclosure.url)
    request.range = ByteRange(from: 0, through: 0)
    request.acceptsCompression = false
    request.limits = .media
    let stream = client.stream(request)
    defer { stream.cancel() }
    let title = newest.title ?? enclosure.url
    do throws(TransferError) {
      return [.mediaFile(title: title, .success(FeedFinding.Answer(try await stream.head(), size: 0)))]
    } catch {
      return [.mediaFile(title: title, .failure(NetworkFailure(error)))]
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
