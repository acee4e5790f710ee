import PodcastModel

/// Makes any text well-formed XML before libxml2 sees it, because libxml2's own recovery loses text for good.
///
/// Bytes come in as UTF-8 (more or less), in chunks; what comes out is UTF-8 without declarations, comments and
/// processing instructions, whose tags match and whose references are all understood. On a clean document it only
/// looks. Everything it looks ahead for is bounded, so its time is linear.
struct XMLRepair: ~Copyable {
  private var output = RepairOutput()
  private(set) var failure: FeedError?
  private(set) var page = WebPage()

  let limits: FeedLimits
  let warnings: Warnings
  private let kinds: ElementKinds
  /// Bytes from 0x80 up are windows-1252, not UTF-8.
  var isWindows1252 = false

  private enum State { case markup, data, comment, instruction, declaration }
  private var state = State.markup
  private var declaration = DeclarationSkipper()
  var elements = OpenElements()
  private(set) var isOver = false

  private var pending: [UInt8] = []
  /// Not worth another look before there are so many bytes: a token that grows is looked at a few times only.
  private var pendingGoal = 0
  /// The line of `countedTo` in the chunk at hand; only warnings need to know it exactly.
  private var lines = 1
  private var chunk = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  private var countedTo = 0
  private var position = 0
  private var hasLongCharacters = false
  /// No more bytes will come: what is incomplete stays so.
  private var isLast = false
  private(set) var byteCount = 0
  /// Bytes that are done with.
  private(set) var usedCount = 0

  init(kinds: ElementKinds, limits: FeedLimits, warnings: Warnings) {
    self.kinds = kinds
    self.limits = limits
    self.warnings = warnings
  }

  // MARK: - Chunks

  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, flush: RepairedPiece.Sink) {
    byteCount += bytes.count
    guard byteCount <= limits.documentBytes else {
      failure = FeedError(.limit, "the document is larger than \(limits.documentBytes) bytes")
      return
    }
    self.isLast = isLast
    if pending.isEmpty {
      let used = process(bytes, flush)
      keep(UnsafeBufferPointer(rebasing: bytes[used...]))
    } else {
      pending.append(contentsOf: bytes)
      guard pending.count >= pendingGoal || isLast else { return }
      let waiting = pending
      pending = []
      waiting.withUnsafeBufferPointer { waiting in
        let used = process(waiting, flush)
        keep(UnsafeBufferPointer(rebasing: waiting[used...]))
      }
    }
  }

  private mutating func keep(_ rest: UnsafeBufferPointer<UInt8>) {
    guard !rest.isEmpty, !isOver, failure == nil else { return }
    pending.append(contentsOf: rest)
    pendingGoal = rest.count * 2
    if rest.count > limits.tagBytes {
      failure = FeedError(.limit, "a tag is longer than \(limits.tagBytes) bytes")
    }
  }

  /// Returns how many bytes are done with.
  private mutating func process(_ bytes: UnsafeBufferPointer<UInt8>, _ flush: RepairedPiece.Sink) -> Int {
    var index = 0
    chunk = bytes
    output.begin(bytes)
    countedTo = 0
    while index < bytes.count, !isOver, failure == nil {
      position = index
      let next = step(bytes, index)
      guard next > index else { break }
      index = next
      if output.isLarge { output.flush(flush) }
    }
    position = index
    usedCount += index
    countLines()
    output.flush(flush)
    chunk = UnsafeBufferPointer(start: nil, count: 0)
    return index
  }

  private mutating func countLines() {
    lines += ByteScan.countLines(UnsafeBufferPointer(rebasing: chunk[countedTo..<position]))
    countedTo = position
  }

  /// Goes over one stretch or token. Returns where it ends; the same index when more bytes are needed.
  private mutating func step(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    switch state {
    case .markup: bytes[index] == UInt8(ascii: "<") ? markup(bytes, index) : text(bytes, index)
    case .data: data(bytes, index)
    case .comment: skip(to: "-->", bytes, index)
    case .instruction: skip(to: ">", bytes, index)
    case .declaration:
      if let end = declaration.end(in: bytes, from: index) { leaveDeclaration(end) } else { bytes.count }
    }
  }

  private mutating func leaveDeclaration(_ end: Int) -> Int {
    state = .markup
    return end
  }

  /// Skips what is not for the parser, keeping back what could be the beginning of the end mark.
  private mutating func skip(to mark: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    if let end = ByteScan.first(mark, in: bytes, from: index) {
      state = .markup
      return end + mark.utf8CodeUnitCount
    }
    return isLast ? bytes.count : max(index, bytes.count - mark.utf8CodeUnitCount + 1)
  }

  // MARK: - Text

  private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    guard !elements.isEmpty else { return textOutside(bytes, index) }
    if let end = endOfIndentation(bytes, index) { return end }
    let end = endOfText(bytes, from: index, .text)
    if end > index {
      output.add(text: index..<end)
      return end
    }
    switch bytes[index] {
    case UInt8(ascii: "&"): return reference(bytes, index)
    case UInt8(ascii: "]"): return bracket(bytes, index)
    default: return unusual(bytes, index)
    }
  }

  /// Blanks between the elements of a channel or an episode are nobody's text.
  @inline(__always)
  private func endOfIndentation(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    guard bytes[start] <= 0x20, elements.isBetweenElements else { return nil }
    var index = start
    while index < bytes.count, isXMLBlank(bytes[index]) { index += 1 }
    return index < bytes.count && bytes[index] == UInt8(ascii: "<") ? index : nil
  }

  @inline(__always) private func isXMLBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  /// Behind the stretch in which every byte stands for itself.
  @inline(__always)
  private mutating func endOfText(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ stops: ByteScan.Stops
  ) -> Int {
    var index = start
    while true {
      index = ByteScan.endOfPlain(bytes, from: index, stops)
      guard index < bytes.count else { return index }
      switch bytes[index] {
      case 0x0A, 0x09: index += 1
      case UInt8(ascii: "]"):
        guard index + 1 < bytes.count, staysBehindBracket(bytes[index + 1]) else { return index }
        index += 1
      case 0x80...:
        guard !isWindows1252, let length = UTF8Scan.lengthOfPrintable(bytes, at: index) else { return index }
        hasLongCharacters = true
        index += length
      default: return index
      }
    }
  }

  /// Surely no other bracket comes to stand behind this one.
  @inline(__always) private func staysBehindBracket(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "]") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&")
  }

  /// Before the root element there should be nothing.
  private mutating func textOutside(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    page.noteText(bytes[index..<end])
    return end
  }

  /// `]]>` may only end a CDATA section. Spelled out, a bracket cannot become part of one when what stood behind it is
  /// dropped.
  private mutating func bracket(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    guard bytes.count - index >= 3 || isLast else {
      // Anything but a second bracket settles it.
      if bytes.count - index == 2, bytes[index + 1] != UInt8(ascii: "]") { return spelledBracket(index) }
      return index
    }
    guard Bytes.hasPrefix(bytes, at: index, "]]>") else { return spelledBracket(index) }
    // Mostly the second end of nested sections.
    warn("]]> outside of CDATA")
    return index + 3
  }

  private mutating func spelledBracket(_ index: Int) -> Int {
    output.add("&#93;")
    return index + 1
  }

  /// Controls, line ends, and everything beyond ASCII.
  private mutating func unusual(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let byte = bytes[index]
    if byte < 0x20 {
      if byte == 0x0D { return carriageReturn(bytes, index) }
      warn("control character")
      return index + 1
    }
    if isWindows1252 {
      output.add(character: HTMLEntities.windows1252(byte))
      return index + 1
    }
    return characters(bytes, index)
  }

  /// Every end of a line is one line feed.
  private mutating func carriageReturn(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    guard index + 1 < bytes.count || isLast else { return index }
    if index + 1 == bytes.count || bytes[index + 1] != 0x0A { output.add("\n") }
    return index + 1
  }

  private mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index] >= 0x80 {
      switch UTF8Scan.character(bytes, at: index) {
      case .valid(let length):
        // U+0080 to U+009F are windows-1252 that was taken for ISO 8859-1.
        if bytes[index] == 0xC2, bytes[index + 1] < 0xA0 {
          output.add(start..<index)
          output.add(character: HTMLEntities.windows1252(bytes[index + 1]))
          return index + 2
        }
        index += length
      case .cut where !isLast:
        output.add(start..<index)
        return index
      case .cut:
        output.add(start..<index)
        return bytes.count
      case .invalid(let length):
        output.add(start..<index)
        hasLongCharacters = hasLongCharacters || index > start
        repairCharacter(bytes, index, length)
        return index + length
      }
    }
    hasLongCharacters = true
    output.add(start..<index)
    return index
  }

  /// A character that was cut becomes U+FFFD; a single byte is taken for windows-1252, which it mostly is.
  private mutating func repairCharacter(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ length: Int) {
    warn("bytes that are not UTF-8")
    if length > 1, hasLongCharacters { return output.add(character: "\u{FFFD}") }
    for byte in bytes[index..<index + length] { output.add(character: HTMLEntities.windows1252(byte)) }
  }

  // MARK: - References

  /// The reference at `index`; the index itself when it may go on in the next chunk.
  private mutating func reference(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    if elements.isVerbatim {
      output.add("&amp;")
      return index + 1
    }
    switch XMLReference.read(bytes, at: index, isLast: isLast) {
    case .incomplete: return index
    case .clean(let end):
      output.add(index..<end)
      return end
    case .character(let scalar, let end, let name):
      if let name { warn("undeclared entity", bytes[name]) }
      emitEscaped(scalar)
      return end
    case .nothing(let end):
      warn("reference to no character")
      return end
    case .bare:
      warn("bare ampersand")
      output.add("&amp;")
      return index + 1
    }
  }

  // MARK: - CDATA

  private mutating func data(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let end = endOfText(bytes, from: index, .data)
    if end > index {
      output.add(data: index..<end)
      return end
    }
    guard bytes[index] == UInt8(ascii: "]") else { return unusual(bytes, index) }
    guard bytes.count - index >= 3 || isLast else { return index }
    if Bytes.hasPrefix(bytes, at: index, "]]>") {
      state = .markup
      return index + 3
    }
    output.add(data: index..<index + 1)
    return index + 1
  }

  // MARK: - Markup

  private mutating func markup(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    guard index + 1 < bytes.count else { return isLast ? stray(index) : index }
    switch bytes[index + 1] {
    case UInt8(ascii: "!"): return declaration(bytes, index)
    case UInt8(ascii: "?"):
      state = .instruction
      return index + 2
    case UInt8(ascii: "/"): return endTag(bytes, index)
    case let byte where Bytes.isLetter(byte) || byte == UInt8(ascii: "_"): return startTag(bytes, index)
    case UInt8(ascii: "<"): return strays(bytes, index)
    default: return stray(index)
    }
  }

  /// One `<` after another: all but the last begin nothing.
  private mutating func strays(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    var end = index + 1
    while end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "<") { end += 1 }
    guard !elements.isEmpty else { return end }
    for _ in index..<end { warn("a < that begins no tag") }
    output.add(data: index..<end)
    return end
  }

  /// A `<` that begins nothing is a character.
  private mutating func stray(_ index: Int) -> Int {
    if !elements.isEmpty {
      warn("a < that begins no tag")
      output.add("&lt;")
    }
    return index + 1
  }

  private mutating func declaration(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    if Bytes.hasPrefix(bytes, at: index, "<!--") {
      state = .comment
      return index + 4
    }
    if Bytes.hasPrefix(bytes, at: index, "<![CDATA[") {
      if !elements.isEmpty { state = .data }
      return index + 9
    }
    guard bytes.count - index >= WebPage.doctype.utf8CodeUnitCount || isLast else { return index }
    if !elements.isEmpty { return stray(index) }
    page.noteDeclaration(bytes, at: index)
    state = .declaration
    declaration = DeclarationSkipper()
    return index + 2
  }

  // MARK: - Tags

  private mutating func startTag(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let (nameEnd, hash) = ElementKinds.name(in: bytes, from: index + 1)
    guard nameEnd < bytes.count || isLast else { return index }
    let name = UnsafeBufferPointer(rebasing: bytes[index + 1..<nameEnd])
    let kind = kinds.kind(hash)
    let isInline = elements.isInLeaf && (isMarkup(hash, kind) || isStyleLink(hash, bytes, nameEnd))
    if isInline { return inlineMarkup(index) }
    switch TagScan.startTag(bytes, from: nameEnd, isLast: isLast, isWindows1252: isWindows1252, limits: limits) {
    case .incomplete: return isLast ? bytes.count : index
    case .clean(let end, let isEmpty, let isXHTML):
      guard name.count < 1000 else { return end }
      guard accepts(kind, name, bytes, index..<end) else { return end }
      prepare(for: kind)
      guard push(name, hash, kind, isEmpty: isEmpty, isXHTML: isXHTML) else { return end }
      output.add(index..<end)
      return end
    case .broken: return brokenTag(bytes, index, name, hash, kind)
    }
  }

  private mutating func brokenTag(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ name: UnsafeBufferPointer<UInt8>, _ hash: UInt64,
    _ kind: ElementKind
  ) -> Int {
    var tag = LenientTag(isWindows1252: isWindows1252, limits: limits)
    guard let end = tag.read(bytes, from: index + 1 + name.count, isLast: isLast) else {
      return isLast ? bytes.count : index
    }
    guard TagScan.isName(name), name.count < 1000 else {
      warn("a tag without a name")
      return elements.isEmpty ? end : inlineMarkup(index)
    }
    guard accepts(kind, name, bytes, index..<end) else { return end }
    if tag.isRepaired { warn("a malformed tag") }
    prepare(for: kind)
    guard push(name, hash, kind, isEmpty: tag.isEmpty, isXHTML: tag.isXHTML) else { return end }
    output.add(index..<index + 1 + name.count)
    tag.attributes.withUnsafeBufferPointer { output.add($0) }
    output.add(tag.isEmpty ? "/>" : ">")
    return end
  }

  /// Markup inside text: the tag becomes text itself, and says what it said.
  private func isMarkup(_ hash: UInt64, _ kind: ElementKind) -> Bool {
    switch kind {
    case .unknown: true
    case .root: elements.isVerbatim
    case .episode: false
    case .container, .leaf, .richLeaf: elements.isVerbatim || ElementKinds.isHTMLToo(hash)
    }
  }

  /// A `<link>` with attributes in the middle of HTML is HTML's.
  private func isStyleLink(_ hash: UInt64, _ bytes: UnsafeBufferPointer<UInt8>, _ nameEnd: Int) -> Bool {
    elements.isInRichLeaf && ElementKinds.isLink(hash) && nameEnd < bytes.count && Bytes.isBlank(bytes[nameEnd])
  }

  private mutating func inlineMarkup(_ index: Int) -> Int {
    output.add("&lt;")
    return index + 1
  }

  /// Before the root only the root counts: junk is passed over, and another document's root ends the search.
  private mutating func accepts(
    _ kind: ElementKind, _ name: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Bool {
    guard elements.isEmpty else { return true }
    if kinds.isRoot(name) { return true }
    page.note(name, UnsafeBufferPointer(rebasing: bytes[range]))
    if page.isForeign { isOver = true }
    return false
  }

  /// Ends what cannot be open where this element begins.
  private mutating func prepare(for kind: ElementKind) {
    if elements.isInLeaf {
      warnAboutOpenElement()
      closeTop()
    }
    guard kind == .episode, let depth = elements.openEpisode else { return }
    warn("an episode is not closed")
    while elements.count > depth { closeTop() }
  }

  private mutating func push(
    _ name: UnsafeBufferPointer<UInt8>, _ hash: UInt64, _ kind: ElementKind, isEmpty: Bool, isXHTML: Bool
  ) -> Bool {
    guard !isEmpty else { return true }
    guard elements.count < limits.depth else {
      failure = FeedError(.limit, "elements nested deeper than \(limits.depth)")
      return false
    }
    elements.push(name, hash, kind, isXHTML: isXHTML)
    return true
  }

  private mutating func endTag(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    if let length = elements.topName(at: index + 2, in: bytes), index + 2 + length < bytes.count,
      bytes[index + 2 + length] == UInt8(ascii: ">")
    {
      output.add(index..<index + length + 3)
      popTop()
      return index + length + 3
    }
    let nameEnd = TagScan.nameEnd(bytes, from: index + 2)
    var end = nameEnd
    while end < bytes.count, Bytes.isBlank(bytes[end]) { end += 1 }
    guard end < bytes.count || isLast else { return index }
    if nameEnd == index + 2 { return stray(index) }
    let name = UnsafeBufferPointer(rebasing: bytes[index + 2..<nameEnd])
    // A missing bracket ends at the next tag.
    if end < bytes.count, bytes[end] == UInt8(ascii: ">") { end += 1 }
    guard !elements.isEmpty else { return end }
    if elements.topName(at: index + 2, in: bytes) == name.count {
      closeTop()
      return end
    }
    return mismatchedEnd(name, index, end)
  }

  private mutating func mismatchedEnd(_ name: UnsafeBufferPointer<UInt8>, _ index: Int, _ end: Int) -> Int {
    let hash = ElementKinds.hash(name)
    let kind = kinds.kind(hash)
    if elements.isInLeaf, kind == .unknown || (isMarkup(hash, kind) && elements.depth(of: hash) == nil) {
      return isMisspelled(name) ? dropEnd(end) : inlineMarkup(index)
    }
    if let depth = elements.depth(of: hash) {
      if depth < elements.count { warnAboutOpenElement() }
      while elements.count >= depth { closeTop() }
    } else if elements.isInLeaf {
      warnAboutOpenElement()
      closeTop()
    } else {
      return dropEnd(end)
    }
    return end
  }

  /// Where there is only a line of text, an end tag that is not HTML's is the wrong name for the right end.
  private func isMisspelled(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    !elements.isInRichLeaf && !HTMLTag.isKnown(String(decoding: name, as: UTF8.self).lowercased())
  }

  private mutating func dropEnd(_ end: Int) -> Int {
    warn("an end tag without a beginning")
    return end
  }

  private mutating func closeTop() {
    output.add("</")
    output.add(elements.topNameBytes)
    output.add(">")
    popTop()
  }

  private mutating func popTop() {
    elements.pop()
    if elements.isEmpty { isOver = true }
  }

  private mutating func emitEscaped(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "<": output.add("&lt;")
    case "&": output.add("&amp;")
    case ">": output.add("&gt;")
    default: output.add(character: scalar)
    }
  }

  // MARK: - Warnings

  // Words are made only while there is room for them: there can be millions of warnings.

  private mutating func warn(_ text: StaticString) {
    guard warnings.wantsWords else { return warnings.count() }
    countLines()
    warnings.add("line \(lines): \(text)")
  }

  private mutating func warn(_ text: StaticString, _ detail: Slice<UnsafeBufferPointer<UInt8>>) {
    guard warnings.wantsWords else { return warnings.count() }
    countLines()
    warnings.add("line \(lines): \(text) \(String(decoding: detail, as: UTF8.self))")
  }

  private mutating func warnAboutOpenElement() {
    guard warnings.wantsWords else { return warnings.count() }
    countLines()
    warnings.add("line \(lines): <\(elements.topName)> is not closed")
  }
}
