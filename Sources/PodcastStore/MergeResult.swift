package import PodcastModel

/// What became of a feed in the library.
package struct MergeResult: Hashable, Sendable {
  package var podcast: PodcastID
  package var title: String
  /// The podcast was not followed before.
  package var isNew: Bool
  /// The podcast was unsubscribed once; what you did with its episodes is back.
  package var isReturning = false
  /// The new episodes, in the order of the feed.
  package var added: [EpisodeID] = []
  package var updated = 0
  package var unchanged = 0
  /// Episodes that share their guid with another one of the feed.
  package var twins = 0
}

/// What a server said about the document, to ask "anything new?" the next time.
package struct FeedValidators: Hashable, Sendable {
  package var etag: String?
  package var lastModified: String?
  package var documentHash: Int64?

  package init(etag: String? = nil, lastModified: String? = nil, documentHash: Int64? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.documentHash = documentHash
  }
}
