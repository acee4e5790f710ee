internal import PodcastModel

/// A position estimated from a byte, and that byte. The byte stays right when the position turns out to be another.
package struct ApproximatePosition: Hashable, Sendable {
  /// The estimate.
  package var position: Duration
  /// The byte of the media file that sounds there.
  package var byte: Int64

  /// A position and its byte.
  package init(position: Duration, byte: Int64) {
    self.position = position
    self.byte = byte
  }

  func save(for id: EpisodeID, _ connection: Connection) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO guessed_places (episode_id, position, byte) SELECT id, \(position), \(byte) FROM episodes WHERE id = \(id)
      ON CONFLICT (episode_id) DO UPDATE SET position = excluded.position, byte = excluded.byte
      """)
  }

  /// Nil where the stored position is exact.
  static func read(of id: EpisodeID, _ connection: Connection) throws(StoreError) -> ApproximatePosition? {
    try connection.rows(
      """
      SELECT g.position, g.byte FROM guessed_places g JOIN statuses s USING (episode_id)
      WHERE episode_id = \(id) AND s.last_listen_time = g.position
      """
    ) { row in
      ApproximatePosition(position: .milliseconds(row.integer(0)), byte: row.integer(1))
    }.first
  }
}
