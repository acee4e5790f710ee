/// A passage of a transcript, with its speaker and times where they are known.
package struct TranscriptSegment: Hashable, Sendable {
  /// Absent in plain text, which has no times.
  package var start: Double?
  package var end: Double?
  package var speaker: String?
  package var text: String

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
