extension JSON {
  /// Parses a JSON document. Nil when it is malformed or nested deeper than `depth`.
  package init?(parsing bytes: [UInt8], depth: Int = 128) {
    let value: JSON? = bytes.withUnsafeBufferPointer { JSON(parsing: $0, depth: depth) }
    guard let value else { return nil }
    self = value
  }

  /// Parses a JSON document. Nil when it is malformed, nested deeper than `depth`, or has more values than `values`: an
  /// empty one takes many times its bytes in memory.
  package init?(parsing bytes: UnsafeBufferPointer<UInt8>, depth: Int = 128, values: Int = .max) {
    var reader = JSONReader(bytes, depth: depth, values: values)
    guard let value = reader.document() else { return nil }
    self = value
  }

  /// Parses a JSON text.
  package init?(parsing text: String) { self.init(parsing: Array(text.utf8)) }
}

private struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var depthLeft: Int
  private var valuesLeft: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, depth: Int, values: Int) {
    self.bytes = bytes
    depthLeft = depth
    valuesLeft = values
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  mutating func document() -> JSON? {
    guard let value = value() else { return nil }
    skipBlanks()
    return index == bytes.count ? value : nil
  }

  private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func skipBlanks() {
    repeat {
      while index < bytes.count, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    } while byte == UInt8(ascii: "/") && skipComment()
  }

  /// Some programs write comments as in JavaScript.
  private mutating func skipComment() -> Bool {
    guard index + 1 < bytes.count else { return false }
    switch bytes[index + 1] {
    case UInt8(ascii: "/"):
      while index < bytes.count, byte != 0x0A { index += 1 }
      return true
    case UInt8(ascii: "*"):
      var end = index + 2
      while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "*") || bytes[end + 1] != UInt8(ascii: "/") { end += 1 }
      guard end + 1 < bytes.count else { return false }
      index = end + 2
      return true
    default: return false
    }
  }

  private mutating func take(_ wanted: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard byte == UInt8(ascii: wanted) else { return false }
    index += 1
    return true
  }

  private mutating func value() -> JSON? {
    skipBlanks()
    guard valuesLeft > 0 else { return nil }
    valuesLeft -= 1
    switch byte {
    case UInt8(ascii: "{"): return nested { $0.object() }
    case UInt8(ascii: "["): return nested { $0.array() }
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return literal("true", .bool(true))
    case UInt8(ascii: "f"): return literal("false", .bool(false))
    case UInt8(ascii: "n"): return literal("null", .null)
    default: return number()
    }
  }

  private mutating func nested(_ read: (inout JSONReader) -> JSON?) -> JSON? {
    guard depthLeft > 0 else { return nil }
    depthLeft -= 1
    defer { depthLeft += 1 }
    index += 1
    return read(&self)
  }

  private mutating func object() -> JSON? {
    var members: [JSON.Member] = []
    while !take("}") {
      if !members.isEmpty, !take(",") { return nil }
      skipBlanks()
      // A comma behind the last member is a common mistake.
      if byte == UInt8(ascii: "}") { continue }
      guard byte == UInt8(ascii: "\""), let name = string(), take(":"), let value = value() else { return nil }
      members.append(JSON.Member(name: name, value: value))
    }
    return .object(members)
  }

  private mutating func array() -> JSON? {
    var values: [JSON] = []
    while !take("]") {
      if !values.isEmpty, !take(",") { return nil }
      skipBlanks()
      if byte == UInt8(ascii: "]") { continue }
      guard let value = value() else { return nil }
      values.append(value)
    }
    return .array(values)
  }

  private mutating func literal(_ word: StaticString, _ value: JSON) -> JSON? {
    for offset in 0..<word.utf8CodeUnitCount {
      guard byte == word.utf8Start[offset] else { return nil }
      index += 1
    }
    return value
  }

  private mutating func number() -> JSON? {
    let start = index
    while byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".") || byte | 0x20 == 0x65
      || ASCII.isDigit(byte)
    {
      index += 1
    }
    guard index > start else { return nil }
    // A number that nothing can hold is unknown, and costs nothing around it.
    guard index - start <= 64 else { return .null }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if let whole = Int64(text) { return .integer(whole) }
    guard let number = Double(text) else { return nil }
    return number.isFinite ? .number(number) : .null
  }

  // MARK: - Strings

  private mutating func string() -> String? {
    index += 1
    var output: [UInt8] = []
    while index < bytes.count {
      let start = index
      while index < bytes.count, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { index += 1 }
      output += bytes[start..<index]
      guard index < bytes.count else { return nil }
      index += 1
      if bytes[index - 1] == UInt8(ascii: "\"") { return String(decoding: output, as: UTF8.self) }
      guard appendEscape(to: &output) else { return nil }
    }
    return nil
  }

  private mutating func appendEscape(to output: inout [UInt8]) -> Bool {
    let escape = byte
    index += 1
    switch escape {
    case UInt8(ascii: "n"): output.append(0x0A)
    case UInt8(ascii: "r"): output.append(0x0D)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0C)
    case UInt8(ascii: "u"):
      guard let scalar = escapedScalar() else { return false }
      output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(escape)
    default: return false
    }
    return true
  }

  /// Reads one unit of UTF-16 or a surrogate pair; a lone surrogate becomes U+FFFD.
  private mutating func escapedScalar() -> Unicode.Scalar? {
    guard let first = hexadecimal() else { return nil }
    guard 0xD800...0xDBFF ~= first else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
    let behind = index
    if byte == UInt8(ascii: "\\"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "u") {
      index += 2
      if let second = hexadecimal(), 0xDC00...0xDFFF ~= second {
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      }
      index = behind
    }
    return "\u{FFFD}"
  }

  private mutating func hexadecimal() -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    let text = String(decoding: bytes[index..<index + 4], as: UTF8.self)
    guard text.utf8.count == 4, !text.hasPrefix("+"), !text.hasPrefix("-"), let unit = UInt32(text, radix: 16) else {
      return nil
    }
    index += 4
    return unit
  }
}
