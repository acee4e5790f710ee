import PodcastModel
import Podcatcher
import Text

/// The words of a stretch of an episode. Pure.
struct Quote {
  var entry: EpisodeEntry
  var range: Range<Duration>
  var segments: [TranscriptSegment]

  /// The segments of which some is heard in the range.
  static func segments(
    _ all: [TranscriptSegment], heardBy anchors: [TranscriptAnchor], in range: Range<Duration>
  ) -> [TranscriptSegment] {
    let heard = all.heard(by: anchors)
    let (from, to) = (range.lowerBound.inSeconds, range.upperBound.inSeconds)
    return heard.indices.filter { index in
      guard let start = heard[index].start else { return false }
      let next = heard[(index + 1)...].lazy.compactMap(\.start).first
      return start < to && heard[index].end ?? next ?? .infinity > from
    }.map { heard[$0] }
  }

  private var link: String? { StretchLink.address(of: range, in: entry) }
  private var source: String { "\(entry.headline), \(range.clockText)" }
  private var paragraphs: [TranscriptSegment] { TranscriptPage.paragraphs(segments) }

  /// `width` is that of a terminal; elsewhere a paragraph is a line.
  func text(width: Int?) -> String {
    let said = paragraphs.map { paragraph in
      let speaker = paragraph.speaker.map { CleanText.line($0) + ": " } ?? ""
      return TextWrap.wrapped(speaker + CleanText.line(paragraph.text, limit: .max), width: width)
    }
    let end = (["— " + source] + [link.map { CleanText.line($0, limit: .max) }].compactMap(\.self))
    return (said.joined(separator: "\n\n") + "\n\n" + end.joined(separator: "\n")) + "\n"
  }

  /// A block quote, with its source as a link.
  var markdown: String {
    let said = paragraphs.map { paragraph in
      let speaker = paragraph.speaker.map { "**" + Markdown.text($0) + ":** " } ?? ""
      return "> " + speaker + Markdown.text(paragraph.text)
    }
    let source = Markdown.text(source)
    return (said + ["> — " + (link.map { "[\(source)](\(Markdown.address($0)))" } ?? source)])
      .joined(separator: "\n>\n") + "\n"
  }

  var json: JSON {
    [
      "episode": EpisodeJSON.document(entry), "from": EpisodeJSON.seconds(range.lowerBound),
      "to": EpisodeJSON.seconds(range.upperBound),
      "text": JSON(paragraphs.map(\.text).joined(separator: "\n\n")), "link": JSON(link),
      "segments": .array(segments.map(TranscriptPage.json)),
    ]
  }
}

/// Texts of a feed inside Markdown, where none of their characters means anything.
private enum Markdown {
  static func text(_ text: String) -> String {
    let line = CleanText.line(text, limit: .max)
    let escaped = line.reduce(into: "") { result, character in
      if #"\`*_[]<>&~|"#.contains(character) { result.append("\\") }
      result.append(character)
    }
    return escaped.first.map { "#+-=".contains($0) } == true ? "\\" + escaped : escaped
  }

  /// Without the characters that would end it.
  static func address(_ address: String) -> String {
    let codes: [Character: String] = ["(": "%28", ")": "%29", "<": "%3C", ">": "%3E", " ": "%20", "\\": "%5C"]
    return CleanText.line(address, limit: .max).reduce(into: "") { $0 += codes[$1] ?? String($1) }
  }
}
