package import PodcastModel
internal import Text

/// Reads a transcript: WebVTT, SubRip, JSON, HTML or plain text, recognised by its content and not by its type.
package enum Transcript {
  /// The passages in order; none for an empty document.
  package static func segments(in bytes: [UInt8], type: String? = nil, charset: String? = nil) -> [TranscriptSegment] {
    inOrder(read(bytes, type: type, charset: charset))
  }

  /// Of those with a time the earliest first; of equal ones the one that came first. Where times begin anew, they count
  /// from the start of another part, whose passages are not to come between those of the part before.
  private static func inOrder(_ segments: [TranscriptSegment]) -> [TranscriptSegment] {
    let times = segments.compactMap(\.start)
    let back = times.indices.dropFirst().filter { times[$0] < times[$0 - 1] }
    guard times.count == segments.count, !back.isEmpty, !back.contains(where: { isRestart($0, times) }) else {
      return segments
    }
    return segments.enumerated().sorted { ($0.element.start ?? 0, $0.offset) < ($1.element.start ?? 0, $1.offset) }
      .map(\.element)
  }

  /// Whether times begin anew there. A single passage out of order, this one or the one before, is no other part.
  private static func isRestart(_ index: Int, _ times: [Double]) -> Bool {
    guard times[index - 1] - times[index] > 60, index + 1 < times.count, times[index + 1] < times[index - 1] else {
      return false
    }
    return index > 1 && times[index - 2] >= times[index]
  }

  private static func read(_ bytes: [UInt8], type: String?, charset: String?) -> [TranscriptSegment] {
    let text = EncodingDecoder.text(bytes, charset: charset)
    let start = text.prefix(4096)
    if start.drop(while: \.isWhitespace).hasPrefix("WEBVTT") { return CueText.segments(text, style: .webVTT) }
    if let first = start.first(where: { !$0.isWhitespace }), first == "{" || first == "[",
      let document = JSON(parsing: Array(text.utf8))
    {
      return TranscriptJSON.segments(document)
    }
    // An HTML comment ends so, too.
    if start.contains("-->"), case let cues = CueText.segments(text, style: .subRip), !cues.isEmpty { return cues }
    let isHTML =
      type?.contains("html") == true || start.contains("<p") || start.contains("<cite") || start.contains("<div")
    if isHTML { return TranscriptHTML.segments(text) }
    // Bytes that are no text in any encoding.
    let isBinary = start.unicodeScalars.contains { $0.value < 0x20 && !"\t\n\r\u{B}\u{C}".unicodeScalars.contains($0) }
    return isBinary ? [] : paragraphs(text)
  }

  private static func paragraphs(_ text: String) -> [TranscriptSegment] {
    var segments: [TranscriptSegment] = []
    var lines: [Substring] = []
    for line in TextLines.split(text) {
      if !line.allSatisfy(\.isWhitespace) {
        lines.append(line)
      } else if !lines.isEmpty {
        segments.append(TranscriptSegment(text: PlainText.collapsed(lines.joined(separator: " "))))
        lines.removeAll()
      }
    }
    return segments
  }
}

private enum TranscriptJSON {
  static func segments(_ document: JSON) -> [TranscriptSegment] {
    let list = document["segments"] ?? document["transcripts"] ?? document["transcript"] ?? document["cues"] ?? document
    return WordByWord.joined((list.elements ?? []).compactMap(segment))
  }

  private static func segment(_ value: JSON) -> TranscriptSegment? {
    let body = (value["body"] ?? value["text"] ?? value["word"])?.text
    guard let text = body.map(PlainText.collapsed), !text.isEmpty else { return nil }
    let speaker = (value["speaker"] ?? value["voice"])?.text.map(PlainText.collapsed)
    var segment = TranscriptSegment(
      start: ChapterFile.time(value["startTime"] ?? value["start"]),
      end: ChapterFile.time(value["endTime"] ?? value["end"]),
      speaker: speaker?.isEmpty == false ? speaker : nil, text: text)
    let starts = (value["words"]?.elements ?? []).compactMap { ChapterFile.time($0["startTime"] ?? $0["start"]) }
    if starts.count == WordByWord.count(text) { segment.wordStarts = starts }
    return segment
  }
}

/// `<cite>Name:</cite> <time>0:09</time> <p>…</p>`
private enum TranscriptHTML {
  static func segments(_ html: String) -> [TranscriptSegment] {
    var reader = Reader()
    return reader.read(html)
  }

  private struct Reader {
    private var segments: [TranscriptSegment] = []
    private var speaker: String?
    private var start: Double?
    private var text: [UInt8] = []

    mutating func read(_ html: String) -> [TranscriptSegment] {
      var tokens = HTMLTokenizer(html)
      while let token = tokens.next() {
        switch token {
        case .text(let bytes): HTMLTokenizer.appendDecoded(bytes, to: &text)
        case .tag(let tag): handle(tag, &tokens)
        }
      }
      endParagraph()
      return segments
    }

    private mutating func handle(_ tag: HTMLTokenizer.Tag, _ tokens: inout HTMLTokenizer) {
      switch (tag.name, tag.isEnd) {
      case ("script", false), ("style", false), ("head", false): tokens.skip(toEndOf: tag.name)
      case ("cite", false), ("time", false): endParagraph()
      case ("cite", true): endSpeaker()
      case ("time", true): start = DurationText.seconds(taken()) ?? start
      case ("br", _): text.append(0x20)
      case ("p", _), ("div", _), ("li", _): endParagraph()
      default: break
      }
    }

    private mutating func taken() -> String {
      defer { text.removeAll() }
      return PlainText.collapsed(String(decoding: text, as: UTF8.self))
    }

    private mutating func endSpeaker() {
      let name = taken()
      speaker = name.hasSuffix(":") ? PlainText.collapsed(String(name.dropLast())) : name
    }

    private mutating func endParagraph() {
      let said = taken()
      guard !said.isEmpty else { return }
      segments.append(TranscriptSegment(start: start, speaker: speaker, text: said))
    }
  }
}
