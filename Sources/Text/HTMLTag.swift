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
  static func kind(_ name: String) -> Kind? { kinds[name] }

  /// True for an element of HTML in lower case, and for a comment.
  package static func isKnown(_ name: String) -> Bool { kind(name) != nil || name == "!" }

  /// True where the content is for browsers only.
  static func isCode(_ name: String) -> Bool { name == "script" || name == "style" }

  /// True for the elements that may stand inside a word.
  static func joinsWords(_ name: String) -> Bool { joining.contains(name) }

  private static let joining: Set<String> = [
    "a", "b", "i", "u", "em", "strong", "span", "code", "small", "mark", "font",
  ]

  private static let kinds: [String: Kind] = {
    var kinds: [String: Kind] = [:]
    func add(_ names: [String], _ kind: Kind) { for name in names { kinds[name] = kind } }
    add(inline, .inline)
    add(blocks, .block)
    add(paragraphs, .paragraph)
    add(hidden, .hidden)
    add(others, .other)
    return kinds
  }()

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
