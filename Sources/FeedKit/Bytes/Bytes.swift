/// Operations on bytes of UTF-8 that several stages share.
///
/// The classes of ASCII bytes are here and not in Text because functions of another target are not inlined.
enum Bytes {
  /// A space, tab, line feed, vertical tab, form feed or carriage return.
  @inline(__always) static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }

  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always) static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// True for an ASCII byte that may stand in the name of an element or attribute.
  @inline(__always) static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
  }

  /// The heap memory that a string of so many bytes takes besides its own two words.
  static func size(ofText count: Int) -> Int { count > 15 ? count + 48 : 0 }

  /// The bytes without the blanks around them; a no-break space counts as a blank.
  static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = bytes.count
    if end > 0, isBlackASCII(bytes[0]), isBlackASCII(bytes[end - 1]) { return bytes }
    while start < end {
      if isBlank(bytes[start]) {
        start += 1
      } else if isNoBreakSpace(bytes, at: start, before: end) {
        start += 2
      } else {
        break
      }
    }
    while end > start {
      if isBlank(bytes[end - 1]) {
        end -= 1
      } else if isNoBreakSpace(bytes, at: end - 2, before: end) {
        end -= 2
      } else {
        break
      }
    }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  @inline(__always) private static func isBlackASCII(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x80 }

  private static func isNoBreakSpace(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, before end: Int) -> Bool {
    index >= 0 && index + 1 < end && bytes[index] == 0xC2 && bytes[index + 1] == 0xA0
  }

  /// True for a text with markup, references, line breaks or runs of blanks.
  static func needsWorkAsLine(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if byte > UInt8(ascii: "<"), previous != UInt8(ascii: "&") {
        previous = byte
        continue
      }
      if byte < 0x20 || byte == UInt8(ascii: "<") || (byte == 0x20 && previous == 0x20) { return true }
      if previous == UInt8(ascii: "&"), isLetter(byte) || byte == UInt8(ascii: "#") { return true }
      previous = byte
    }
    return false
  }

  /// Makes a string without validating: text from the repair and from libxml2 is UTF-8.
  static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    assert(String(validating: bytes, as: UTF8.self) != nil)
    return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: ByteScan.isASCII(bytes)))
  }

  static func hasPrefix(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, _ prefix: StaticString) -> Bool {
    let length = prefix.utf8CodeUnitCount
    guard bytes.count - index >= length else { return false }
    for offset in 0..<length where bytes[index + offset] != prefix.utf8Start[offset] { return false }
    return true
  }

  /// The index where `pattern` first occurs from `start` on.
  static func first(_ pattern: StaticString, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var index = start
    let last = bytes.count - pattern.utf8CodeUnitCount
    while index <= last {
      if bytes[index] == pattern.utf8Start[0], hasPrefix(bytes, at: index, pattern) { return index }
      index += 1
    }
    return nil
  }
}
