package import PodcastModel
package import Text

extension JSON {
  /// RFC 3339, in UTC.
  package init(_ moment: Timestamp) { self = .string(moment.description) }

  package init?(_ moment: Timestamp?) {
    guard let moment else { return nil }
    self.init(moment)
  }
}
