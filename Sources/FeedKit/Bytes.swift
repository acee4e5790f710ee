/// The questions asked of bytes everywhere in a parser of text.
enum Bytes {
  @inline(__always) static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }

  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always) static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  @inline(__always) static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  /// What so long a text takes in memory as a string besides the string's own two words.
  static func size(ofText count: Int) -> Int { count > 15 ? count + 48 : 0 }

  /// Without the blanks around it; a no-break space counts as one.
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

  /// Has markup, references, line breaks or runs of blanks in it.
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

  /// What the repair or libxml2 has handed on is UTF-8; that need not be made sure of again.
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
}
