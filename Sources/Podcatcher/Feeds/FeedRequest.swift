internal import PodcastModel
internal import PodcastStore
internal import Text
internal import Transfer

/// A request for a feed.
struct FeedRequest: Sendable {
  var address: String
  var credentials: HTTPRequest.Credentials?
  /// Of the last answer; empty ones ask for the whole feed.
  var validators = FeedValidators()
  /// Takes the episodes as they are read; the feed is then without them.
  var episodes: (@Sendable ([FeedEpisode]) -> Void)?

  /// The server may answer that nothing has changed.
  var isConditional: Bool { validators.etag != nil || validators.lastModified != nil }

  init(_ address: String) { self.address = address }

  var http: HTTPRequest {
    var request = HTTPRequest(url: address)
    request.credentials = credentials
    // The parser ends the transfer at its own limit, and keeps the episodes that came before it.
    request.limits.bytes = nil
    if let etag = validators.etag { request.headers.append(.init("If-None-Match", etag)) }
    if let date = validators.lastModified { request.headers.append(.init("If-Modified-Since", date)) }
    return request
  }
}

extension FeedRequest {
  /// The error for an answer with a status that refuses the request.
  func refused(_ status: Int) -> FollowError {
    [401, 403].contains(status) && credentials != nil ? .credentialsRefused : .status(status)
  }

  /// A request for an address that the answer names. The credentials go along only to the same scheme, host and port.
  func request(forLink address: String) -> FeedRequest {
    var next = FeedRequest(address)
    if WebURL(address).origin == WebURL(self.address).origin { next.credentials = credentials }
    return next
  }

  /// A request for a feed of the library, with its secret.
  init(_ feedURL: String, _ secret: Secret?) {
    self.init(secret?.address ?? feedURL)
    credentials = secret?.credentials
  }
}
