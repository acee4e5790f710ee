/// Splits HTML, however malformed, into text and tags in one pass over the bytes.
package struct HTMLTokenizer {
  /// A start tag, end tag, comment or declaration.
  package struct Tag {
    /// In lower case; `!` for a comment or declaration.
    package var name: String
    package var isEnd: Bool
    /// The tag as written.
    package var source: ArraySlice<UInt8>

    var isComment: Bool { name == "!" }
  }

  /// A text with its character references, or a tag.
  package enum Token {
    case text(ArraySlice<UInt8>)
    case tag(Tag)
  }

  private let bytes: [UInt8]
  private var index = 0
  /// The index of the last `>`: behind it no tag ends.
  private let lastBracket: Int
  /// False once the end of a comment was not found: it is not searched for again, so the time stays linear.
  private var mayHaveCommentEnd = true
  /// The same for the end of a script or style.
  private var mayHaveCodeEnd = true
  /// Elements whose end was looked for in vain.
  private var unended: Set<String> = []

  /// Tokenizes this HTML from its beginning.
  package init(_ html: String) {
    bytes = Array(html.utf8)
    lastBracket = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
  }

  /// The next token; nil at the end.
  package mutating func next() -> Token? {
    guard index < bytes.count else { return nil }
    let start = index
    if bytes[index] == UInt8(ascii: "<"), let end = tagEnd() {
      index = end
      return .tag(tag(start..<end))
    }
    index = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    return .text(bytes[start..<index])
  }

  /// Skips to the end tag of that name, or to the end of the text when there is none.
  package mutating func skip(toEndOf name: String) {
    let name = Array(name.utf8)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<"), isEndTag(of: name) { return }
      index += 1
    }
  }

  /// Skips to the end tag of that name. Without one the element is only a word: `Why <script> matters`.
  mutating func skipIfEnded(by name: String) {
    guard mayHaveCodeEnd else { return }
    let start = index
    skip(toEndOf: name)
    guard index == bytes.count else { return }
    index = start
    mayHaveCodeEnd = false
  }

  /// The same for any element; false when it has no end. What is indexed for search is made by the other one, and stays as it is.
  mutating func skipElement(_ name: String) -> Bool {
    guard !unended.contains(name) else { return false }
    let start = index
    skip(toEndOf: name)
    guard index == bytes.count else { return true }
    index = start
    unended.insert(name)
    return false
  }

  private func isEndTag(of name: [UInt8]) -> Bool {
    guard index + 1 + name.count < bytes.count, bytes[index + 1] == UInt8(ascii: "/") else { return false }
    for (offset, byte) in name.enumerated() where bytes[index + 2 + offset] | 0x20 != byte { return false }
    return true
  }

  private func tag(_ range: Range<Int>) -> Tag {
    let isEnd = bytes[range.lowerBound + 1] == UInt8(ascii: "/")
    let nameStart = range.lowerBound + (isEnd ? 2 : 1)
    let first = bytes[nameStart]
    let name = first == UInt8(ascii: "!") || first == UInt8(ascii: "?") ? "!" : self.name(at: nameStart)
    return Tag(name: name, isEnd: isEnd, source: bytes[range])
  }

  /// The tag name that begins at `start`, in lower case.
  private func name(at start: Int) -> String {
    var end = start
    while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
    return String(unsafeUninitializedCapacity: end - start) { name in
      for offset in 0..<end - start { name.initializeElement(at: offset, to: ASCII.lowercased(bytes[start + offset])) }
      return end - start
    }
  }

  /// Nil when the `<` begins no tag.
  private mutating func tagEnd() -> Int? {
    guard index + 1 < bytes.count else { return nil }
    let next = bytes[index + 1]
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") { return declarationEnd() }
    let first = next == UInt8(ascii: "/") && index + 2 < bytes.count ? bytes[index + 2] : next
    guard ASCII.isLetter(first) else { return nil }
    return closingBracket(from: index + 1)
  }

  private mutating func declarationEnd() -> Int? {
    if bytes[index...].starts(with: "<!--".utf8) { return commentEnd() }
    if bytes[index...].starts(with: "<![CDATA[".utf8) { return index + 9 }
    return bracketEnd(from: index)
  }

  /// A comment without an end ends with its first `>`, so that it does not hide the rest of the text.
  private mutating func commentEnd() -> Int {
    var end = index + 4
    while mayHaveCommentEnd, end + 2 < bytes.count {
      if bytes[end] == 0x2D, bytes[end + 1] == 0x2D, bytes[end + 2] == 0x3E { return end + 3 }
      end += 1
    }
    mayHaveCommentEnd = false
    return bracketEnd(from: index) ?? bytes.count
  }

  private func bracketEnd(from start: Int) -> Int? {
    guard start < lastBracket else { return nil }
    return bytes[start...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
  }

  /// Skips quoted values only behind a `=`, and stops at the next `<`.
  private func closingBracket(from start: Int) -> Int? {
    var quote: UInt8?
    var previous: UInt8 = 0
    for position in start..<bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return position + 1
      } else if byte == UInt8(ascii: "<") {
        return position
      } else if (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")) && previous == UInt8(ascii: "=") {
        quote = byte
      }
      if byte > 0x20 { previous = byte }
    }
    // With an unclosed quote the first `>` ends the tag.
    return bracketEnd(from: start)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == 0x3A || byte == 0x2D
  }
}

extension HTMLTokenizer.Tag {
  /// The decoded value of an attribute; nil when there is none.
  package func attribute(_ wanted: String) -> String? {
    var index = source.startIndex + 1
    while index < source.endIndex, source[index] > 0x20 { index += 1 }
    while index < source.endIndex {
      let name = readName(&index)
      let value = readValue(&index)
      if name == wanted { return value ?? "" }
      if name.isEmpty, value == nil { index += 1 }
    }
    return nil
  }

  private func readName(_ index: inout Int) -> String {
    while index < source.endIndex, source[index] <= 0x20 || source[index] == UInt8(ascii: "/") { index += 1 }
    let start = index
    while index < source.endIndex, source[index] > 0x20, source[index] != UInt8(ascii: "="),
      source[index] != UInt8(ascii: ">"), source[index] != UInt8(ascii: "/")
    {
      index += 1
    }
    return String(decoding: source[start..<index], as: UTF8.self).lowercased()
  }

  private func readValue(_ index: inout Int) -> String? {
    while index < source.endIndex, source[index] <= 0x20 { index += 1 }
    guard index < source.endIndex, source[index] == UInt8(ascii: "=") else { return nil }
    index += 1
    while index < source.endIndex, source[index] <= 0x20 { index += 1 }
    guard index < source.endIndex else { return "" }
    let quote = source[index]
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if isQuoted { index += 1 }
    let start = index
    while index < source.endIndex, isQuoted ? source[index] != quote : source[index] > 0x20 && source[index] != 0x3E {
      index += 1
    }
    var decoded: [UInt8] = []
    HTMLTokenizer.appendDecoded(source[start..<index], to: &decoded)
    if isQuoted, index < source.endIndex { index += 1 }
    return String(decoding: decoded, as: UTF8.self)
  }
}

// MARK: - Character references

extension HTMLTokenizer {
  /// Appends text with its character references decoded. An ampersand that begins none stays.
  package static func appendDecoded(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
    var index = text.startIndex
    while let ampersand = text[index...].firstIndex(of: UInt8(ascii: "&")) {
      output += text[index..<ampersand]
      if let (scalar, end) = reference(in: text, at: ampersand) {
        output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        index = end
      } else {
        output.append(UInt8(ascii: "&"))
        index = ampersand + 1
      }
    }
    output += text[index...]
  }

  /// The character that a reference stands for, and the index behind its semicolon; nil when an ampersand begins none.
  package static func reference(
    in text: ArraySlice<UInt8>, at ampersand: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    let body = text[(ampersand + 1)...].prefix(32)
    guard let semicolon = body.firstIndex(of: UInt8(ascii: ";")), semicolon > body.startIndex else { return nil }
    let name = body[..<semicolon]
    guard
      let scalar = name.first == UInt8(ascii: "#")
        ? numbered(name.dropFirst()) : name.withUnsafeBufferPointer(HTMLEntities.scalar(named:))
    else { return nil }
    return (scalar, semicolon + 1)
  }

  private static func numbered(_ digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let text = String(decoding: digits, as: UTF8.self)
    let isHexadecimal = text.hasPrefix("x") || text.hasPrefix("X")
    let number = isHexadecimal ? UInt32(text.dropFirst(), radix: 16) : UInt32(text)
    return number.flatMap(HTMLEntities.scalar(numbered:))
  }
}
