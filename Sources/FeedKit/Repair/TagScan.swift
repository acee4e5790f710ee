/// Checks whether a start tag is well-formed as it is.
enum TagScan {
  enum Outcome {
    case clean(end: Int, isEmpty: Bool, isXHTML: Bool)
    case broken
    case incomplete
  }

  @inline(__always) private static func isNameStart(_ byte: UInt8) -> Bool {
    Bytes.isLetter(byte) || byte == UInt8(ascii: "_")
  }

  static func isName(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = name.first, isNameStart(first) else { return false }
    return name.allSatisfy(Bytes.isNameByte) && name.last != UInt8(ascii: ":")
  }

  /// The index of the first byte that cannot be part of a name.
  static func nameEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count, Bytes.isNameByte(bytes[index]) { index += 1 }
    return index
  }

  /// Scans from the end of the name to behind the closing bracket.
  @inline(__always)
  static func startTag(
    _ bytes: UnsafeBufferPointer<UInt8>, from nameEnd: Int, isLast: Bool, isWindows1252: Bool, limits: FeedLimits
  ) -> Outcome {
    guard nameEnd < bytes.count else { return .incomplete }
    guard bytes[nameEnd - 1] != UInt8(ascii: ":") else { return .broken }
    if bytes[nameEnd] == UInt8(ascii: ">") { return .clean(end: nameEnd + 1, isEmpty: false, isXHTML: false) }
    var index = nameEnd
    var isXHTML = false
    var count = 0
    /// A Bloom filter of attribute names: a bit that is set twice needs a comparison.
    var seen: UInt64 = 0
    while true {
      let blanks = index
      while index < bytes.count, Bytes.isBlank(bytes[index]) { index += 1 }
      guard index < bytes.count else { return .incomplete }
      if bytes[index] == UInt8(ascii: ">") { return .clean(end: index + 1, isEmpty: false, isXHTML: isXHTML) }
      if bytes[index] == UInt8(ascii: "/") { return emptyTag(bytes, from: index, isXHTML: isXHTML) }
      guard index > blanks, count < limits.attributes else { return .broken }
      let start = index
      index = self.nameEnd(bytes, from: index)
      guard index < bytes.count else { return .incomplete }
      let name = start..<index
      // Every name byte may be inside a name; not every one may begin or end it.
      guard index > start, isNameStart(bytes[start]), bytes[index - 1] != UInt8(ascii: ":") else { return .broken }
      let bit = bit(bytes, name)
      // A repeated name: the lenient reader drops it.
      guard seen & bit == 0 || isNew(name, bytes, from: nameEnd) else { return .broken }
      seen |= bit
      count += 1
      guard bytes[index] == UInt8(ascii: "=") else { return .broken }
      guard index + 1 < bytes.count else { return .incomplete }
      guard let end = valueEnd(bytes, from: index + 1, isLast, isWindows1252) else { return .broken }
      guard end <= bytes.count else { return .incomplete }
      isXHTML = isXHTML || saysXHTML(bytes, name, index + 2..<end - 1)
      index = end
    }
  }

  /// The end of a tag that closes itself, from the slash on.
  @inline(__always)
  private static func emptyTag(_ bytes: UnsafeBufferPointer<UInt8>, from slash: Int, isXHTML: Bool) -> Outcome {
    guard slash + 1 < bytes.count else { return .incomplete }
    guard bytes[slash + 1] == UInt8(ascii: ">") else { return .broken }
    return .clean(end: slash + 2, isEmpty: true, isXHTML: isXHTML)
  }

  private static func bit(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> UInt64 {
    let first = UInt64(bytes[name.lowerBound])
    let last = UInt64(bytes[name.upperBound - 1])
    return 1 << ((first &* 7 &+ last &* 31 &+ UInt64(name.count)) & 63)
  }

  /// True when no attribute between `start` and this one has its name. The tag is well-formed so far.
  private static func isNew(_ name: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var index = start
    while index < name.lowerBound {
      while Bytes.isBlank(bytes[index]) { index += 1 }
      guard index < name.lowerBound else { break }
      let other = index
      while bytes[index] != UInt8(ascii: "=") { index += 1 }
      if index - other == name.count, bytes[other..<index].elementsEqual(bytes[name]) { return false }
      let quote = bytes[index + 1]
      index += 2
      while bytes[index] != quote { index += 1 }
      index += 1
    }
    return true
  }

  static func saysXHTML(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<Int>, _ value: Range<Int>) -> Bool {
    guard name.count == 4, value.count == 5 || value.count == 21 else { return false }
    return Bytes.hasPrefix(bytes, at: name.lowerBound, "type")
      && Bytes.hasPrefix(bytes, at: value.lowerBound, value.count == 5 ? "xhtml" : "application/xhtml+xml")
  }

  /// The index behind the closing quote; beyond the bytes while it is missing; nil when the value is malformed.
  private static func valueEnd(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ isLast: Bool, _ isWindows1252: Bool
  ) -> Int? {
    let quote = bytes[start]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    var index = start + 1
    let stops = ByteScan.Stops.value(quotedBy: quote)
    while true {
      index = ByteScan.endOfPlain(bytes, from: index, stops)
      guard index < bytes.count else { return bytes.count + 1 }
      let byte = bytes[index]
      if byte == quote { return index + 1 }
      if byte == UInt8(ascii: "<") || (byte < 0x20 && !Bytes.isBlank(byte)) || byte == 0x0B || byte == 0x0C {
        return nil
      }
      if byte == UInt8(ascii: "&") {
        switch XMLReference.read(bytes, at: index, isLast: isLast) {
        case .clean(let end): index = end
        case .incomplete: return bytes.count + 1
        default: return nil
        }
      } else if byte >= 0x80 {
        guard !isWindows1252 else { return nil }
        switch UTF8Scan.character(bytes, at: index) {
        case .valid(let length): index += length
        case .cut: return bytes.count + 1
        case .invalid: return nil
        }
      } else {
        index += 1
      }
    }
  }
}
