/// A text in which control characters stand around the found words.
struct MarkedText {
  static let opening = "\u{1}"
  static let closing = "\u{2}"

  private(set) var text = ""
  /// In bytes of the text's UTF-8.
  private(set) var matches: [Range<Int>] = []
  /// The first found word, as it is spelled in the text.
  private(set) var first = ""

  /// Nil when nothing is marked.
  init?(_ marked: String) {
    var bytes: [UInt8] = []
    var start: Int?
    for byte in marked.utf8 {
      switch byte {
      case 1: start = bytes.count
      case 2:
        if let start { matches.append(start..<bytes.count) }
        start = nil
      // A snippet is one line.
      case 9, 10, 13: bytes.append(32)
      default: bytes.append(byte)
      }
    }
    guard let match = matches.first else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
    first = String(decoding: bytes[match], as: UTF8.self)
  }
}
