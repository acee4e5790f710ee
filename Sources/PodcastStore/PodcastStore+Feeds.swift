package import PodcastModel

/// What is known about fetching a podcast's feed.
package struct FeedState: Hashable, Sendable {
  package var podcast: PodcastReference
  package var validators = FeedValidators()
  package var checkedAt: Timestamp?
  package var succeededAt: Timestamp?
  package var changedAt: Timestamp?
  package var nextCheckAt: Timestamp?
  /// In a row, up to now.
  package var failures = 0
  package var errorCode: String?
  package var error: String?
  package var isGone = false
  /// How often the publisher wants to be asked, in minutes.
  package var minutesBetween: Int?
  package var isPrivate = false
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
        f.changed_at, f.next_check_at, f.failures, f.error_code, f.error, f.is_gone, f.minutes_between, p.is_private
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
      state.minutesBetween = row.optionalInteger(14).map { Int($0) }
      state.isPrivate = row.flag(15)
      return state
    }
  }

  /// The server had nothing new.
  package func recordUnchanged(
    _ podcast: PodcastID, validators: FeedValidators? = nil, nextCheckAt: Timestamp? = nil, now: Timestamp = .now
  ) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      try connection.execute(
        """
        UPDATE feeds SET checked_at = \(now), succeeded_at = \(now), next_check_at = \(nextCheckAt), failures = 0,
          error_code = NULL, error = NULL, is_gone = 0, etag = coalesce(\(validators?.etag), etag),
          last_modified = coalesce(\(validators?.lastModified), last_modified)
        WHERE podcast_id = \(podcast)
        """)
    }
  }

  /// The feed could not be had. What is in the library stays.
  package func recordFailure(
    _ podcast: PodcastID, code: String, message: String, isGone: Bool = false, nextCheckAt: Timestamp? = nil,
    now: Timestamp = .now
  ) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      try connection.execute(
        """
        UPDATE feeds SET checked_at = \(now), next_check_at = \(nextCheckAt), failures = failures + 1,
          error_code = \(code), error = \(message), is_gone = \(isGone)
        WHERE podcast_id = \(podcast)
        """)
    }
  }

  package func setNextCheck(of podcast: PodcastID, at moment: Timestamp?) throws(StoreError) {
    try write(.normal) { connection throws(StoreError) in
      try connection.execute("UPDATE feeds SET next_check_at = \(moment) WHERE podcast_id = \(podcast)")
    }
  }
}
