import PodcastModel
import Podcatcher
import ScreenKit
import Text

/// The page of `transcript`: segments joined to paragraphs. Pure.
struct TranscriptPage {
  var width: Int
  var paint: Paint

  func rendered(_ segments: [TranscriptSegment]) -> String {
    Self.paragraphs(segments).map(paragraph).joined(separator: "\n") + "\n"
  }

  private func paragraph(_ segment: TranscriptSegment) -> String {
    let time = segment.start.map { DisplayWidth.column(ClockText.position($0), 8, alignedRight: true) + "  " } ?? ""
    let margin = String(repeating: " ", count: time.count)
    let speaker = segment.speaker.map { CleanText.line($0) + ": " } ?? ""
    let text = speaker + CleanText.line(segment.text, limit: .max)
    let lines = TextWrap.wrapped(text, width: max(20, min(width, 100) - time.count)).split(separator: "\n")
    return paint.dim(time) + lines.joined(separator: "\n" + margin)
  }

  /// Joins segments, which are cut for captions, as long as the speaker is the same and makes no pause: to about so many
  /// bytes.
  static func paragraphs(_ segments: [TranscriptSegment], longest: Int = 400) -> [TranscriptSegment] {
    var paragraphs: [TranscriptSegment] = []
    for segment in segments {
      if let last = paragraphs.last, belongs(segment, to: last, longest) {
        paragraphs[paragraphs.count - 1].text += " " + segment.text
        paragraphs[paragraphs.count - 1].end = segment.end
        let isTimed = !last.wordStarts.isEmpty && !segment.wordStarts.isEmpty
        paragraphs[paragraphs.count - 1].wordStarts = isTimed ? last.wordStarts + segment.wordStarts : []
      } else {
        paragraphs.append(segment)
      }
    }
    return paragraphs
  }

  private static func belongs(
    _ segment: TranscriptSegment, to last: TranscriptSegment, _ longest: Int
  ) -> Bool {
    guard segment.start != nil, segment.speaker == last.speaker || segment.speaker == nil else { return false }
    let isPause = if let start = segment.start, let end = last.end { start - end > 2 } else { false }
    let endsSentence = last.text.last.map { ".!?…".contains($0) } ?? true
    return !isPause && (last.text.utf8.count < longest || !endsSentence && last.text.utf8.count < 2 * longest)
  }

  static func tabSeparated(_ segments: [TranscriptSegment]) -> String {
    segments.map { segment in
      TabSeparated.line([segment.start.map(ClockText.position) ?? "", segment.speaker ?? "", segment.text])
    }.joined()
  }

  static func json(_ segment: TranscriptSegment) -> JSON {
    [
      "start": EpisodeJSON.number(segment.start), "end": EpisodeJSON.number(segment.end), "text": JSON(segment.text),
      "speaker": JSON(segment.speaker),
    ]
  }
}

extension [TranscriptSegment] {
  /// With the positions at which they are heard, where the transcript is of another rendition of the file.
  func heard(by anchors: [TranscriptAnchor]) -> [TranscriptSegment] {
    guard !anchors.isEmpty else { return self }
    func heard(_ said: Double?) -> Double? {
      said.flatMap(Duration.init(validSeconds:)).map { TranscriptAnchor.heard($0, anchors).inSeconds }
    }
    return map { segment in
      var segment = segment
      (segment.start, segment.end) = (heard(segment.start), heard(segment.end))
      segment.wordStarts = segment.wordStarts.map { heard($0) ?? $0 }
      return segment
    }
  }
}
