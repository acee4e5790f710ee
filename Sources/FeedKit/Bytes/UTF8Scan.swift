/// Validates one character of UTF-8.
enum UTF8Scan {
  enum Outcome {
    case valid(length: Int)
    /// The bytes so far could begin a character.
    case cut
    /// The number of bytes that begin a character without completing it, or 1 for a byte that begins none.
    case invalid(length: Int)
  }

  @inline(__always)
  static func character(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Outcome {
    let lead = bytes[index]
    guard lead >= 0xC2, lead <= 0xF4 else { return .invalid(length: 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    var offset = 1
    while offset < length {
      guard index + offset < bytes.count else { return .cut }
      let byte = bytes[index + offset]
      guard byte & 0xC0 == 0x80, offset > 1 || isAllowed(byte, after: lead) else { return .invalid(length: offset) }
      offset += 1
    }
    return isNoncharacter(bytes, at: index, length) ? .invalid(length: length) : .valid(length: length)
  }

  /// Nil for what is cut or invalid, and for U+0080 to U+009F, which are windows-1252 that was taken for ISO 8859-1.
  @inline(__always)
  static func lengthOfPrintable(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    guard case .valid(let length) = character(bytes, at: index) else { return nil }
    return bytes[index] == 0xC2 && bytes[index + 1] < 0xA0 ? nil : length
  }

  /// No overlong forms, no surrogates, nothing beyond Unicode.
  @inline(__always) private static func isAllowed(_ second: UInt8, after lead: UInt8) -> Bool {
    switch lead {
    case 0xE0: second >= 0xA0
    case 0xED: second < 0xA0
    case 0xF0: second >= 0x90
    case 0xF4: second < 0x90
    default: true
    }
  }

  /// U+FFFE and U+FFFF, which XML forbids.
  @inline(__always)
  private static func isNoncharacter(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, _ length: Int) -> Bool {
    length == 3 && bytes[index] == 0xEF && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
  }
}
