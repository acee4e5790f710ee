package import PodcastModel

/// What is known about fetching a podcast's feed.
package struct FeedState: Hashable, Sendable {
  package var podcast: PodcastReference
  package var validators = FeedValidators()
  package var checkedAt: Timestamp?
  package var succeededAt: Timestamp?
  /// When the whole document was last here: before that, servers only said that it is the same.
  package var fetchedAt: Timestamp?
  package var changedAt: Timestamp?
  /// Not to be asked before.
  package var nextCheckAt: Timestamp?
  /// In a row, up to now.
  package var failures = 0
  package var errorCode: String?
  package var error: String?
  package var isGone = false
  package var rules = PublishingRules()
  package var isPrivate = false

  package init(podcast: PodcastReference) { self.podcast = podcast }
}

/// What became of asking a feed that brought nothing to merge.
package struct FeedRecord: Hashable, Sendable {
  package enum Outcome: Hashable, Sendable {
    /// `validators` where the whole document came and was the same but for the moment it was made.
    case unchanged(FeedValidators?)
    case failed(code: String, message: String, isGone: Bool)
  }

  package var podcast: PodcastID
  package var outcome: Outcome
  package var nextCheckAt: Timestamp?

  package init(_ podcast: PodcastID, _ outcome: Outcome, nextCheckAt: Timestamp? = nil) {
    self.podcast = podcast
    self.outcome = outcome
    self.nextCheckAt = nextCheckAt
  }
}

extension PodcastStore {
  /// Of everything you follow; those not asked for the longest time first.
  package func feeds() throws(StoreError) -> [FeedState] {
    try feeds("WHERE p.is_subscribed = 1 ORDER BY f.checked_at")
  }

  package func feed(of podcast: PodcastID) throws(StoreError) -> FeedState? {
    try feeds("WHERE p.id = \(podcast)").first
  }

  private func feeds(_ rest: SQL) throws(StoreError) -> [FeedState] {
    try connection.rows(
      """
      SELECT p.id, p.title, p.feed_url, f.etag, f.last_modified, f.document_hash, f.checked_at, f.succeeded_at,
        f.changed_at, f.next_check_at, f.failures, f.error_code, f.error, f.is_gone, f.publishing_rules, p.is_private,
        f.fetched_at
      FROM podcasts p JOIN feeds f ON f.podcast_id = p.id \(rest)
      """
    ) { row in
      var state = FeedState(
        podcast: PodcastReference(id: PodcastID(rawValue: row.integer(0)), title: row.text(1), feedURL: row.text(2)))
      state.validators = FeedValidators(
        etag: row.optionalText(3), lastModified: row.optionalText(4), documentHash: row.optionalInteger(5))
      state.checkedAt = row.optionalTime(6)
      state.succeededAt = row.optionalTime(7)
      state.changedAt = row.optionalTime(8)
      state.nextCheckAt = row.optionalTime(9)
      state.failures = row.count(10)
      state.errorCode = row.optionalText(11)
      state.error = row.optionalText(12)
      state.isGone = row.flag(13)
      state.rules = PublishingRules(text: row.optionalText(14) ?? "")
      state.isPrivate = row.flag(15)
      state.fetchedAt = row.optionalTime(16)
      return state
    }
  }

  /// Many at once cost little more than one. What is in the library stays, whatever happened to its feed. With the last
  /// of them all that was merged before is durable.
  package func record(_ records: [FeedRecord], isLast: Bool = true, now: Timestamp = .now) throws(StoreError) {
    if !records.isEmpty {
      try write(.normal) { connection throws(StoreError) in
        for record in records { try Self.record(record, connection, now) }
      }
    }
    if isLast { try makeDurable() }
  }

  private static func record(_ record: FeedRecord, _ connection: Connection, _ now: Timestamp) throws(StoreError) {
    switch record.outcome {
    case .unchanged(let validators):
      try connection.execute(
        """
        UPDATE feeds SET checked_at = \(now), succeeded_at = \(now), next_check_at = \(record.nextCheckAt),
          failures = 0, error_code = NULL, error = NULL, is_gone = 0
        WHERE podcast_id = \(record.podcast)
        """)
      guard let validators else { return }
      try connection.execute(
        """
        UPDATE feeds SET fetched_at = \(now), etag = \(validators.etag), last_modified = \(validators.lastModified)
        WHERE podcast_id = \(record.podcast)
        """)
    case .failed(let code, let message, let isGone):
      try connection.execute(
        """
        UPDATE feeds SET checked_at = \(now), next_check_at = \(record.nextCheckAt), failures = failures + 1,
          error_code = \(code), error = \(message), is_gone = \(isGone)
        WHERE podcast_id = \(record.podcast)
        """)
    }
  }
}
