package import PodcastModel

/// The measurement of a media file's sound: complete, or the draft of a pass that is under way.
package struct SoundingRecord: Hashable, Sendable {
  package var episode: EpisodeID
  /// Stands for the bytes that were measured.
  package var file: String
  /// Of `data`.
  package var format: Int
  package var isComplete: Bool
  package var measuredAt: Timestamp
  /// Integrated loudness in LUFS; nil in a draft, and for silence.
  package var loudness: Double?
  /// The highest sample in dBFS; nil in a draft, and for silence.
  package var peak: Double?
  /// Of a whole file: it has two channels, and they are the same. Of a draft: whatever channels it has, two of them or what they are
  /// mixed down to were the same so far. Nil where part of it was not compared.
  package var hasEqualChannels: Bool?
  /// Nil once the media file is gone.
  package var data: [UInt8]?

  package init(
    episode: EpisodeID, file: String, format: Int, isComplete: Bool, measuredAt: Timestamp = .now,
    loudness: Double? = nil, peak: Double? = nil, hasEqualChannels: Bool? = nil, data: [UInt8]? = nil
  ) {
    self.episode = episode
    self.file = file
    self.format = format
    self.isComplete = isComplete
    self.measuredAt = measuredAt
    self.loudness = loudness
    self.peak = peak
    self.hasEqualChannels = hasEqualChannels
    self.data = data
  }
}
