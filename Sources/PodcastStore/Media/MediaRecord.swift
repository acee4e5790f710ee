package import PodcastModel

/// The record of an episode's media file on this machine: how much of it is here, and its source.
package struct MediaRecord: Hashable, Sendable {
  /// The episode.
  package var episode: EpisodeID
  /// The state of the download.
  package var state: Download.State
  /// Downloaded by request, so that it stays; otherwise the file is a cache of a stream.
  package var isKept = false
  /// Downloaded because of a setting of its podcast.
  package var isAutomatic = false
  /// The path of the file.
  package var path: String?
  /// The number of bytes that are here.
  package var received: Int64 = 0
  /// The length of the whole file.
  package var total: Int64?
  /// The address it comes from.
  package var sourceURL: String?
  /// A token for the bytes of this file: made anew when another rendition is begun.
  package var rendition: String?
  /// The server's validator for range requests.
  package var etag: String?
  /// The server's other validator.
  package var lastModified: String?
  /// The bytes that are here.
  package var ranges: [Range<Int64>] = []
  /// Downloads in a row that the server did not give: it answered otherwise.
  package var failedAttempts = 0
  /// The last error.
  package var error: String?
  /// Integrated loudness, in LUFS.
  var loudness: Double?
  /// The time of the request; of an automatic download, that of the last attempt.
  package var requestedAt: Timestamp?
  /// The time when the file was complete.
  package var completedAt: Timestamp?
  /// The time when the file was last played.
  package var lastUsedAt: Timestamp?

  /// A record of a file with nothing in it yet.
  package init(episode: EpisodeID, state: Download.State) {
    self.episode = episode
    self.state = state
  }
}

/// The text form of byte ranges: `0-4095,8192-9000`, both ends included, as in HTTP.
package enum ByteRanges {
  /// The text of these ranges.
  package static func text(_ ranges: [Range<Int64>]) -> String {
    ranges.filter { !$0.isEmpty }.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
  }

  /// The ranges of a text; malformed ones are left out.
  package static func parse(_ text: String) -> [Range<Int64>] {
    text.split(separator: ",").compactMap { piece in
      let ends = piece.split(separator: "-").compactMap { Int64($0) }
      guard ends.count == 2, ends[0] >= 0, ends[0] <= ends[1], ends[1] < Int64.max else { return nil }
      return ends[0]..<(ends[1] + 1)
    }
  }
}
