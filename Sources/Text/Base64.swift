/// Base 64, in its standard and its URL-safe alphabet.
package enum Base64 {
  /// Nil for text with a character that is neither of base 64 nor a blank.
  package static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes where !ASCII.isBlank(byte) && byte != UInt8(ascii: "=") {
      guard let value = value(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return output
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes with the standard alphabet and padding.
  package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let three = bytes[start..<min(start + 3, bytes.count)]
      let bits = three.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - three.count))
      for digit in 0..<4 {
        text.append(digit <= three.count ? digits[bits >> (18 - 6 * digit) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
