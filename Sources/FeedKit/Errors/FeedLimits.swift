/// The limits of one document. Passing one ends the parse with `FeedError.Code.limit`, except where noted.
package struct FeedLimits: Hashable, Sendable {
  /// Decoded bytes of the whole document.
  package var documentBytes = 64 << 20
  /// The bytes that may come before the root element of a feed. Most documents that are no feed are refused sooner.
  var bytesBeforeFeed = 1 << 20
  /// Nested elements.
  package var depth = 256
  /// Attributes of one tag.
  package var attributes = 64
  /// One tag with all of its attributes.
  var tagBytes = 256 << 10
  /// The text of one element. A longer one is cut, with a warning.
  package var textBytes = 4 << 20
  /// All texts of one episode. Longer ones are cut, with a warning.
  package var episodeTextBytes = 8 << 20
  /// Distinct names of elements and attributes.
  package var names = 20_000
  /// Elements of the whole document.
  package var elements = 4_000_000
  /// An episode an hour for twenty-two years.
  package var episodes = 200_000
  /// The memory for everything besides the texts of episodes. It bounds elements without text, and short URLs with a
  /// long base, which take many times their size in the document.
  package var valueBytes = 16 << 20
  /// A base URL that an element gives. A longer one is ignored.
  var baseBytes = 8 << 10
  /// The warnings that are kept as text; further ones are only counted.
  package var warnings = 100

  package init() {}
  /// The limits of the product.
  package static let standard = FeedLimits()

  /// A limit of bytes for a message: `64 MB`.
  static func text(_ bytes: Int) -> String {
    for (unit, size) in [("MB", 1 << 20), ("kB", 1 << 10)] where bytes >= size && bytes % size == 0 {
      return "\(bytes / size) \(unit)"
    }
    return "\(bytes) bytes"
  }
}
