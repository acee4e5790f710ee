package import PodcastModel
package import PodcastStore
internal import Text
package import Transfer

/// What to ask for.
package struct FeedQuestion: Sendable {
  package var address: String
  package var credentials: HTTPRequest.Credentials?
  /// What is known already; with nothing in it the whole feed is asked for.
  package var validators = FeedValidators()

  package init(_ address: String) { self.address = address }

  var request: HTTPRequest {
    var request = HTTPRequest(url: address)
    request.credentials = credentials
    if let etag = validators.etag { request.headers.append(.init("If-None-Match", etag)) }
    if let date = validators.lastModified { request.headers.append(.init("If-Modified-Since", date)) }
    return request
  }
}

/// A feed as it was found.
package struct FetchedFeed: Sendable {
  package var feed: Feed
  /// Where redirects "for good" lead, and nothing else does.
  package var address: String
  /// Where it was in the end.
  package var finalAddress: String
  /// To ask "anything new?" with. Half a feed has none: it must be asked for again, whole.
  package var validators = FeedValidators()
  /// For how long the server says it will be the same.
  package var freshness: Duration?

  /// The place the publisher asks to be looked for at, where that is another one.
  package var newAddress: String? {
    guard let new = feed.newFeedURL, WebAddress(new).isWeb, new != address, new != finalAddress else { return nil }
    return new
  }
}

package enum FeedAnswer<Kept: Sendable>: Sendable {
  /// The same as the last time: the server says so, or its bytes do. The latter come with validators.
  case unchanged(FeedValidators?, freshness: Duration?)
  /// Anything but a feed.
  case refused(HTTPHead)
  case kept(Kept)
}

extension HTTPHead {
  /// Where the hops that were "for good" lead, up to the first that was not. One that gives up encryption is none.
  func permanentAddress(from asked: String) -> String {
    var address = asked
    for hop in redirects {
      let next = WebAddress.resolve(hop.location, against: address)
      let isDowngrade = address.hasPrefix("https:") && next.hasPrefix("http:")
      guard hop.status == 301 || hop.status == 308, !isDowngrade, WebAddress(next).isWeb else { break }
      address = next
    }
    return address
  }

  /// `Cache-Control: max-age=600`
  var freshness: Duration? {
    let directives = (self["cache-control"] ?? "").lowercased().split(separator: ",").map {
      String($0).trimmingBlanks()
    }
    guard !directives.contains("no-cache"), !directives.contains("no-store") else { return nil }
    let age = directives.first { $0.hasPrefix("max-age=") }.flatMap { Int64($0.dropFirst("max-age=".count)) }
    return age.flatMap { $0 > 0 ? .seconds(min($0, 365 * 86_400)) : nil }
  }

  /// Of `text/xml; charset=utf-8`.
  var charset: String? {
    let parameters = self["content-type"]?.split(separator: ";").dropFirst() ?? []
    for parameter in parameters {
      let pair = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmingBlanks() }
      guard pair.count == 2, pair[0].lowercased() == "charset" else { continue }
      return pair[1].filter { $0 != "\"" && $0 != "'" }
    }
    return nil
  }
}
