import PodcastModel
internal import Text

/// WebVTT and SubRip: blocks of lines with an arrow between two times.
enum CueText {
  enum Style { case webVTT, subRip }

  private enum Line {
    case text
    case times(start: Double, end: Double?)
    /// WebVTT drops the cue of such a line.
    case unreadableTimes
  }

  static func segments(_ text: String, style: Style) -> [TranscriptSegment] {
    var segments: [TranscriptSegment] = []
    var times: (start: Double, end: Double?)?
    var body: [Substring] = []
    func endCue() {
      append(body, times, style, to: &segments)
      times = nil
      body.removeAll()
    }
    for line in TextLines.split(text) {
      switch kind(of: line, style) {
      case .times(let start, let end):
        // Some SubRip files lack the blank line between cues: then the next cue's number is the last line of the body.
        if body.last?.allSatisfy(\.isNumber) == true { body.removeLast() }
        endCue()
        times = (start, end)
      case .unreadableTimes: endCue()
      case .text where line.isEmpty: endCue()
      // A line of blanks ends no cue.
      case .text where line.allSatisfy(\.isWhitespace): break
      case .text: body.append(line)
      }
    }
    return WordByWord.joined(segments)
  }

  private static func kind(of line: Substring, _ style: Style) -> Line {
    guard let arrow = line.firstRange(of: "-->") else { return .text }
    let start = time(line[..<arrow.lowerBound])
    let end = time(line[arrow.upperBound...].drop(while: \.isWhitespace).prefix { !$0.isWhitespace })
    if let start, end != nil || style == .subRip { return .times(start: start, end: end) }
    return style == .subRip ? .text : .unreadableTimes
  }

  /// SubRip has a comma before the fraction.
  private static func time(_ text: Substring) -> Double? { DurationText.seconds(String(text)) }

  private static func append(
    _ body: [Substring], _ times: (start: Double, end: Double?)?, _ style: Style, to segments: inout [TranscriptSegment]
  ) {
    guard let times, !body.isEmpty else { return }
    let text = body.joined(separator: " ")
    let voices = style == .webVTT ? WebVTTText.voices(text) : subRip(text)
    for voice in voices where !voice.text.isEmpty {
      var segment = TranscriptSegment(start: times.start, end: times.end, speaker: voice.speaker, text: voice.text)
      segment.wordStarts = WordByWord.starts(voice, from: times.start)
      segments.append(segment)
    }
  }

  /// Some SubRip files were WebVTT once, and have its voice tags.
  private static func subRip(_ body: String) -> [WebVTTText.Voice] {
    var voices: [WebVTTText.Voice] = []
    var speaker: String?
    var text: [UInt8] = []
    var tokens = HTMLTokenizer(withoutOverrides(body))
    while let token = tokens.next() {
      switch token {
      case .text(let bytes): HTMLTokenizer.appendDecoded(bytes, to: &text)
      case .tag(let tag) where tag.name == "v" && !tag.isEnd:
        voices.append(.init(speaker: speaker, text: PlainText.collapsed(String(decoding: text, as: UTF8.self))))
        text.removeAll()
        speaker = WebVTTText.voice(tag.source.dropFirst().dropLast())
      case .tag: break
      }
    }
    let rest = PlainText.collapsed(String(decoding: text, as: UTF8.self))
    if speaker == nil, let (name, said) = SpeakerPrefix.split(rest) {
      return voices + [.init(speaker: name, text: said)]
    }
    return voices + [.init(speaker: speaker, text: rest)]
  }

  /// The text without `{\an8}` and the other commands of SubStation Alpha.
  private static func withoutOverrides(_ text: String) -> String {
    var output = ""
    var rest = text[...]
    while let open = rest.firstRange(of: "{\\"), let close = rest[open.upperBound...].firstIndex(of: "}") {
      output += rest[..<open.lowerBound]
      rest = rest[rest.index(after: close)...]
    }
    return output + rest
  }
}

enum TextLines {
  /// The lines and an empty last one, which ends the open paragraph or cue.
  static func split(_ text: String) -> [Substring] {
    let lines: [Substring] = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines + [""]
  }
}

/// `Anna Bell: Good morning`
enum SpeakerPrefix {
  static func split(_ text: String) -> (name: String, rest: String)? {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
    let name = text[..<colon]
    let rest = text[text.index(after: colon)...]
    guard name.count <= 40, name.split(separator: " ").count <= 4, rest.first == " ", name.first?.isUppercase == true,
      name.allSatisfy({ $0.isLetter || $0.isNumber || " .'-&".contains($0) })
    else { return nil }
    return (String(name), PlainText.collapsed(String(rest)))
  }
}
