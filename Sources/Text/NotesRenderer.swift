/// Renders show notes as lines of text.
struct NotesRenderer {
  private let baseURL: String?
  private var output: [UInt8] = []
  private var links: [String] = []
  private var numbers: [String: Int] = [:]

  private var pendingBreaks = 0
  private var hasPendingBlank = false
  private var isHTML = false
  private var isVerbatim = false
  /// The open lists, outermost first.
  private var lists: [List] = []
  /// The number of open quotations outside lists; each of their lines begins with a mark.
  private var quotations = 0
  /// Nothing stands behind the bullet yet.
  private var isEntryEmpty = false
  private var isFirstEntry = false
  /// Of the lines behind a `<br>` in an entry.
  private var entryIndent = 0
  private var openLink: (address: String, start: Int)?
  private var isFirstCell = true

  /// A longer base is ignored, as each relative link would repeat it.
  private static let longestBase = 8 << 10
  /// All links together, in bytes. Further ones stay text.
  private static let mostLinkBytes = 256 << 10
  private var linkBytes = 0

  private struct List {
    /// The number of the next entry. Nil for bullets.
    var number: Int?
    /// Of an entry's text.
    var indent: Int
  }

  init(baseURL: String?) { self.baseURL = baseURL.flatMap { $0.utf8.count <= Self.longestBase ? $0 : nil } }

  mutating func render(_ html: String) -> PlainText.Notes {
    // Notes without a tag are plain text, whose line breaks are kept.
    isHTML = PlainText.hasTag(html)
    isVerbatim = !isHTML
    var tokens = HTMLTokenizer(html)
    while let token = tokens.next() {
      switch token {
      case .text(let bytes): append(bytes)
      case .tag(let tag): handle(tag, &tokens)
      }
    }
    closeLink()
    return PlainText.Notes(text: trimmedOutput(), links: links)
  }

  private func trimmedOutput() -> String {
    let text = String(decoding: output, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let trimmed = lines.map { line in line.lastIndex { $0 != " " }.map { line[...$0] } ?? "" }
    let first = trimmed.firstIndex { !$0.isEmpty } ?? 0
    let last = trimmed.lastIndex { !$0.isEmpty } ?? -1
    return last < first ? "" : trimmed[first...last].joined(separator: "\n")
  }

  // MARK: - Text

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    var decoded: [UInt8] = []
    HTMLTokenizer.appendDecoded(bytes, to: &decoded)
    // A reference may stand for a control character.
    for byte in decoded where byte >= 0x20 || ASCII.isBlank(byte) {
      if isVerbatim {
        // The indentation of plain text is mostly that of the feed's elements.
        if !isHTML, ASCII.isBlank(byte), byte != 0x0A, output.isEmpty || pendingBreaks > 0 { continue }
        if byte == 0x0A { pendingBreaks += 1 } else if byte != 0x0D { emit(byte) }
      } else if ASCII.isBlank(byte) {
        hasPendingBlank = true
      } else {
        emit(byte)
      }
    }
  }

  private mutating func append(_ text: String) { for byte in text.utf8 { emit(byte) } }

  private mutating func emit(_ byte: UInt8) {
    if pendingBreaks > 0 {
      let isLinkEmpty = openLink?.start == output.count
      if !output.isEmpty { output += repeatElement(UInt8(ascii: "\n"), count: min(pendingBreaks, 2)) }
      for _ in 0..<quotations { output += "> ".utf8 }
      output += repeatElement(0x20, count: entryIndent)
      if isLinkEmpty { openLink?.start = output.count }
      pendingBreaks = 0
      hasPendingBlank = false
    } else if hasPendingBlank {
      if let last = output.last, last != 0x20, last != 0x0A { output.append(0x20) }
      hasPendingBlank = false
    }
    output.append(byte)
    isEntryEmpty = false
  }

  private mutating func breakLine(_ count: Int = 1) {
    pendingBreaks = max(pendingBreaks, count)
    (hasPendingBlank, entryIndent) = (false, 0)
  }

  // MARK: - Tags

  private mutating func handle(_ tag: HTMLTokenizer.Tag, _ tokens: inout HTMLTokenizer) {
    switch tag.name {
    case "!": break
    case "br": pendingBreaks += 1
    case "a": handleLink(tag)
    case "ul", "ol": handleList(tag)
    case "li": if tag.isEnd { breakLine() } else { openListEntry(tag) }
    case "td", "th": handleCell(tag)
    case "img":
      if let text = tag.attribute("alt"), !PlainText.collapsed(text).isEmpty {
        append("[\(PlainText.collapsed(text))]")
      }
    case "hr": appendRule()
    case "pre": handleVerbatim(tag)
    case "blockquote": handleQuotation(tag)
    default: handle(isHTML ? HTMLTag.kindInHTML(tag.name) : HTMLTag.kind(tag.name), tag, &tokens)
    }
  }

  private mutating func handle(_ kind: HTMLTag.Kind?, _ tag: HTMLTokenizer.Tag, _ tokens: inout HTMLTokenizer) {
    switch kind {
    // Without an end it is only a word: `We talk about the <select> element`.
    case .hidden: if !tag.isEnd, !tokens.skipElement(tag.name) { append(tag.source) }
    case .paragraph: breakText(2)
    case .block: openBlock()
    case .inline, .other: break
    case nil: append(tag.source)
    }
  }

  /// The text of a list's entry stands behind its bullet, also where it is a paragraph: `<li><p>`.
  private mutating func breakText(_ count: Int) {
    if !isEntryEmpty { breakLine(count) }
  }

  private mutating func openBlock() {
    breakText(1)
    isFirstCell = true
  }

  private mutating func handleVerbatim(_ tag: HTMLTokenizer.Tag) {
    breakLine(2)
    isVerbatim = !tag.isEnd
  }

  private mutating func handleQuotation(_ tag: HTMLTokenizer.Tag) {
    breakText(2)
    guard lists.isEmpty else { return }
    quotations = min(max(0, quotations + (tag.isEnd ? -1 : 1)), 8)
  }

  private mutating func appendRule() {
    breakLine(2)
    append("———")
    breakLine(2)
  }

  private mutating func handleCell(_ tag: HTMLTokenizer.Tag) {
    guard !tag.isEnd else { return }
    if !isFirstCell { append(" | ") }
    hasPendingBlank = false
    isFirstCell = false
  }

  // MARK: - Lists

  private mutating func handleList(_ tag: HTMLTokenizer.Tag) {
    if tag.isEnd {
      _ = lists.popLast()
    } else if lists.count < 16 {
      let start = tag.attribute("start").flatMap { Int($0) } ?? 1
      lists.append(List(number: tag.name == "ol" ? start : nil, indent: (lists.last?.indent ?? 0) + 2))
    }
    isFirstEntry = !tag.isEnd
    if lists.count + (tag.isEnd ? 1 : 0) > 1 { breakLineOnce() } else { breakLine(2) }
    // The text behind it belongs to the outer list's entry.
    if tag.isEnd { entryIndent = lists.last?.indent ?? 0 }
  }

  /// Also behind a paragraph.
  private mutating func breakLineOnce() {
    pendingBreaks = 1
    (hasPendingBlank, entryIndent) = (false, 0)
  }

  private mutating func openListEntry(_ tag: HTMLTokenizer.Tag) {
    if isFirstEntry || lists.isEmpty { breakLine() } else { breakLineOnce() }
    isFirstEntry = false
    let indent = lists.dropLast().last?.indent ?? 0
    var bullet = "• "
    if let next = lists.last?.number {
      let number = tag.attribute("value").flatMap { Int($0) } ?? next
      bullet = "\(number). "
      lists[lists.count - 1].number = number &+ 1
    }
    append(String(repeating: " ", count: indent) + bullet)
    isEntryEmpty = true
    entryIndent = min(indent + bullet.count, 40)
    if !lists.isEmpty { lists[lists.count - 1].indent = entryIndent }
  }

  // MARK: - Links

  private mutating func handleLink(_ tag: HTMLTokenizer.Tag) {
    closeLink()
    guard !tag.isEnd, let reference = tag.attribute("href"), !reference.isEmpty, !reference.hasPrefix("#") else {
      return
    }
    let address = WebURL.resolve(reference, against: baseURL)
    let scheme = WebURL(address).scheme
    guard scheme != "javascript", scheme != "data" else { return }
    openLink = (address, output.count)
  }

  /// Appends the number of the open link, unless its text is its URL.
  private mutating func closeLink() {
    guard let (address, start) = openLink else { return }
    openLink = nil
    let text = PlainText.collapsed(String(decoding: output[min(start, output.count)...], as: UTF8.self))
    guard !text.isEmpty, !Self.isSame(text, address) else { return }
    guard let number = number(of: address) else { return }
    // Behind the text also where a block ends within the link: `<a><div>text</div></a>`.
    let (breaks, isEmpty) = (pendingBreaks, isEntryEmpty)
    pendingBreaks = 0
    append(" [\(number)]")
    (pendingBreaks, isEntryEmpty) = (breaks, isEmpty)
  }

  private static func isSame(_ text: String, _ address: String) -> Bool {
    text == address || address == "mailto:" + text || address.hasSuffix("://" + text)
      || address.hasSuffix("://\(text)/")
  }

  private mutating func number(of address: String) -> Int? {
    if let number = numbers[address] { return number }
    guard linkBytes + address.utf8.count <= Self.mostLinkBytes else { return nil }
    linkBytes += address.utf8.count
    links.append(address)
    numbers[address] = links.count
    return links.count
  }
}
