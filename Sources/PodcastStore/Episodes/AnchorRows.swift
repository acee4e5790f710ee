internal import PodcastModel

/// The rows of `transcript_anchors`: where transcripts were tied to their media files.
struct AnchorRows {
  let connection: Connection

  /// In the order of the transcript.
  func read(of id: EpisodeID) throws(StoreError) -> [TranscriptAnchor] {
    try connection.rows("SELECT said, heard FROM transcript_anchors WHERE episode_id = \(id) ORDER BY said") { row in
      TranscriptAnchor(said: .milliseconds(row.integer(0)), heard: .milliseconds(row.integer(1)))
    }
  }

  /// Replaces the anchor of the same time, and records how to undo it.
  func set(_ anchor: TranscriptAnchor, of id: EpisodeID) throws(StoreError) {
    let before = try read(of: id).first { $0.said == anchor.said }
    try write(anchor, of: id)
    let title = try connection.first("SELECT title FROM episodes WHERE id = \(id)") { $0.text(0) }
    let step = UndoStep(
      kind: .anchor, subject: id.rawValue, value: before.map { String($0.heard.inMilliseconds) },
      number: anchor.said.inMilliseconds)
    try UndoLog(connection: connection).record(.tiedTranscript, subject: title ?? "", count: 1, steps: [step])
  }

  func forget(_ id: EpisodeID) throws(StoreError) {
    try connection.execute("DELETE FROM transcript_anchors WHERE episode_id = \(id)")
  }

  func revert(_ step: UndoStep) throws(StoreError) {
    let said = Duration.milliseconds(step.number ?? 0)
    let id = EpisodeID(rawValue: step.subject)
    if let heard = step.value.flatMap({ Int64($0) }) {
      try write(TranscriptAnchor(said: said, heard: .milliseconds(heard)), of: id)
    } else {
      try connection.execute("DELETE FROM transcript_anchors WHERE episode_id = \(id) AND said = \(said)")
    }
  }

  private func write(_ anchor: TranscriptAnchor, of id: EpisodeID) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO transcript_anchors (episode_id, said, heard)
      SELECT id, \(anchor.said), \(anchor.heard) FROM episodes WHERE id = \(id)
      ON CONFLICT (episode_id, said) DO UPDATE SET heard = excluded.heard
      """)
  }
}
