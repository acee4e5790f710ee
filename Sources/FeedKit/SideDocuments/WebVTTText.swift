internal import Text

/// The text of a WebVTT cue, by its standard: every `<` begins a tag, and references are those of HTML.
struct WebVTTText {
  /// The words of one of them, with the times inside: each holds from the word of that number on.
  struct Voice {
    var speaker: String?
    var text: String
    var times: [(word: Int, seconds: Double)] = []
  }

  private var voices: [Voice] = []
  private var speaker: String?
  private var text: [UInt8] = []
  private var times: [(word: Int, seconds: Double)] = []
  /// The words of the text up to that byte.
  private var words = (count: 0, end: 0, isInside: false)

  /// The text in the order of its speakers.
  static func voices(_ cue: String) -> [Voice] {
    var reader = WebVTTText()
    reader.read(Array((cue.utf8.contains(0) ? cue.replacing("\0", with: "\u{FFFD}") : cue).utf8)[...])
    return reader.voices
  }

  private mutating func read(_ cue: ArraySlice<UInt8>) {
    var rest = cue
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      Self.appendDecoded(rest[..<open], to: &text)
      let close = rest[open...].firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
      take(tag: rest[(open + 1)..<close])
      rest = rest[close...].dropFirst()
    }
    Self.appendDecoded(rest, to: &text)
    endVoice()
  }

  /// `<v.loud Name of Speaker>`, or a time such as `<00:41:05.200>`
  private mutating func take(tag: ArraySlice<UInt8>) {
    if let first = tag.first, Bytes.isDigit(first),
      let time = DurationText.seconds(String(decoding: tag, as: UTF8.self))
    {
      countWords()
      times.append((words.count, time))
    }
    let name = tag.prefix { !Bytes.isBlank($0) && $0 != UInt8(ascii: ".") }
    guard name.elementsEqual("v".utf8) || name.elementsEqual("/v".utf8) else { return }
    endVoice()
    speaker = Self.voice(tag)
  }

  private mutating func countWords() {
    for byte in text[words.end...] {
      let isInside = !Bytes.isBlank(byte)
      if isInside && !words.isInside { words.count += 1 }
      words.isInside = isInside
    }
    words.end = text.count
  }

  /// The name in the inside of a voice tag.
  static func voice(_ tag: ArraySlice<UInt8>) -> String? {
    var words: [UInt8] = []
    appendDecoded(tag.drop { !Bytes.isBlank($0) }, to: &words)
    let name = PlainText.collapsed(String(decoding: words, as: UTF8.self))
    return name.isEmpty ? nil : name
  }

  private mutating func endVoice() {
    voices.append(
      Voice(speaker: speaker, text: PlainText.collapsed(String(decoding: text, as: UTF8.self)), times: times))
    text.removeAll()
    times.removeAll()
    words = (0, 0, false)
  }

  // MARK: - References

  private static func appendDecoded(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
    var rest = bytes
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
      output += rest[..<ampersand]
      let found = HTMLTokenizer.reference(in: rest, at: ampersand) ?? unended(in: rest, at: ampersand)
      output += UTF8.encode(found?.scalar ?? "&") ?? UTF8.encodedReplacementCharacter
      rest = rest[(found?.end ?? ampersand + 1)...]
    }
    output += rest
  }

  /// Old names and numbers need no semicolon, not even before other letters: `&ampx`.
  private static func unended(in bytes: ArraySlice<UInt8>, at ampersand: Int) -> (scalar: Unicode.Scalar, end: Int)? {
    var reference = bytes[ampersand...].prefix(longestUnended)
    while reference.count > 2 {
      let ended = Array(reference) + [UInt8(ascii: ";")]
      if let scalar = HTMLTokenizer.reference(in: ended[...], at: 0)?.scalar,
        isOld(scalar) || reference.dropFirst().first == UInt8(ascii: "#")
      {
        return (scalar, reference.endIndex)
      }
      reference.removeLast()
    }
    return nil
  }

  /// `&#x1F600`
  private static let longestUnended = 9

  /// The characters of ISO 8859-1, and those that markup needs.
  private static func isOld(_ scalar: Unicode.Scalar) -> Bool {
    0xA0...0xFF ~= scalar.value || ["&", "<", ">", "\""].contains(scalar)
  }
}
