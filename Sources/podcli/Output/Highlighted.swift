import PodcastModel
import ScreenKit

/// Text with highlighted matches: cleaned, cut to the screen, painted. Pure.
struct Highlighted {
  private(set) var pieces: [(text: String, isMatch: Bool)] = []

  /// `matches` are offsets in the text's UTF-8.
  init(_ text: String, matches: [Range<Int>]) {
    let bytes = Array(text.utf8)
    var end = 0
    for match in matches where match.lowerBound >= end && match.upperBound <= bytes.count {
      append(bytes[end..<match.lowerBound], isMatch: false, keepsEnd: end == 0)
      end = match.upperBound + Self.marks(in: text, at: match.upperBound)
      append(bytes[match.lowerBound..<end], isMatch: true)
    }
    append(bytes[end...], isMatch: false)
    if let first = pieces.first { pieces[0].text = String(first.text.drop { $0 == " " }) }
  }

  /// Of a long text `CleanText` keeps the beginning; `keepsEnd`: the end, as a match follows.
  private mutating func append(_ bytes: ArraySlice<UInt8>, isMatch: Bool, keepsEnd: Bool = false) {
    guard !bytes.isEmpty else { return }
    var piece = String(decoding: bytes, as: UTF8.self)
    if keepsEnd, piece.count > 400 { piece = "…" + piece.suffix(400) }
    // `CleanText` drops blanks at the start of a line, and this may be the middle of one.
    let text = CleanText.line("x" + piece)
    pieces.append((String(text.unicodeScalars.dropFirst()), isMatch))
  }

  /// The bytes of the combining marks at a byte of the text: they belong to the letter before.
  private static func marks(in text: String, at byte: Int) -> Int {
    let start = text.utf8.index(text.startIndex, offsetBy: byte)
    return text.unicodeScalars[start...].prefix { scalar in
      [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }.reduce(0) { $0 + UTF8.width($1) }
  }

  /// With less of its beginning where that would leave the first match out of a line of this width.
  func withFirstMatch(within width: Int) -> Highlighted {
    guard pieces.count > 1, !pieces[0].isMatch else { return self }
    let match = DisplayWidth.of(pieces[1].text)
    // The ellipsis behind it.
    let end = pieces.count > 2 ? 1 : 0
    guard DisplayWidth.of(pieces[0].text) + match + end > width else { return self }
    var room = max(0, min(width / 3, width - match - end) - 1)
    let lead = pieces[0].text.reversed().prefix { letter in
      room -= DisplayWidth.of(String(letter))
      return room >= 0
    }
    var other = self
    other.pieces[0].text = "…" + String(lead.reversed())
    return other
  }

  /// The matched words.
  var words: [String] { pieces.filter(\.isMatch).map(\.text) }

  func rendered(width: Int, _ paint: Paint) -> String {
    var left = width
    var line = ""
    for piece in withFirstMatch(within: width).pieces {
      let text = DisplayWidth.fitted(piece.text, to: left)
      line += piece.isMatch ? paint.bold(text) : text
      left -= DisplayWidth.of(text)
      guard text == piece.text else { break }
    }
    return line
  }
}
