/// Show notes without their markup, for searching only: good enough to find words and to quote around them.
enum PlainText {
  static func from(html: String) -> String {
    var html = html
    return html.withUTF8 { bytes in
      guard bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
        return String(decoding: bytes, as: UTF8.self)
      }
      // Looked for once: a tag that has no end anywhere is not looked through to the end of the text each time.
      let lastBracket = bytes.lastIndex(of: UInt8(ascii: ">")) ?? 0
      var text: [UInt8] = []
      text.reserveCapacity(bytes.count)
      var index = 0
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "<") where index < lastBracket: index = skipTag(bytes, from: index, &text)
        case UInt8(ascii: "&"): index = decodeReference(bytes, from: index, &text)
        case let byte:
          text.append(byte)
          index += 1
        }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  /// A tag separates words, unless it only says how they look. A `<` that opens none stands for itself.
  private static func skipTag(_ bytes: Bytes, from start: Int, _ text: inout [UInt8]) -> Int {
    guard start + 1 < bytes.count, opensTag(bytes[start + 1]),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ">"))
    else {
      text.append(bytes[start])
      return start + 1
    }
    if !isInline(bytes[(start + 1)..<end]) { text.append(UInt8(ascii: " ")) }
    return end + 1
  }

  private static let inline: Set<String> = [
    "a", "b", "i", "u", "em", "strong", "span", "code", "small", "mark", "font",
  ]

  private static func isInline(_ tag: Slice<Bytes>) -> Bool {
    let name = tag.drop { $0 == UInt8(ascii: "/") }.prefix { (0x61...0x7a).contains($0 | 0x20) }
    return name.count <= 6 && inline.contains(String(decoding: name.map { $0 | 0x20 }, as: UTF8.self))
  }

  private static func opensTag(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "!")
  }

  private static func decodeReference(_ bytes: Bytes, from start: Int, _ text: inout [UInt8]) -> Int {
    let window = bytes[start..<min(bytes.count, start + 12)]
    guard let end = window.firstIndex(of: UInt8(ascii: ";")),
      let character = character(named: String(decoding: window[(start + 1)..<end], as: UTF8.self))
    else {
      text.append(bytes[start])
      return start + 1
    }
    text += Array(String(character).utf8)
    return end + 1
  }

  private static func character(named name: String) -> Character? {
    if let known = names[name] { return known }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).flatMap { $0.value == 0 ? nil : Character($0) }
  }

  private static let names: [String: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
    "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "bull": "•", "auml": "ä", "ouml": "ö",
    "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è", "aacute": "á",
    "agrave": "à", "ccedil": "ç", "ntilde": "ñ", "oacute": "ó", "iacute": "í", "uacute": "ú",
  ]
}
