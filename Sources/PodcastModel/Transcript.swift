/// A passage of a transcript, with its speaker and times where they are known.
package struct TranscriptSegment: Hashable, Sendable {
  /// Absent in plain text, which has no times.
  package var start: Double?
  package var end: Double?
  package var speaker: String?
  package var text: String
  /// When each word is said, in seconds; empty where the file does not say. Words are what blanks part.
  package var wordStarts: [Double] = []

  package init(start: Double? = nil, end: Double? = nil, speaker: String? = nil, text: String) {
    self.start = start
    self.end = end
    self.speaker = speaker
    self.text = text
  }
}

/// A link to a transcript.
package struct TranscriptLink: Hashable, Sendable {
  package var url: String
  package var type: String?
  package var language: String?
  package var relation: String?

  package init(url: String) { self.url = url }
}

/// A point at which a transcript was tied to the media file: adverts that were put in later shift all that follows.
package struct TranscriptAnchor: Hashable, Sendable {
  /// The time that the transcript gives.
  package var said: Duration
  /// The position at which it is heard.
  package var heard: Duration

  package init(said: Duration, heard: Duration) {
    self.said = said
    self.heard = heard
  }

  /// The position at which something is heard: shifted as the latest anchor before it says, but not behind the next one.
  /// `anchors` are in the order of the transcript.
  package static func heard(_ said: Duration, _ anchors: [TranscriptAnchor]) -> Duration {
    let next = anchors.firstIndex { $0.said > said } ?? anchors.count
    let shift = next > 0 ? anchors[next - 1].heard - anchors[next - 1].said : .zero
    let heard = max(.zero, said + shift)
    return next < anchors.count ? min(heard, anchors[next].heard) : heard
  }
}
