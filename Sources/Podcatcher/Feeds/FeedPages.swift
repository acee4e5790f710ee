private import FeedKit
internal import PodcastModel
private import Text

/// The further pages of a feed (RFC 5005).
extension FeedReader {
  /// Adds the episodes of the further pages, up to one that has none which were not on the pages before.
  /// False when one could not be fetched, or when they are more than one document may have.
  func addPages(to found: inout FetchedFeed, _ request: FeedRequest) async -> Bool {
    var (next, seen) = (found.feed.nextPageURL, Set([request.address]))
    var guids = Set(found.feed.episodes.map(\.guid))
    let limits = FeedLimits()
    var bytes = Self.textBytes(found.feed)
    while let address = next, seen.count < Self.mostPages, WebURL(address).isHTTP, seen.insert(address).inserted {
      guard let feed = try? await fetch(request.request(forLink: address)).feed else { return false }
      let known = guids.count
      guids.formUnion(feed.episodes.map(\.guid))
      guard guids.count > known else { return true }
      bytes += Self.textBytes(feed)
      guard bytes <= limits.documentBytes, found.feed.episodes.count + feed.episodes.count <= limits.episodes else {
        return false
      }
      found.feed.episodes += feed.episodes
      // Of a page that was cut off the rest is not known, nor where it goes on.
      if feed.isIncomplete { return false }
      next = feed.nextPageURL
    }
    return true
  }

  private static let mostPages = 200

  private static func textBytes(_ feed: Feed) -> Int { feed.episodes.reduce(0) { $0 + $1.texts.byteCount } }
}
