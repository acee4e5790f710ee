/// HTML made into text for people: titles on one line, show notes as paragraphs with numbered links.
package enum PlainText {
  /// Text on one line: known markup removed, character references decoded, blanks collapsed.
  package static func line(_ html: String) -> String {
    guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return collapsed(html)
    }
    var tokens = HTMLTokenizer(html)
    var text: [UInt8] = []
    while let token = tokens.next() {
      switch token {
      case .text(let bytes): HTMLTokenizer.appendDecoded(bytes, to: &text)
      case .tag(let tag) where HTMLTag.isCode(tag.name) && !tag.isEnd: tokens.skipIfEnded(by: tag.name)
      case .tag(let tag) where HTMLTag.isInline(tag.name) || tag.isComment: break
      case .tag(let tag) where HTMLTag.isKnown(tag.name): text.append(UInt8(ascii: " "))
      case .tag(let tag): text += tag.source
      }
    }
    return collapsed(String(decoding: text, as: UTF8.self))
  }

  /// Every run of blanks as one blank, none at the ends.
  package static func collapsed(_ text: String) -> String {
    guard needsCollapsing(text) else { return text }
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      let isBlank = byte == 0x20 || (0x09...0x0D).contains(byte)
      if !isBlank { output.append(byte) } else if let last = output.last, last != 0x20 { output.append(0x20) }
    }
    if output.last == 0x20 { output.removeLast() }
    return String(decoding: output, as: UTF8.self)
  }

  private static func needsCollapsing(_ text: String) -> Bool {
    var previous: UInt8 = 0x20
    for byte in text.utf8 {
      if (0x09...0x0D).contains(byte) || (byte == 0x20 && previous == 0x20) { return true }
      previous = byte
    }
    return previous == 0x20
  }

  /// Show notes as text, and the addresses they link, in the order of the numbers in the text.
  package struct Notes: Hashable, Sendable {
    package var text: String
    package var links: [String]

    /// The text with the list of links at its end.
    package var textWithLinks: String {
      guard !links.isEmpty else { return text }
      let list = links.enumerated().map { "[\($0 + 1)] \($1)" }
      return text + (text.isEmpty ? "" : "\n\n") + list.joined(separator: "\n")
    }
  }

  /// Paragraphs, lists and tables as lines; scripts and styles gone; each link's number behind its text.
  package static func notes(_ html: String, baseURL: String? = nil) -> Notes {
    var renderer = NotesRenderer(baseURL: baseURL)
    return renderer.render(html)
  }
}

/// What the names of HTML's elements mean for text.
package enum HTMLTag {
  static let skipped: Set<String> = [
    "script", "style", "head", "noscript", "template", "svg", "iframe", "object", "math", "title", "textarea", "select",
  ]
  static let blocks: Set<String> = [
    "div", "section", "article", "header", "footer", "main", "aside", "nav", "address", "figure", "figcaption", "dl",
    "dt", "dd", "form", "fieldset", "center", "body", "html", "tr", "caption", "summary", "details",
  ]
  static let paragraphs: Set<String> = [
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "table", "pre", "hr",
  ]
  static let inline: Set<String> = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "img",
  ]
  private static let others: Set<String> = [
    "br", "ul", "ol", "li", "td", "th", "tbody", "thead", "tfoot", "video", "audio", "applet", "blink", "embed",
    "frame", "frameset", "link", "marquee", "meta", "nobr",
  ]

  /// What is inside is for browsers only.
  static func isCode(_ name: String) -> Bool { name == "script" || name == "style" }

  static func isInline(_ name: String) -> Bool { inline.contains(name) }

  /// A name that is no element of HTML is likelier a `<3` or a `List<Int>`.
  package static func isKnown(_ name: String) -> Bool {
    inline.contains(name) || blocks.contains(name) || paragraphs.contains(name) || others.contains(name)
      || skipped.contains(name) || name.hasPrefix("!") || name.hasPrefix("?")
  }
}
