/// A feed in a list of subscriptions, as OPML carries them between programs.
package struct FeedOutline: Hashable, Sendable {
  package var url: String
  package var title: String?
  package var website: String?
  /// The outlines around it, outermost first; in podcli they are tags.
  package var folders: [String] = []

  package init(url: String, title: String? = nil, website: String? = nil, folders: [String] = []) {
    self.url = url
    self.title = title
    self.website = website
    self.folders = folders
  }
}
