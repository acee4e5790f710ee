/// The one way from HTML to text: titles on one line, show notes as paragraphs with numbered links, and the text that
/// the search index keeps.
package enum PlainText {
  /// Text on one line: known markup removed, character references decoded, blanks collapsed.
  package static func line(_ html: String) -> String {
    hasMarkup(html) ? String(decoding: collapsed(stripped(html)), as: UTF8.self) : collapsed(html)
  }

  /// HTML without its markup, character references decoded and blanks left as they are: the text to search in. Tags
  /// separate words unless they only change how a word looks; unknown ones do, too.
  package static func withoutMarkup(_ html: String) -> String {
    hasMarkup(html) ? String(decoding: searchable(html), as: UTF8.self) : html
  }

  private static func hasMarkup(_ html: String) -> Bool {
    html.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
    } ?? true
  }

  private static func searchable(_ html: String) -> [UInt8] {
    var tokens = HTMLTokenizer(html)
    var text: [UInt8] = []
    text.reserveCapacity(html.utf8.count)
    while let token = tokens.next() {
      switch token {
      case .text(let bytes):
        let start = text.count
        HTMLTokenizer.appendDecoded(bytes, to: &text)
        // SQLite's snippets end at a NUL.
        for index in start..<text.count where text[index] == 0 { text[index] = 0x20 }
      case .tag(let tag):
        if HTMLTag.isCode(tag.name), !tag.isEnd { tokens.skipIfEnded(by: tag.name) }
        if !HTMLTag.joinsWords(tag.name) { text.append(UInt8(ascii: " ")) }
      }
    }
    return text
  }

  private static func stripped(_ html: String) -> [UInt8] {
    var tokens = HTMLTokenizer(html)
    var text: [UInt8] = []
    text.reserveCapacity(html.utf8.count)
    while let token = tokens.next() {
      switch token {
      case .text(let bytes): HTMLTokenizer.appendDecoded(bytes, to: &text)
      case .tag(let tag) where tag.isComment: break
      case .tag(let tag):
        switch HTMLTag.kind(tag.name) {
        case .inline: break
        case .hidden where HTMLTag.isCode(tag.name) && !tag.isEnd: tokens.skipIfEnded(by: tag.name)
        case .some: text.append(UInt8(ascii: " "))
        case nil: text += tag.source
        }
      }
    }
    // A reference may stand for a control character.
    text.removeAll { $0 < 0x20 && !ASCII.isBlank($0) }
    return text
  }

  /// Plain text whose angle brackets HTML would take for tags, with these escaped. Text that is HTML in spite of its type
  /// stays as it is, and so does what is too long to be meant.
  package static func escaped(_ text: String) -> String {
    guard text.utf8.count <= longestEscaped, hasTag(text, where: { _ in true }), !hasTag(text, where: isCertain) else {
      return text
    }
    return text.replacing("<", with: "&lt;")
  }

  private static let longestEscaped = 1 << 20

  /// An end tag, a break or an attribute: in text about HTML, elements are named without.
  private static func isCertain(_ tag: HTMLTokenizer.Tag) -> Bool {
    tag.isEnd || ["br", "p", "hr"].contains(tag.name) || tag.source.contains(UInt8(ascii: "="))
  }

  static func hasTag(_ text: String, where isWanted: (HTMLTokenizer.Tag) -> Bool = { _ in true }) -> Bool {
    var tokens = HTMLTokenizer(text)
    while let token = tokens.next() {
      if case .tag(let tag) = token, HTMLTag.isKnown(tag.name), isWanted(tag) { return true }
    }
    return false
  }

  /// The text with every run of blanks as one space, none at the ends, and no ASCII control characters but DEL.
  package static func collapsed(_ text: String) -> String {
    needsCollapsing(text) ? String(decoding: collapsed(Array(text.utf8)), as: UTF8.self) : text
  }

  private static func collapsed(_ text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    for byte in text {
      if byte > 0x20 {
        output.append(byte)
      } else if ASCII.isBlank(byte), let last = output.last, last != 0x20 {
        output.append(0x20)
      }
    }
    if output.last == 0x20 { output.removeLast() }
    return output
  }

  private static func needsCollapsing(_ text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      var previous: UInt8 = 0x20
      for byte in bytes {
        if byte < 0x20 || (byte == 0x20 && previous == 0x20) { return true }
        previous = byte
      }
      return previous == 0x20
    } ?? true
  }

  /// Show notes as text, and the URLs of their links in the order of the numbers in the text.
  package struct Notes: Hashable, Sendable {
    /// Lines of text, in which `[1]` refers to the first link.
    package var text: String
    package var links: [String]

    /// The text with the list of links at its end.
    package var textWithLinks: String {
      guard !links.isEmpty else { return text }
      let list = links.enumerated().map { "[\($0 + 1)] \($1)" }
      return text + (text.isEmpty ? "" : "\n\n") + list.joined(separator: "\n")
    }
  }

  /// Show notes with paragraphs, lists and tables as lines, without scripts and styles. Each link has its number behind
  /// its text.
  package static func notes(_ html: String, baseURL: String? = nil) -> Notes {
    var renderer = NotesRenderer(baseURL: baseURL)
    return renderer.render(html)
  }
}
