package import PodcastModel

/// The server's validators of a document, for the next conditional request.
package struct FeedValidators: Hashable, Sendable {
  /// The `ETag` header.
  package var etag: String?
  /// The `Last-Modified` header.
  package var lastModified: String?
  /// A hash of the document.
  package var documentHash: Int64?

  /// Validators of one response.
  package init(etag: String? = nil, lastModified: String? = nil, documentHash: Int64? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.documentHash = documentHash
  }
}

/// The state of fetching a podcast's feed.
package struct FeedState: Hashable, Sendable {
  /// The podcast.
  package var podcast: PodcastReference
  /// For the next conditional request.
  package var validators = FeedValidators()
  /// The last request.
  package var checkedAt: Timestamp?
  /// No request has succeeded yet.
  package var isNew = true
  /// The last response with a whole document; later ones were "not modified".
  package var fetchedAt: Timestamp?
  /// The next request is not due before.
  package var nextCheckAt: Timestamp?
  /// Failures in a row.
  package var failures = 0
  /// The code of the last failure.
  package var errorCode: String?
  /// The message of the last failure.
  package var error: String?
  /// The server says that the feed is gone for good.
  package var isGone = false
  /// The publisher's rules for requests.
  package var rules = PublishingRules()

  /// The state of a feed that was never fetched.
  package init(podcast: PodcastReference) { self.podcast = podcast }
}

/// The outcome of a request for a feed that brought nothing to merge.
package struct FeedRecord: Hashable, Sendable {
  /// Unchanged or failed.
  package enum Outcome: Hashable, Sendable {
    /// With `validators` where a whole document came, but only its build date was new.
    case unchanged(FeedValidators?)
    case failed(code: String, message: String, isGone: Bool)
  }

  /// The podcast.
  package var podcast: PodcastID
  /// Its outcome.
  package var outcome: Outcome
  /// The next request is not due before.
  package var nextCheckAt: Timestamp?

  /// One outcome.
  package init(_ podcast: PodcastID, _ outcome: Outcome, nextCheckAt: Timestamp? = nil) {
    self.podcast = podcast
    self.outcome = outcome
    self.nextCheckAt = nextCheckAt
  }
}
