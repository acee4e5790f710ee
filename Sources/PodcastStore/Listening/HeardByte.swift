internal import PodcastModel

/// The byte of a media file that sounds at a position, where positions cannot be computed from bytes. It stays right when
/// the position turns out to be another, and finds the position again when the bytes before it are gone.
package struct HeardByte: Hashable, Sendable {
  /// The first byte of the frame, counted from the start of the file.
  package var offset: Int64
  /// Of the whole file. A file of another size is another one.
  package var fileSize: Int64
  /// The frames up to it were counted. Otherwise its position is an estimate.
  package var isExact: Bool

  /// A byte of a file.
  package init(offset: Int64, fileSize: Int64, isExact: Bool) {
    self.offset = offset
    self.fileSize = fileSize
    self.isExact = isExact
  }
}

/// A position with the byte that sounds there.
package struct HeardPosition: Hashable, Sendable {
  /// Exact or an estimate, as its byte says.
  package var position: Duration
  /// The byte that sounds there.
  package var byte: HeardByte

  /// A position and its byte.
  package init(position: Duration, byte: HeardByte) {
    self.position = position
    self.byte = byte
  }

  func save(for id: EpisodeID, _ connection: Connection) throws(StoreError) {
    try connection.execute(
      """
      INSERT INTO guessed_places (episode_id, position, byte, file_size, is_exact)
      SELECT id, \(position), \(byte.offset), \(byte.fileSize), \(byte.isExact) FROM episodes WHERE id = \(id)
      ON CONFLICT (episode_id) DO UPDATE SET position = excluded.position, byte = excluded.byte,
        file_size = excluded.file_size, is_exact = excluded.is_exact
      """)
  }

  /// Nil where none was stored with the position.
  static func read(of id: EpisodeID, _ connection: Connection) throws(StoreError) -> HeardPosition? {
    try connection.rows(
      """
      SELECT g.position, g.byte, g.file_size, g.is_exact FROM guessed_places g JOIN statuses s USING (episode_id)
      WHERE episode_id = \(id) AND s.last_listen_time = g.position
      """
    ) { row in
      HeardPosition(
        position: .milliseconds(row.integer(0)),
        byte: HeardByte(offset: row.integer(1), fileSize: row.integer(2), isExact: row.integer(3) == 1))
    }.first
  }
}
