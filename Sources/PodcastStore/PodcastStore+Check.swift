extension PodcastStore {
  package enum Thoroughness: Sendable {
    /// Every page, which finds whatever a disk does.
    case quick
    /// Also every index and every rule of ours.
    case full
  }

  /// What is wrong with the library, in SQLite's words and ours; empty when nothing is.
  /// It reads the whole file: on a store of its own it disturbs no player.
  package func problems(_ thoroughness: Thoroughness) throws(StoreError) -> [String] {
    let connection = try connection
    let check: SQL = thoroughness == .quick ? "PRAGMA quick_check" : "PRAGMA integrity_check"
    var problems = try connection.rows(check) { $0.text(0) }.filter { $0 != "ok" }
    guard thoroughness == .full, problems.isEmpty else { return problems }
    problems += try connection.rows("PRAGMA foreign_key_check") { "a row of \($0.text(0)) belongs to nothing" }
    for rule in Self.rules where try connection.integer(rule.violations) != 0 { problems.append(rule.name) }
    if access == .readWrite, try !isIndexSound() { problems.append(Self.damagedIndex) }
    return problems
  }

  /// The place does not allow a write-ahead log, as some network file systems do not: readers may have to wait for
  /// writers, and every position takes longer.
  package func hasClassicJournal() throws(StoreError) -> Bool {
    try connection.first("PRAGMA journal_mode") { $0.text(0) } == "delete"
  }

  private static let damagedIndex = "the full-text index does not fit the texts"

  /// What must be true of any library. Each statement counts what is not.
  private static let rules: [(name: String, violations: SQL)] = [
    (
      "more than one episode is the current one",
      "SELECT count(*) > 1 FROM statuses WHERE is_currently_playing = 1"
    ),
    (
      "the queue has gaps",
      "SELECT ifnull(max(place), 0) <> count(*) FROM queue"
    ),
    (
      "an episode is listed though its podcast is not followed, or the other way round",
      """
      SELECT count(*) FROM episodes e JOIN podcasts p ON p.id = e.podcast_id
      WHERE e.is_listed <> p.is_subscribed AND p.id NOT IN (SELECT podcast_id FROM left_work)
      """
    ),
    (
      "an episode's mark does not fit its status",
      """
      SELECT count(*) FROM episodes e LEFT JOIN statuses s ON s.episode_id = e.id
      WHERE e.is_played <> ifnull(s.has_completed, 0)
      """
    ),
    (
      "a podcast is counted wrongly",
      """
      SELECT count(*) FROM counters c WHERE
        c.episodes <> (SELECT count(*) FROM episodes WHERE podcast_id = c.podcast_id)
        OR c.unplayed <> (SELECT count(*) FROM episodes WHERE podcast_id = c.podcast_id AND is_played = 0)
        OR c.downloaded <> (SELECT count(*) FROM episodes e JOIN media m ON m.episode_id = e.id
          WHERE e.podcast_id = c.podcast_id AND m.state = 'complete')
        OR c.newest_at IS NOT (SELECT max(published_at) FROM episodes WHERE podcast_id = c.podcast_id)
      """
    ),
    (
      "an episode can neither be searched nor waits to be",
      """
      SELECT count(*) FROM episodes e WHERE NOT EXISTS (SELECT 1 FROM search_texts WHERE id = e.id)
        AND NOT EXISTS (SELECT 1 FROM search_queue WHERE episode_id = e.id)
      """
    ),
  ]

  private func isIndexSound() throws(StoreError) -> Bool {
    do {
      try write { connection throws(StoreError) in
        try connection.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
      }
      return true
    } catch  where error.isAboutIndex {
      return false
    }
  }

  /// Makes anew what follows from the rest: counters, marks, and the full-text index.
  package func rebuild() throws(StoreError) {
    try write { connection throws(StoreError) in
      try connection.executeScript(
        """
        UPDATE episodes SET is_played = ifnull((SELECT has_completed FROM statuses WHERE episode_id = episodes.id), 0)
          WHERE is_played <> ifnull((SELECT has_completed FROM statuses WHERE episode_id = episodes.id), 0);
        UPDATE episodes SET is_listed = (SELECT is_subscribed FROM podcasts WHERE id = podcast_id)
          WHERE is_listed <> (SELECT is_subscribed FROM podcasts WHERE id = podcast_id);
        UPDATE counters SET
          episodes = (SELECT count(*) FROM episodes e WHERE e.podcast_id = counters.podcast_id),
          unplayed = (SELECT count(*) FROM episodes e WHERE e.podcast_id = counters.podcast_id AND e.is_played = 0),
          downloaded = (SELECT count(*) FROM episodes e JOIN media m ON m.episode_id = e.id
            WHERE e.podcast_id = counters.podcast_id AND m.state = 'complete'),
          newest_at = (SELECT max(published_at) FROM episodes e WHERE e.podcast_id = counters.podcast_id);
        INSERT INTO search (search) VALUES ('rebuild');
        INSERT OR IGNORE INTO search_queue (episode_id)
          SELECT id FROM episodes WHERE id NOT IN (SELECT id FROM search_texts);
        """)
      let queue = QueueRows(connection: connection)
      try queue.replace(with: try queue.read())
    }
  }
}
