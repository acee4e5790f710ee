import PodcastModel
internal import Text

// Markup: declarations, and tags that must match.

extension XMLRepair {
  mutating func markup(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    isBehindTag = true
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

  /// A run of `<`: all but the last are text.
  private mutating func strays(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    var end = index + 1
    while end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "<") { end += 1 }
    guard !elements.isEmpty else { return end }
    for _ in index..<end { warn("a < that begins no tag") }
    output.add(data: index..<end)
    return end
  }

  /// A `<` that begins no tag is text.
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
    if elements.isInLeaf, let end = inlineTag(bytes, index, nameEnd, hash, kind) { return end }
    switch TagScan.startTag(bytes, from: nameEnd, isLast: isLast, isWindows1252: isWindows1252, limits: limits) {
    case .incomplete: return isLast ? bytes.count : index
    case .clean(let end, let isEmpty, let isXHTML):
      guard name.count < 1000 else { return end }
      if isEmpty, kind == .episode, elements.isInPartOfEpisode { return emptyEpisode(index, end) }
      guard accepts(name, bytes, index..<end) else { return end }
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
    var tag = LenientTag(entities: entities, isWindows1252: isWindows1252, limits: limits)
    guard let end = tag.read(bytes, from: index + 1 + name.count, isLast: isLast) else {
      return isLast ? bytes.count : index
    }
    guard TagScan.isName(name), name.count < 1000 else {
      warn("a tag without a name")
      return elements.isEmpty ? end : inlineMarkup(index)
    }
    entities = tag.entities
    if tag.isEmpty, kind == .episode, elements.isInPartOfEpisode { return emptyEpisode(index, end) }
    guard accepts(name, bytes, index..<end) else { return end }
    warn("a malformed tag")
    prepare(for: kind)
    guard push(name, hash, kind, isEmpty: tag.isEmpty, isXHTML: tag.isXHTML) else { return end }
    output.add(index..<index + 1 + name.count)
    tag.attributes.withUnsafeBufferPointer { output.add($0) }
    output.add(tag.isEmpty ? "/>" : ">")
    return end
  }

  /// Processes a start tag that is part of the text around it. Nil for any other.
  private mutating func inlineTag(
    _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ nameEnd: Int, _ hash: UInt64, _ kind: ElementKind
  ) -> Int? {
    let isInline = isMarkup(hash, kind) || isStyleLink(hash, bytes, nameEnd)
    guard kind != .episode, !elements.isVerbatim else { return isInline ? inlineMarkup(index) : nil }
    switch TagNamespace.read(bytes, from: nameEnd, isLast: isLast) {
    case .incomplete: return index
    case .read(let isForeign, let isEmpty):
      let isTheirs = elements.enterForeign(hash, isEmpty: isEmpty, isDeclared: isForeign)
      return isInline || isTheirs ? inlineMarkup(index) : nil
    }
  }

  /// An episode without content inside an element of another episode is none: it may be another program's `<entry/>`.
  private mutating func emptyEpisode(_ index: Int, _ end: Int) -> Int {
    elements.isInLeaf ? inlineMarkup(index) : end
  }

  /// True for markup inside text: the tag is escaped and becomes part of the text.
  private func isMarkup(_ hash: UInt64, _ kind: ElementKind) -> Bool {
    switch kind {
    case .unknown: true
    case .root: elements.isVerbatim
    case .episode: false
    case .container, .wrapper, .leaf, .richLeaf: elements.isVerbatim || ElementKinds.isHTMLToo(hash)
    }
  }

  /// True for a `<link>` with attributes inside HTML.
  private func isStyleLink(_ hash: UInt64, _ bytes: UnsafeBufferPointer<UInt8>, _ nameEnd: Int) -> Bool {
    elements.isInRichLeaf && ElementKinds.isLink(hash) && nameEnd < bytes.count && Bytes.isBlank(bytes[nameEnd])
  }

  private mutating func inlineMarkup(_ index: Int) -> Int {
    output.add("&lt;")
    return index + 1
  }

  /// Before the root element, skips junk and notes the tags of a web page; the root of another kind of document ends
  /// the search.
  private mutating func accepts(
    _ name: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Bool {
    guard elements.isEmpty else { return true }
    if kinds.isRoot(name) { return true }
    page.note(name, UnsafeBufferPointer(rebasing: bytes[range]))
    if page.isForeign { isOver = true }
    return false
  }

  /// Closes the elements that cannot contain this one.
  private mutating func prepare(for kind: ElementKind) {
    if elements.isInLeaf {
      warnAboutOpenElement()
      closeTop()
    }
    guard kind == .episode, let depth = elements.depthOfEpisode else { return }
    let isEpisode = elements.isEpisode(at: depth)
    if isEpisode { warn("an episode is not closed") }
    while elements.count > depth + 1 { closeTop() }
    if !isEpisode { warnAboutOpenElement() }
    closeTop()
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
    // Without a bracket the tag ends where the next one begins.
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
    if elements.isInLeaf, elements.leaveForeign(hash) { return inlineMarkup(index) }
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

  /// Inside a leaf of plain text, an end tag that is not HTML's is a misspelled end tag of the leaf.
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

  mutating func emitEscaped(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "<": output.add("&lt;")
    case "&": output.add("&amp;")
    case ">": output.add("&gt;")
    default: output.add(character: scalar)
    }
  }
}
