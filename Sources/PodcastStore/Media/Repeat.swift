/// A stretch of an episode that other episodes of its podcast have, too: an intro, a jingle, an outro, an advert.
package struct Repeat: Hashable, Sendable {
  /// The stretch.
  package var range: Range<Duration>
  /// Its kind.
  package var kind: Kind
  /// How many other episodes have it.
  package var count: Int
  /// How many other episodes were looked at.
  package var total: Int

  /// The kinds, by position and by how common they are.
  package enum Kind: String, CaseIterable, Sendable {
    /// Most episodes have it, in their first part.
    case intro
    /// The same in their last part.
    case outro
    /// An advert or a jingle.
    case inserted
  }

  /// A stretch that was found.
  package init(_ range: Range<Duration>, _ kind: Kind, count: Int, of total: Int) {
    (self.range, self.kind, self.count, self.total) = (range, kind, count, total)
  }
}
