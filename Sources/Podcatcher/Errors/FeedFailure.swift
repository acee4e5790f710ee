internal import FeedKit

/// Why a document could not be read as a feed.
package struct FeedFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// A web page, JSON, other XML, or nothing at all.
    case notAFeed
    /// A limit was passed, the encoding is unknown, or libxml2 gave up.
    case unreadable
    /// libxml2 is not installed.
    case libraryMissing
  }

  package var reason: Reason
  package var message: String
  /// The feeds that a web page links, as absolute addresses.
  package var feedLinks: [String]

  init(_ error: FeedError) {
    reason =
      switch error.code {
      case .notAFeed: .notAFeed
      case .limit, .parser: .unreadable
      case .libraryMissing: .libraryMissing
      }
    message = error.message
    feedLinks = error.feedLinks
  }
}
