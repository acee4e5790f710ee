/// Why a document could not be read as a feed.
package struct FeedError: Error, Hashable, Sendable {
  /// The kind of failure; JSON has its raw value.
  package enum Code: String, Sendable {
    /// The document is a web page, JSON, other XML, or empty.
    case notAFeed
    /// One of `FeedLimits` was passed; the message names it.
    case limit
    /// libxml2 is not installed.
    case libraryMissing
    /// libxml2 cannot make a parser.
    case parser
  }

  package var code: Code
  /// One sentence without a final dot.
  package var message: String
  /// For a web page: the feeds that it links, as absolute URLs.
  package var feedLinks: [String] = []

  package init(_ code: Code, _ message: String, feedLinks: [String] = []) {
    self.code = code
    self.message = message
    self.feedLinks = feedLinks
  }
}
