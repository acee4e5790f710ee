/// A chapter of an episode. Times are in seconds.
package struct Chapter: Hashable, Sendable {
  package var start: Double
  package var end: Double?
  package var title: String
  package var link: String?
  package var image: String?
  /// False for an unlisted chapter, which lists leave out.
  package var isListed = true
  /// True for one that was found in the sound: the publisher does not tell of it.
  package var isMeasured = false
  /// True for one of the media file, which another media file of the episode may not have.
  package var isEmbedded = false

  package init(start: Double, title: String, end: Double? = nil, link: String? = nil, image: String? = nil) {
    self.start = start
    self.title = title
    self.end = end
    self.link = link
    self.image = image
  }
}

/// A link to a chapter file.
package struct ChaptersLink: Hashable, Sendable {
  package var url: String
  package var type: String?

  package init(url: String, type: String? = nil) { (self.url, self.type) = (url, type) }
}
