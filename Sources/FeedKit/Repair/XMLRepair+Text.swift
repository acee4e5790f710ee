import PodcastModel
internal import Text

// Text, in elements and in CDATA: characters and references.

extension XMLRepair {
  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    guard !elements.isEmpty else { return textOutside(bytes, index) }
    if isBehindTag, let end = endOfIndentation(bytes, index) { return end }
    isBehindTag = false
    let end = endOfEscaped(bytes, from: index)
    if end > index { return end }
    switch bytes[index] {
    case UInt8(ascii: "&"): return reference(bytes, index)
    case UInt8(ascii: "]"): return bracket(bytes, index)
    default: return unusual(bytes, index)
    }
  }

  /// Adds text with XML's own references, decoded, and returns its end. Escaped show notes have a hundred of them.
  private mutating func endOfEscaped(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while true {
      let end = endOfText(bytes, from: index, .text)
      if end > index { output.add(text: index..<end) }
      guard end < bytes.count, bytes[end] == UInt8(ascii: "&"), entities.isEmpty, !elements.isVerbatim,
        !output.isLarge, let reference = XMLReference.predefined(bytes, at: end)
      else { return end }
      output.add(decoded: reference.character)
      index = reference.end
    }
  }

  /// The end of the blanks between the elements of a channel or an episode, which belong to no text.
  @inline(__always)
  private func endOfIndentation(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    guard bytes[start] <= 0x20, elements.isBetweenElements else { return nil }
    var index = start
    while index < bytes.count, isXMLBlank(bytes[index]) { index += 1 }
    return index > start ? index : nil
  }

  @inline(__always) private func isXMLBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  /// The end of the stretch without markup, references or characters to repair.
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

  /// True for a byte behind which the bracket before cannot become part of `]]>`.
  @inline(__always) private func staysBehindBracket(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "]") && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&")
  }

  /// Text before the root element is dropped.
  private mutating func textOutside(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let end = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    page.noteText(bytes[index..<end])
    return end
  }

  /// Outside of CDATA, XML forbids `]]>`. Written as a reference, a bracket cannot become part of one when the bytes
  /// behind it are dropped.
  private mutating func bracket(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    guard bytes.count - index >= 3 || isLast else {
      // Any byte but a second bracket decides.
      if bytes.count - index == 2, bytes[index + 1] != UInt8(ascii: "]") { return spelledBracket(index) }
      return index
    }
    guard Bytes.hasPrefix(bytes, at: index, "]]>") else { return spelledBracket(index) }
    // Mostly the second end of nested CDATA sections.
    warn("]]> outside of CDATA")
    return index + 3
  }

  private mutating func spelledBracket(_ index: Int) -> Int {
    output.add("&#93;")
    return index + 1
  }

  /// Controls, line ends, and all bytes beyond ASCII.
  private mutating func unusual(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let byte = bytes[index]
    if byte < 0x20 {
      if byte == 0x0D { return carriageReturn(bytes, index) }
      warn("control character")
      return index + 1
    }
    if isWindows1252 {
      add(windows1252: byte)
      return index + 1
    }
    return characters(bytes, index)
  }

  /// Every line end becomes one line feed.
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

  /// A cut character becomes U+FFFD; a single byte is decoded as windows-1252, which it mostly is.
  private mutating func repairCharacter(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ length: Int) {
    warn("bytes that are not UTF-8")
    if length > 1, hasLongCharacters { return output.add(character: "\u{FFFD}") }
    for byte in bytes[index..<index + length] { add(windows1252: byte) }
  }

  private mutating func add(windows1252 byte: UInt8) {
    let character = HTMLEntities.windows1252(byte)
    byteCount += UTF8.width(character) - 1
    output.add(character: character)
  }

  // MARK: - References

  /// Processes the reference at `index`. Returns the index itself when it may continue in the next chunk.
  private mutating func reference(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    if elements.isVerbatim {
      output.add("&amp;")
      return index + 1
    }
    if !entities.isEmpty, let end = declaredEntity(bytes, index) { return end }
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

  /// Nil for a reference to anything but an entity that the document declares.
  private mutating func declaredEntity(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
    switch entities.read(bytes, at: index, isLast: isLast) {
    case .incomplete: return index
    case .undeclared: return nil
    case .text(let text, let end):
      for scalar in text.unicodeScalars { emitEscaped(scalar) }
      return end
    }
  }

  // MARK: - CDATA

  mutating func data(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    let limit: Int
    switch dataEnd.reach(in: bytes, from: index, at: chunkStart, kinds, isLast: isLast) {
    case .end: limit = bytes.count
    case .certain(let certain): limit = certain
    case .unknown: return index
    case .runaway: return leaveRunaway("a CDATA section that does not end", bytes, index)
    }
    let end = endOfText(UnsafeBufferPointer(rebasing: bytes[..<limit]), from: index, .data)
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

  // MARK: - Sections without an end

  mutating func comment(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
    switch commentEnd.reach(in: bytes, from: index, at: chunkStart, kinds, isLast: isLast) {
    case .end(let end):
      state = .markup
      return end + 3
    // The last two bytes may begin the end.
    case .certain(let limit): return isLast ? limit : max(index, min(limit, bytes.count - 2))
    case .unknown: return index
    case .runaway: return leaveRunaway("a comment that does not end", bytes, index)
    }
  }

  private mutating func leaveRunaway(
    _ warning: StaticString, _ bytes: UnsafeBufferPointer<UInt8>, _ index: Int
  ) -> Int {
    warn(warning)
    state = .markup
    return markup(bytes, index)
  }
}
