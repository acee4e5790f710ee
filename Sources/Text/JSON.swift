/// A JSON value whose objects keep the order of their members.
///
/// Written with literals: `["id": 7, "title": JSON(podcast.title), "tags": JSON(tags)]`.
/// A member whose value is nil is left out, so an unknown value is absent and never `null`.
package enum JSON: Hashable, Sendable {
  /// A member of an object.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSON
  }

  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])
}

extension JSON {
  /// A string.
  package init(_ text: String) { self = .string(text) }
  // Beside the generic one, which a call from another module does not specialize.
  /// A whole number.
  package init(_ number: Int64) { self = .integer(number) }
  /// A whole number.
  package init(_ number: Int) { self = .integer(Int64(number)) }
  /// A whole number.
  package init(_ number: some BinaryInteger) { self = .integer(Int64(clamping: number)) }
  /// A Boolean.
  package init(_ flag: Bool) { self = .bool(flag) }
  /// An array of strings.
  package init(_ texts: [String]) { self = .array(texts.map { .string($0) }) }

  /// A string; nil for nil.
  package init?(_ text: String?) {
    guard let text else { return nil }
    self = .string(text)
  }

  /// Nil for infinity and not-a-number, which JSON does not have.
  package init?(_ number: Double?) {
    guard let number, number.isFinite else { return nil }
    self = .number(number)
  }

  /// A whole number; nil for nil.
  package init?(_ number: Int64?) {
    guard let number else { return nil }
    self = .integer(number)
  }

  /// A whole number; nil for nil.
  package init?<Integer: BinaryInteger>(_ number: Integer?) {
    guard let number else { return nil }
    self = .integer(Int64(clamping: number))
  }

  /// A Boolean; nil for nil.
  package init?(_ flag: Bool?) {
    guard let flag else { return nil }
    self = .bool(flag)
  }

  /// An object from computed members.
  package init(members: [(String, JSON?)]) {
    var present: [Member] = []
    present.reserveCapacity(members.count)
    for case (let name, let value?) in members { present.append(Member(name: name, value: value)) }
    self = .object(present)
  }

  /// Nil for an empty list, so that its member is left out.
  package init?(nonEmpty values: [JSON]) {
    guard !values.isEmpty else { return nil }
    self = .array(values)
  }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  package init(dictionaryLiteral members: (String, JSON?)...) { self.init(members: members) }

  package init(arrayLiteral values: JSON...) { self = .array(values) }
  package init(stringLiteral text: String) { self = .string(text) }
  package init(integerLiteral number: Int64) { self = .integer(number) }
  package init(floatLiteral number: Double) { self = .number(number) }
  package init(booleanLiteral flag: Bool) { self = .bool(flag) }
}

// MARK: - Reading a value

extension JSON {
  /// The first member of that name; nil for a missing one, for `null`, and for a value that is no object.
  package subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
    return value
  }

  /// The string; nil for any other value.
  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number; nil for any other value.
  package var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// The whole number; nil for any other value.
  package var int: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// The Boolean; nil for any other value.
  package var flag: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  /// The elements of the array; nil for any other value.
  package var elements: [JSON]? {
    guard case .array(let values) = self else { return nil }
    return values
  }
}

// MARK: - Writing

extension JSON {
  /// On one line, without blanks.
  package var compact: String { JSONWriter.write(self, isPretty: false) }
  /// With one member per line, indented by two.
  package var pretty: String { JSONWriter.write(self, isPretty: true) }
}

private struct JSONWriter {
  private var output: [UInt8] = []
  private let isPretty: Bool
  private var depth = 0

  static func write(_ value: JSON, isPretty: Bool) -> String {
    var writer = JSONWriter(isPretty: isPretty)
    writer.append(value)
    return String(decoding: writer.output, as: UTF8.self)
  }

  private init(isPretty: Bool) { self.isPretty = isPretty }

  private mutating func append(_ value: JSON) {
    switch value {
    case .null: append("null")
    case .bool(let flag): append(flag ? "true" : "false")
    case .integer(let number): append(String(number))
    case .number(let number): append(Self.text(of: number))
    case .string(let text): appendQuoted(text)
    case .array(let values): appendList(values, "[", "]") { writer, value in writer.append(value) }
    case .object(let members):
      appendList(members, "{", "}") { writer, member in
        writer.appendQuoted(member.name)
        writer.append(writer.isPretty ? ": " : ":")
        writer.append(member.value)
      }
    }
  }

  private mutating func appendList<Element>(
    _ elements: [Element], _ opening: StaticString, _ closing: StaticString,
    each: (inout JSONWriter, Element) -> Void
  ) {
    append(opening)
    depth += 1
    for (index, element) in elements.enumerated() {
      if index > 0 { append(",") }
      appendLineBreak()
      each(&self, element)
    }
    depth -= 1
    if !elements.isEmpty { appendLineBreak() }
    append(closing)
  }

  private mutating func appendLineBreak() {
    guard isPretty else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }

  private mutating func append(_ text: StaticString) {
    output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

  private static func text(of number: Double) -> String {
    guard number.isFinite else { return "null" }
    return Int64(exactly: number).map { String($0) } ?? String(number)
  }

  private mutating func appendQuoted(_ text: String) {
    output.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { bytes in
      if Self.isPlain(bytes) { return output.append(contentsOf: bytes) }
      // Everything from here on can be copied as it is.
      var (start, index) = (0, 0)
      while index < bytes.count {
        let (scalar, length) = Self.scalar(bytes, at: index)
        if scalar == "\"" || scalar == "\\" || scalar.isUnsafeToShow {
          output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index]))
          appendEscaped(scalar)
          start = index + length
        }
        index += length
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
    output.append(UInt8(ascii: "\""))
  }

  /// Without an early exit the compiler vectorises the loop.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var special: UInt8 = 0
    for byte in bytes {
      special |= byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 1 : 0
    }
    return special == 0
  }

  /// Of the valid UTF-8 of a string: its own scalars are read several times slower.
  private static func scalar(
    _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) -> (scalar: Unicode.Scalar, length: Int) {
    let first = bytes[index]
    if first < 0x80 { return (Unicode.Scalar(first), 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = UInt32(first & (0x7F >> UInt8(length)))
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  private mutating func appendEscaped(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": append("\\\"")
    case "\\": append("\\\\")
    case "\n": append("\\n")
    case "\r": append("\\r")
    case "\t": append("\\t")
    default:
      for unit in UTF16.encode(scalar)! {
        append("\\u")
        let digits = String(unit, radix: 16)
        append(String(repeating: "0", count: 4 - digits.count) + digits)
      }
    }
  }
}

extension Unicode.Scalar {
  /// True for characters that can move the cursor, hide text or turn its direction. They are never printed raw.
  package var isUnsafeToShow: Bool {
    switch value {
    case 0x20...0x7E: false
    case 0...0x9F, 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
    case 0xFDD0...0xFDEF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: value & 0xFFFE == 0xFFFE
    }
  }
}
