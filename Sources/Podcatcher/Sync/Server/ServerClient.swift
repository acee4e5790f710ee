private import FeedKit
internal import PodcastModel
internal import PodcastStore
private import Synchronization
internal import Text
internal import Transfer

/// The requests to one server. Each has user and password; no redirect is followed, so they go to this server only.
final class ServerClient: Sendable {
  let base: String
  private let credentials: HTTPRequest.Credentials?
  private let http: @Sendable () throws(TransferError) -> HTTPClient
  private let session = Mutex<String?>(nil)
  private let lastDate = Mutex<Timestamp?>(nil)

  init(
    base: String, credentials: HTTPRequest.Credentials?,
    http: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    self.base = base
    self.credentials = credentials
    self.http = http
  }

  /// The server's clock at its last answer.
  var date: Timestamp? { lastDate.withLock { $0 } }

  /// An answer of any status.
  struct Answer {
    var status: Int
    /// Nil where the body is no JSON.
    var json: JSON?
    var head: HTTPHead
    /// A web page, such as that of a network that asks for a login.
    var isPage = false

    var isSuccess: Bool { (200..<300).contains(status) && !isPage }
  }

  func get(_ path: String, within limits: TransferLimits = .api) async throws(ServerError) -> Answer {
    var request = HTTPRequest(url: base + path)
    request.limits = limits
    return try await ask(request)
  }

  func post(_ path: String, _ body: JSON?) async throws(ServerError) -> Answer {
    var request = HTTPRequest(url: base + path)
    request.method = .post
    request.limits = .api
    if let body {
      request.body = Array(body.compact.utf8)
      request.headers.append(.init("Content-Type", "application/json"))
    }
    return try await ask(request)
  }

  func ask(_ request: HTTPRequest) async throws(ServerError) -> Answer {
    var request = request
    request.credentials = credentials
    request.followsRedirects = false
    request.headers.append(.init("Accept", "application/json"))
    if let session = session.withLock({ $0 }) { request.headers.append(.init("Cookie", session)) }
    do throws(TransferError) {
      let answer = try await http().fetch(request)
      note(answer.head)
      let json = answer.body.withUnsafeBufferPointer { JSON(parsing: $0, depth: 32, values: Self.mostValues) }
      let isPage = json == nil && answer.body.first { $0 > 0x20 } == UInt8(ascii: "<")
      return Answer(status: answer.head.status, json: json, head: answer.head, isPage: isPage)
    } catch {
      throw .network(NetworkFailure(error))
    }
  }

  /// Those of all actions in 64 MB; a body of empty values holds more.
  private static let mostValues = 3_000_000

  private func note(_ head: HTTPHead) {
    if let date = head["date"].flatMap(DateText.timestamp) { lastDate.withLock { $0 = date } }
    guard head.isSuccess, let cookie = head["set-cookie"]?.prefix(while: { $0 != ";" }), cookie.utf8.count < 4096
    else { return }
    session.withLock { $0 = String(cookie) }
  }
}

extension ServerClient.Answer {
  /// Why the answer is of no use.
  var failure: ServerError {
    switch status {
    case 200..<300: return .unreadable
    case 300..<400: return .moved(to: head["location"].map { WebURL.resolve($0, against: head.url) } ?? "")
    case 401, 403: return .refused
    case 404, 410: return .noServer
    case 429, 503: return .busy(pause: pause)
    default: return .status(status)
    }
  }

  /// A quarter of an hour where the server says nothing.
  private var pause: Int64 {
    let present = head["date"].flatMap(DateText.timestamp) ?? .now
    let asked = head["retry-after"].flatMap { text in
      Int64(text) ?? DateText.timestamp(text).map { $0.seconds - present.seconds }
    }
    return min(max(asked ?? 900, 60), 86_400)
  }
}

// MARK: - The calls

extension ServerClient {
  /// Returns what `read` makes of a good answer.
  private func read<Result>(_ answer: Answer, _ read: (JSON) -> Result?) throws(ServerError) -> Result {
    guard answer.isSuccess, let json = answer.json, let result = read(json) else { throw answer.failure }
    return result
  }

  func subscriptions(_ paths: ServerPaths, since: Int64) async throws(ServerError) -> SubscriptionChanges {
    try read(try await get(paths.subscriptions(since: since)), SubscriptionChanges.init)
  }

  /// Years of listening may come at once, from a server that takes long to begin.
  private static let heard = TransferLimits(
    connect: .seconds(10), stall: .seconds(60), total: .seconds(600), bytes: 64 << 20)

  /// The present is that of the answer itself.
  func actions(_ paths: ServerPaths, since: Int64) async throws(ServerError) -> ActionPage {
    let answer = try await get(paths.actions(since: since), within: Self.heard)
    let present = date ?? .now
    return try read(answer) { ActionPage($0, present: present) }
  }
}
