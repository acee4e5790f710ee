package import PodcastModel

/// A place in a medium in which only guesses are to be had of where a moment is: when it is, by the guess, and which byte
/// sounds there. The byte stays right when better is known about the moment.
package struct ApproximatePosition: Hashable, Sendable {
  package var position: Duration
  package var byte: Int64

  package init(position: Duration, byte: Int64) {
    self.position = position
    self.byte = byte
  }

  func keep(for id: EpisodeID, _ connection: Connection) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO guessed_places (episode_id, position, byte) SELECT id, \(position), \(byte) FROM episodes WHERE id = \(id)
      ON CONFLICT (episode_id) DO UPDATE SET position = excluded.position, byte = excluded.byte
      """)
  }
}

extension PodcastStore {
  /// Nil where the kept place is no guess.
  package func approximatePosition(of id: EpisodeID) throws(StoreError) -> ApproximatePosition? {
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
