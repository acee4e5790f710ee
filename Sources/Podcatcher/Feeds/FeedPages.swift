private import FeedKit
internal import PodcastModel
private import Text

/// The further pages of a feed (RFC 5005).
extension FeedReader {
  /// The pages that are not there in the end.
  enum MissingPages {
    case none, lost
    case later(FollowError)

    var isNone: Bool { if case .none = self { true } else { false } }
  }

  /// Adds the episodes of the further pages, up to one that has none which were not on the pages before. `later`: a server or
  /// the network is away. `lost`: they cannot be fetched, or are more than one document may have.
  func addPages(to found: inout FetchedFeed, _ request: FeedRequest) async -> MissingPages {
    var (next, seen) = (found.feed.nextPageURL, Set([request.address]))
    var guids = Set(found.feed.episodes.map(\.guid))
    let limits = FeedLimits()
    var bytes = Self.textBytes(found.feed)
    while let address = next, seen.count < Self.mostPages, WebURL(address).isHTTP, seen.insert(address).inserted {
      let feed: Feed
      do throws(FollowError) {
        feed = try await fetch(request.request(forLink: address)).feed
      } catch {
        return error.mayPass ? .later(error) : .lost
      }
      let known = guids.count
      guids.formUnion(feed.episodes.map(\.guid))
      guard guids.count > known else { return .none }
      bytes += Self.textBytes(feed)
      guard bytes <= limits.documentBytes, found.feed.episodes.count + feed.episodes.count <= limits.episodes else {
        return .lost
      }
      found.feed.episodes += feed.episodes
      // Of a page that was cut off the rest is not known, nor where it goes on.
      if feed.isIncomplete { return .lost }
      next = feed.nextPageURL
    }
    return .none
  }

  private static let mostPages = 200

  private static func textBytes(_ feed: Feed) -> Int { feed.episodes.reduce(0) { $0 + $1.texts.byteCount } }
}
