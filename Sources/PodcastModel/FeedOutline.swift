/// A feed in an OPML list of subscriptions.
package struct FeedOutline: Hashable, Sendable {
  package var url: String
  package var title: String?
  package var website: String?
  /// The names of the outlines around it, outermost first; podcli imports them as tags.
  package var folders: [String] = []
  /// Its address is a secret. Only lists that podcli wrote say so.
  package var isPrivate = false

  package init(url: String, title: String? = nil, website: String? = nil, folders: [String] = []) {
    self.url = url
    self.title = title
    self.website = website
    self.folders = folders
  }
}
