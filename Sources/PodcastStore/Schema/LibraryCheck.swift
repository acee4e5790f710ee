/// How much of a library is checked.
package enum CheckDepth: Sendable {
  /// Every page and every index, which finds damage by the disk.
  case quick
  /// Also every invariant, and the full-text index.
  case full
}

/// Checks and repairs a library by the invariants of its schema.
struct LibraryCheck {
  let connection: Connection

  /// Damage of the file, in SQLite's words; empty when there is none. Reads the whole file.
  func damage() throws(StoreError) -> [String] {
    try connection.rows("PRAGMA integrity_check") { $0.text(0) }.filter { $0 != "ok" }
  }

  /// Violated invariants of an undamaged library.
  func violations() throws(StoreError) -> [String] {
    var problems = try connection.rows("PRAGMA foreign_key_check") { "a row of \($0.text(0)) belongs to nothing" }
    for rule in Self.rules where try connection.integer(rule.violations) != 0 { problems.append(rule.name) }
    return problems
  }

  /// Invariants of every library. Each statement counts violations.
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
      SELECT count(*) FROM episodes e WHERE NOT EXISTS (SELECT 1 FROM search_docsize WHERE id = e.id)
        AND NOT EXISTS (SELECT 1 FROM search_queue WHERE episode_id = e.id)
      """
    ),
  ]

  /// Inside a transaction: recomputes derived columns and counters.
  func repairDerivedColumns() throws(StoreError) {
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
      """)
  }
}
