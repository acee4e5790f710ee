internal import PodcastModel

/// The rows of `transcriptions`: the queue of transcripts that a program of the user makes, and which it made.
struct TranscriptionRows {
  let connection: Connection

  /// In the order in which they were asked for.
  func waiting(withFailed: Bool) throws(StoreError) -> [EpisodeID] {
    try connection.rows(
      """
      SELECT episode_id FROM transcriptions WHERE state <> 'done' AND (state = 'waiting' OR \(withFailed))
      ORDER BY changed_at, episode_id
      """
    ) { EpisodeID(rawValue: $0.integer(0)) }
  }

  func isMade(_ id: EpisodeID) throws(StoreError) -> Bool {
    try connection.first("SELECT 1 FROM transcriptions WHERE episode_id = \(id) AND state = 'done'") { _ in true }
      ?? false
  }

  /// One that is done stays done while another is made.
  func set(_ state: Transcription, of id: EpisodeID) throws(StoreError) {
    guard state != .none else {
      return try connection.execute("DELETE FROM transcriptions WHERE episode_id = \(id)")
    }
    try connection.execute(
      """
      INSERT INTO transcriptions (episode_id, state, changed_at) VALUES (\(id), \(state.rawValue), \(Timestamp.now))
      ON CONFLICT (episode_id) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at
        WHERE state <> 'done' OR excluded.state = 'done'
      """)
  }
}

/// How far the transcript of an episode is that a program of the user makes.
package enum Transcription: String, Sendable {
  case waiting, failed, done
  /// Not asked for, or no longer.
  case none
}
