/// Why a document could not be read as a feed.
package struct FeedError: Error, Hashable, Sendable {
  package enum Code: String, Sendable {
    /// Something else: a web page, JSON, other XML, or nothing at all.
    case notAFeed
    /// One of `FeedLimits` was passed; the message names it.
    case limit
    /// The bytes are in no encoding that can be read.
    case encoding
    /// libxml2 is not installed.
    case libraryMissing
    /// libxml2 gave up; `libraryCode` says on what.
    case parser
  }

  package var code: Code
  package var message: String
  /// libxml2's own error number.
  package var libraryCode: Int?
  /// For a web page: the feeds it links, as absolute addresses.
  package var feedLinks: [String] = []

  package init(_ code: Code, _ message: String, libraryCode: Int? = nil, feedLinks: [String] = []) {
    self.code = code
    self.message = message
    self.libraryCode = libraryCode
    self.feedLinks = feedLinks
  }
}

/// What a feed may cost. Reaching one of them ends the parse with `FeedError.Code.limit`, except where noted.
package struct FeedLimits: Hashable, Sendable {
  /// Decoded bytes of the whole document.
  package var documentBytes = 64 << 20
  /// What may come before a feed begins. A page that is no feed says so sooner.
  package var bytesBeforeFeed = 1 << 20
  package var depth = 256
  package var attributes = 64
  /// One tag with everything in it.
  package var tagBytes = 256 << 10
  /// One element's text. What is longer is cut, with a warning.
  package var textBytes = 4 << 20
  /// All texts of one episode. Again, what is longer is cut.
  package var episodeTextBytes = 8 << 20
  /// Distinct names of elements and attributes.
  package var names = 20_000
  package var elements = 4_000_000
  /// One an hour for twenty-two years.
  package var episodes = 200_000
  /// What is kept in memory besides the texts of episodes: a long feed has long texts, but it is empty elements, and
  /// short addresses with a long base, that would grow to many times their size.
  package var valueBytes = 16 << 20
  /// Warnings that are kept word by word; the others are only counted.
  package var warnings = 100

  package init() {}
  package static let standard = FeedLimits()

  /// `64 MB`, as a limit of bytes is told.
  static func text(_ bytes: Int) -> String {
    for (unit, size) in [("MB", 1 << 20), ("kB", 1 << 10)] where bytes >= size && bytes % size == 0 {
      return "\(bytes / size) \(unit)"
    }
    return "\(bytes) bytes"
  }
}
