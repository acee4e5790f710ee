internal import PodcastModel

/// The rows of `skips`: ranges of an episode that playing jumps over.
struct SkipRows {
  let connection: Connection

  /// Without those of a former rendition: in the present one they would hide something else.
  func read(of id: EpisodeID) throws(StoreError) -> [Range<Duration>] {
    try connection.rows(
      """
      SELECT start, end FROM skips WHERE episode_id = \(id) AND id NOT IN (
        SELECT f.item FROM former_renditions r JOIN former_marks f ON f.rendition_id = r.id
        WHERE r.episode_id = \(id) AND f.kind = 'skip') ORDER BY start
      """
    ) { row in
      Duration.milliseconds(row.integer(0))..<Duration.milliseconds(row.integer(1))
    }
  }

  /// The episodes of a podcast that have some, the newest first.
  func episodes(of podcast: PodcastID) throws(StoreError) -> [EpisodeID] {
    try connection.rows(
      """
      SELECT e.id FROM episodes e WHERE e.podcast_id = \(podcast)
        AND EXISTS (SELECT 1 FROM skips WHERE episode_id = e.id) ORDER BY e.listed_at DESC, e.id DESC
      """
    ) { EpisodeID(rawValue: $0.integer(0)) }
  }

  /// Adds a range and records how to undo it.
  func add(_ range: Range<Duration>, in id: EpisodeID) throws(StoreError) {
    try connection.execute(
      "INSERT INTO skips (episode_id, start, end) VALUES (\(id), \(range.lowerBound), \(range.upperBound))")
    let step = UndoStep(kind: .skip, subject: id.rawValue, number: connection.lastInsertedID)
    let title = try connection.first("SELECT title FROM episodes WHERE id = \(id)") { $0.text(0) }
    try UndoLog(connection: connection).record(.addedSkip, subject: title ?? "", count: 1, steps: [step])
  }

  func revert(_ step: UndoStep) throws(StoreError) {
    try connection.execute("DELETE FROM skips WHERE id = \(step.number) AND episode_id = \(step.subject)")
  }
}
