/// Reads the numbers of feeds.
enum Number {
  /// A size: whole, not negative, maybe with separators between thousands.
  static func bytes(_ text: String) -> Int64? {
    var value: Int64 = 0
    var hasDigit = false
    for byte in text.utf8 {
      if Bytes.isDigit(byte) {
        hasDigit = true
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(Int64(byte - 0x30))
        guard !overflow, !carry else { return nil }
        value = sum
      } else if byte == UInt8(ascii: ".") {
        return nonNegative(text).flatMap { Int64(exactly: $0.rounded(.down)) }
      } else if byte != UInt8(ascii: ","), byte != UInt8(ascii: "_"), !Bytes.isBlank(byte) {
        return nil
      }
    }
    return hasDigit ? value : nil
  }

  /// Reads `12`, `1.5`, `.5`; no sign, no exponent, nothing behind it.
  static func nonNegative(_ text: String) -> Double? {
    if let whole = whole(text) { return whole }
    let bytes = text.utf8
    guard bytes.contains(where: Bytes.isDigit), bytes.count <= 64 else { return nil }
    guard bytes.allSatisfy({ Bytes.isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    return Double(text.hasPrefix(".") ? "0" + text : text.hasSuffix(".") ? text + "0" : text)
  }

  /// A fast path for the usual few digits.
  private static func whole(_ text: String) -> Double? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      guard 1...15 ~= bytes.count else { return nil }
      var value = 0
      for byte in bytes {
        guard Bytes.isDigit(byte) else { return nil }
        value = value &* 10 &+ Int(byte &- 0x30)
      }
      return Double(value)
    } ?? nil
  }
}
