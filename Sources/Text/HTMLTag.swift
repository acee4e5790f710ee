/// The names of HTML's elements, by what they mean for text.
package enum HTMLTag {
  enum Kind {
    /// Changes how a word looks, and separates none.
    case inline
    /// Begins a line.
    case block
    /// Begins a line behind an empty one.
    case paragraph
    /// Has content that is not shown.
    case hidden
    /// Any other element: it separates words.
    case other
  }

  /// Nil for a name that is no element of HTML: `<3` and `List<Int>` are text.
  static func kind(_ name: String) -> Kind? { kinds[name] ?? (isOffice(name) ? .inline : nil) }

  /// The same where other elements show that the text is HTML: there `<source>` is no word.
  static func kindInHTML(_ name: String) -> Kind? { kind(name) ?? controls[name] }

  /// True for an element of HTML in lower case that no feed has one of the same name as, and for a comment.
  package static func isKnown(_ name: String) -> Bool { kinds[name] != nil || name == "!" }

  /// `<o:p>` and `<st1:place>` of a word processor; `<c:forEach>` is text.
  private static func isOffice(_ name: String) -> Bool {
    guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return ["o", "v", "w", "m", "st1"].contains(name[..<colon])
  }

  /// True where the content is for browsers only.
  static func isCode(_ name: String) -> Bool { name == "script" || name == "style" }

  /// True for the elements that may stand inside a word.
  static func joinsWords(_ name: String) -> Bool {
    switch name {
    case "a", "b", "i", "u", "em", "strong", "span", "code", "small", "mark", "font": true
    default: false
    }
  }

  private static let kinds = table([
    (inline, .inline), (blocks, .block), (paragraphs, .paragraph), (hidden, .hidden), (others, .other),
  ])

  /// Elements of pictures, forms, columns and ruby, some of which have the name of a feed's element: `<source>`.
  private static let controls = table([
    (["label", "ruby", "rb", "rt", "rtc", "rp"], .inline), (["menu", "hgroup", "dialog", "legend", "option"], .block),
    (["picture", "source", "track", "button", "input", "col", "colgroup", "map", "area", "canvas", "param"], .other),
  ])

  private static func table(_ lists: [(names: [String], kind: Kind)]) -> [String: Kind] {
    var table: [String: Kind] = [:]
    for list in lists { for name in list.names { table[name] = list.kind } }
    return table
  }

  private static let hidden = [
    "script", "style", "head", "noscript", "template", "svg", "iframe", "object", "math", "title", "textarea", "select",
  ]
  private static let blocks = [
    "div", "section", "article", "header", "footer", "main", "aside", "nav", "address", "figure", "figcaption", "dl",
    "dt", "dd", "form", "fieldset", "center", "body", "html", "tr", "caption", "summary", "details",
  ]
  private static let paragraphs = [
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "table", "pre", "hr",
  ]
  private static let inline = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "img",
  ]
  private static let others = [
    "br", "ul", "ol", "li", "td", "th", "tbody", "thead", "tfoot", "video", "audio", "applet", "blink", "embed",
    "frame", "frameset", "link", "marquee", "meta", "nobr",
  ]
}
