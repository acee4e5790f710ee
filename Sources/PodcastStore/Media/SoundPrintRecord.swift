package import PodcastModel

/// A print of a media file's sound.
package struct SoundPrintRecord: Hashable, Sendable {
  /// The episode.
  package var episode: EpisodeID
  /// Stands for the bytes that were measured.
  package var file: String
  /// The print.
  package var data: [UInt8]

  /// A print of a file.
  package init(episode: EpisodeID, file: String, data: [UInt8]) {
    self.episode = episode
    self.file = file
    self.data = data
  }
}

/// The rows of `sound_prints`: the print of each measured media file that is here.
struct SoundPrintRows {
  let connection: Connection

  func read(of id: EpisodeID) throws(StoreError) -> SoundPrintRecord? {
    try connection.first("SELECT file, data FROM sound_prints WHERE episode_id = \(id)") { row in
      SoundPrintRecord(episode: id, file: row.text(0), data: row.optionalBlob(1) ?? [])
    }
  }

  func save(_ record: SoundPrintRecord) throws(StoreError) {
    try connection.execute(
      """
      INSERT OR REPLACE INTO sound_prints (episode_id, file, data)
      VALUES (\(record.episode), \(record.file), \(record.data))
      """)
  }

  func remove(_ id: EpisodeID) throws(StoreError) {
    try connection.execute("DELETE FROM sound_prints WHERE episode_id = \(id)")
  }
}
