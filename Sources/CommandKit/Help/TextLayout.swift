/// The looks of help on a screen: its width, the measure of a text's width, and the paint of a role.
package struct TextStyle: Sendable {
  let width: Int
  let measure: @Sendable (String) -> Int
  let paint: @Sendable (String, Role) -> String

  /// The default is plain text at 80 columns.
  package init(
    width: Int = 80, measure: @escaping @Sendable (String) -> Int = { $0.count },
    paint: @escaping @Sendable (String, Role) -> String = { text, _ in text }
  ) {
    self.width = min(max(width, 20), 100)
    self.measure = measure
    self.paint = paint
  }
}

/// Lays blocks out as lines that fit a width.
struct TextLayout {
  private let style: TextStyle
  /// The width of the first column, the same all over the page; nil where the screen is too narrow for two columns.
  private let column: Int?
  private var page = ""
  private var followsHeading = false

  private static let indent = 2
  private static let gap = 2

  static func text(_ blocks: [Block], in style: TextStyle) -> String {
    var layout = TextLayout(style: style, terms: blocks.flatMap(\.terms))
    for block in blocks { layout.add(block) }
    return layout.page
  }

  private init(style: TextStyle, terms: [[Span]]) {
    self.style = style
    let widths = terms.map { $0.reduce(0) { $0 + style.measure($1.text) } }
    let widest = widths.filter { $0 <= style.width / 3 }.max()
    column = widest.flatMap { style.width - $0 < 28 ? nil : $0 + Self.gap }
  }

  private mutating func add(_ block: Block) {
    // An empty line parts blocks, but not a heading from the block below it.
    if !page.isEmpty, !followsHeading { page += "\n" }
    followsHeading = false
    switch block {
    case .heading(let title):
      add([Span(title, .heading)], indent: 0)
      followsHeading = true
    case .paragraph(let text): add(spans(text), indent: Self.indent)
    case .definitions(let definitions): add(definitions)
    case .verbatim(let text):
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        page += (line.isEmpty ? "" : blanks(Self.indent * 2) + line) + "\n"
      }
    case .examples(let examples): add(examples)
    }
  }

  private mutating func add(_ text: [Span], indent: Int) {
    for line in wrap(text, width: style.width - indent) { write(line, after: indent) }
  }

  private mutating func add(_ examples: [Example]) {
    for example in examples {
      // Never broken, so that it can be copied as one line.
      page += blanks(Self.indent) + style.paint(example.line, .literal) + "\n"
      add(spans(example.explanation), indent: Self.indent * 3)
    }
  }

  /// A term too long for its column has a line of its own; on a narrow screen every term does.
  private mutating func add(_ definitions: [Definition]) {
    let hang = Self.indent + (column ?? Self.indent * 2)
    for definition in definitions {
      var meaning = wrap(definition.meaning, width: style.width - hang)[...]
      page += blanks(Self.indent)
      paint(definition.term)
      let room = hang - Self.indent - measure(definition.term)
      if column != nil, room >= Self.gap, let first = meaning.popFirst() {
        page += blanks(room)
        paint(first)
      }
      page += "\n"
      for line in meaning { write(line, after: hang) }
    }
  }

  // MARK: Words

  private func measure(_ spans: [Span]) -> Int { spans.reduce(0) { $0 + style.measure($1.text) } }

  private mutating func write(_ line: [Span], after indent: Int) {
    page += blanks(indent)
    paint(line)
    page += "\n"
  }

  /// Joins neighbours of one role, so that each stretch is painted once.
  private mutating func paint(_ spans: [Span]) {
    var (stroke, role) = ("", Role.plain)
    for span in spans {
      if span.role != role {
        if !stroke.isEmpty { page += style.paint(stroke, role) }
        (stroke, role) = ("", span.role)
      }
      stroke += span.text
    }
    if !stroke.isEmpty { page += style.paint(stroke, role) }
  }

  /// `String(repeating:count:)` takes a twentieth of a page's time.
  private func blanks(_ count: Int) -> String {
    String(unsafeUninitializedCapacity: count) { bytes in
      bytes.initialize(repeating: 0x20)
      return count
    }
  }

  /// Breaks at blanks only.
  private func wrap(_ text: [Span], width: Int) -> [[Span]] {
    if text.allSatisfy(\.hasSingleBlanks), measure(text) <= width { return [text] }
    var lines: [[Span]] = []
    var line: [Span] = []
    var used = 0
    for word in words(text) {
      let size = measure(word)
      if used > 0, used + 1 + size > width {
        lines.append(line)
        (line, used) = ([], 0)
      }
      if used > 0 { line.append(Span(" ", sharedRole(line.last, word.first))) }
      line += word
      used += size + (used > 0 ? 1 : 0)
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// The role of the blank between two spans: theirs, if they share it, so that an underline does not break.
  private func sharedRole(_ left: Span?, _ right: Span?) -> Role {
    left?.role == right?.role ? left?.role ?? .plain : .plain
  }

  /// Splits spans at blanks; a word may have several roles, as in `--start`=TIME.
  private func words(_ text: [Span]) -> [[Span]] {
    var words: [[Span]] = [[]]
    for span in text {
      for (index, part) in pieces(of: span.text, at: " ").enumerated() {
        if index > 0 { words.append([]) }
        if !part.isEmpty { words[words.count - 1].append(Span(part, span.role)) }
      }
    }
    return words.filter { !$0.isEmpty }
  }
}

extension Span {
  /// Splitting it into words, and joining these by blanks, would make the same text.
  fileprivate var hasSingleBlanks: Bool {
    text != " "
      && text.utf8.withContiguousStorageIfAvailable { bytes in
        zip(bytes, bytes.dropFirst()).allSatisfy { $0 != 0x20 || $1 != 0x20 }
      } == true
  }
}

extension Block {
  fileprivate var terms: [[Span]] {
    if case .definitions(let definitions) = self { definitions.map(\.term) } else { [] }
  }
}
