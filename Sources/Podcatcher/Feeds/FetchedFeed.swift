internal import PodcastModel
internal import PodcastStore
internal import Text
internal import Transfer

/// A feed that was fetched, and its addresses.
struct FetchedFeed: Sendable {
  var feed: Feed
  /// The target of permanent redirects only.
  var address: String
  /// The target of all redirects.
  var finalAddress: String
  /// For the next conditional request. An incomplete feed has none: the whole feed must be fetched again.
  var validators = FeedValidators()
  /// How long the server says that its answer holds.
  var freshness: Duration?

  /// The address that the publisher announces, where that is another one and does not give up encryption.
  var newAddress: String? {
    guard let new = feed.newFeedURL, WebURL(new).isHTTP, new != address, new != finalAddress else { return nil }
    guard !finalAddress.hasPrefix("https:") || new.hasPrefix("https:") else { return nil }
    return new
  }
}

/// The answer to a request for a feed.
enum FeedAnswer<Kept: Sendable>: Sendable {
  /// Not modified, as the server says or the fingerprint shows; the latter comes with validators. `address`: the target of
  /// permanent redirects.
  case unchanged(FeedValidators?, freshness: Duration?, address: String)
  /// An answer with another status than 200 or 304.
  case refused(HTTPHead)
  /// The result of storing the feed.
  case kept(Kept)
}

extension HTTPHead {
  /// The target of the permanent redirects, up to the first other one. A redirect that gives up encryption is none.
  func permanentAddress(from asked: String) -> String {
    var address = asked
    for hop in redirects {
      let next = WebURL.resolve(hop.location, against: address)
      let isDowngrade = address.hasPrefix("https:") && next.hasPrefix("http:")
      guard hop.status == 301 || hop.status == 308, !isDowngrade, WebURL(next).isHTTP else { break }
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

  /// From `text/xml; charset=utf-8`.
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
