private import FeedKit
package import PodcastModel
internal import Text
package import Transfer

/// Everything that can be learnt about a feed by asking it once, and its newest medium for its first byte.
package struct FeedExamination: Sendable {
  package var host: String
  package var isEncrypted: Bool
  /// Nil for a file of this machine, which nobody has to be asked for.
  package var answer: Result<HTTPHead, TransferError>?
  package var bytes = 0
  package var feed: Result<Feed, FollowError>?
  package var medium: (title: String, answer: Result<HTTPHead, TransferError>)?

  package init(_ feedURL: String, _ secrets: Secrets, _ client: HTTPClient) async {
    let question = secrets.question(for: feedURL)
    let address = WebAddress(question.address)
    host = address.host ?? question.address
    isEncrypted = address.scheme == "https"
    if address.scheme == "file" {
      feed = Self.file(question.address)
    } else {
      await ask(question, client)
    }
    if case .success(let feed)? = feed { medium = await Self.newestMedium(feed, client) }
  }

  private static func file(_ address: String) -> Result<Feed, FollowError> {
    Result { () throws(FollowError) in
      try FeedFile.feed(PercentCoding.decoded(address.dropFirst("file://".count)), baseURL: address)
    }
  }

  private mutating func ask(_ question: FeedQuestion, _ client: HTTPClient) async {
    do throws(TransferError) {
      let whole = try await client.fetch(question.request)
      answer = .success(whole.head)
      bytes = whole.body.count
      guard whole.head.status == 200 else { return }
      feed = Self.parsed(whole)
    } catch {
      answer = .failure(error)
    }
  }

  private static func parsed(_ whole: HTTPAnswer) -> Result<Feed, FollowError> {
    do throws(FeedError) {
      return .success(try FeedParser.feed(from: whole.body, baseURL: whole.head.url, charset: whole.head.charset))
    } catch {
      return .failure(.feed(error))
    }
  }

  private static func newestMedium(
    _ feed: Feed, _ client: HTTPClient
  ) async -> (title: String, answer: Result<HTTPHead, TransferError>)? {
    let playable = feed.episodes.filter { $0.enclosure != nil }
    let newest = playable.max { ($0.publishedAt?.seconds ?? .min) < ($1.publishedAt?.seconds ?? .min) }
    guard let newest, let enclosure = newest.enclosure else { return nil }
    var request = HTTPRequest(url: enclosure.url)
    request.range = ByteRange(from: 0, through: 0)
    request.acceptsCompression = false
    request.limits = .media
    let stream = client.stream(request)
    defer { stream.cancel() }
    do throws(TransferError) {
      return (newest.title ?? enclosure.url, .success(try await stream.head()))
    } catch {
      return (newest.title ?? enclosure.url, .failure(error))
    }
  }
}
