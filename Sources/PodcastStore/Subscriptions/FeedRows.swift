internal import PodcastModel

/// The rows of `feeds`: the state of fetching each podcast's feed.
struct FeedRows {
  let connection: Connection

  /// Of every subscription, the longest unchecked first.
  func states() throws(StoreError) -> [FeedState] {
    try feeds("WHERE p.is_subscribed = 1 ORDER BY f.checked_at")
  }

  func state(of podcast: PodcastID) throws(StoreError) -> FeedState? {
    try feeds("WHERE p.id = \(podcast)").first
  }

  private func feeds(_ rest: SQL) throws(StoreError) -> [FeedState] {
    try connection.rows(
      """
      SELECT p.id, p.title, p.feed_url, f.etag, f.last_modified, f.document_hash, f.checked_at,
        f.succeeded_at IS NULL, f.next_check_at, f.failures, f.error_code, f.error, f.is_gone, f.publishing_rules,
        f.fetched_at
      FROM podcasts p JOIN feeds f ON f.podcast_id = p.id \(rest)
      """
    ) { row in
      var state = FeedState(
        podcast: PodcastReference(id: PodcastID(rawValue: row.integer(0)), title: row.text(1), feedURL: row.text(2)))
      state.validators = FeedValidators(
        etag: row.optionalText(3), lastModified: row.optionalText(4), documentHash: row.optionalInteger(5))
      state.checkedAt = row.optionalTime(6)
      state.isNew = row.flag(7)
      state.nextCheckAt = row.optionalTime(8)
      state.failures = row.count(9)
      state.errorCode = row.optionalText(10)
      state.error = row.optionalText(11)
      state.isGone = row.flag(12)
      state.rules = PublishingRules(text: row.optionalText(13) ?? "")
      state.fetchedAt = row.optionalTime(14)
      return state
    }
  }

  func record(_ record: FeedRecord, _ now: Timestamp) throws(StoreError) {
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

  /// After a merge.
  func recordSuccess(
    of podcast: PodcastID, _ validators: FeedValidators?, _ rules: PublishingRules, nextCheckAt: Timestamp?,
    hasChanged: Bool, _ now: Timestamp
  ) throws(StoreError) {
    try connection.execute(
      """
      UPDATE feeds SET etag = \(validators?.etag), last_modified = \(validators?.lastModified),
        document_hash = \(validators?.documentHash), checked_at = \(now), succeeded_at = \(now),
        fetched_at = \(now), next_check_at = \(nextCheckAt),
        changed_at = CASE WHEN \(hasChanged) THEN \(now) ELSE changed_at END,
        failures = 0, error_code = NULL, error = NULL, is_gone = 0, publishing_rules = \(rules.text)
      WHERE podcast_id = \(podcast)
      """)
  }
}
