/// Percent-encoding: `%20`.
package enum PercentCoding {
  /// Decodes every valid escape; others stay.
  package static func decoded(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = hexValue(rest.prefix(2)) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hexValue(_ digits: some Collection<UInt8>) -> UInt8? {
    let text = String(decoding: digits, as: UTF8.self)
    return digits.count == 2 && text.allSatisfy(\.isHexDigit) ? UInt8(text, radix: 16) : nil
  }
}

extension PercentCoding {
  /// Encodes a text as a value in a query.
  package static func encoded(_ text: String) -> String {
    var output = ""
    for byte in text.utf8 {
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._~".utf8.contains(byte)
      output += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return output
  }
}
