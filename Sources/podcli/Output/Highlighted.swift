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
      append(bytes[end..<match.lowerBound], isMatch: false)
      append(bytes[match], isMatch: true)
      end = match.upperBound
    }
    append(bytes[end...], isMatch: false)
    if let first = pieces.first { pieces[0].text = String(first.text.drop { $0 == " " }) }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>, isMatch: Bool) {
    guard !bytes.isEmpty else { return }
    // `CleanText` drops blanks at the start of a line, and this may be the middle of one.
    let text = CleanText.line("x" + String(decoding: bytes, as: UTF8.self))
    pieces.append((String(text.dropFirst()), isMatch))
  }

  /// With less of its beginning where that would leave the first match out of a line of this width.
  func withFirstMatch(within width: Int) -> Highlighted {
    guard pieces.count > 1, !pieces[0].isMatch else { return self }
    let match = DisplayWidth.of(pieces[1].text)
    guard DisplayWidth.of(pieces[0].text) + match > width else { return self }
    let room = max(1, min(width / 3, width - match))
    var lead = Substring(pieces[0].text)
    while DisplayWidth.of(String(lead)) >= room, !lead.isEmpty { lead.removeFirst() }
    var other = self
    other.pieces[0].text = "…" + lead
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
