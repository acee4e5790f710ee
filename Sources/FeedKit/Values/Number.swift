/// Numbers as feeds write them.
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

  /// `12`, `1.5`, `.5`; no sign, no exponent, nothing behind it.
  static func nonNegative(_ text: String) -> Double? {
    if let whole = whole(text) { return whole }
    let bytes = text.utf8
    guard bytes.contains(where: Bytes.isDigit), bytes.count <= 64 else { return nil }
    guard bytes.allSatisfy({ Bytes.isDigit($0) || $0 == UInt8(ascii: ".") }) else { return nil }
    return Double(text.hasPrefix(".") ? "0" + text : text.hasSuffix(".") ? text + "0" : text)
  }

  /// The form most numbers have: a few digits.
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

extension String {
  /// In lower case, and itself when it is so already.
  var folded: String {
    let isFolded = utf8.withContiguousStorageIfAvailable { bytes in
      for byte in bytes where byte &- 0x41 < 26 || byte >= 0x80 { return false }
      return true
    }
    return isFolded == true ? self : lowercased()
  }
}

/// Yes and no as feeds write them.
enum Flag {
  static func value(_ text: String) -> Bool? {
    switch text.folded {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  static func explicit(_ text: String) -> Bool? {
    switch text.folded {
    case "yes", "true", "explicit": true
    case "no", "false", "clean": false
    default: nil
    }
  }
}

enum MediaType {
  /// `audio/mpeg`, in lower case and without parameters; nil for what is no type at all.
  static func normalized(_ text: consuming String?) -> String? {
    guard let text = consume text else { return nil }
    if let known = longAndKnown.first(where: { $0 == text }) { return known }
    if text.utf8.withContiguousStorageIfAvailable(isNormalized) == true { return text }
    let type = text.utf8.prefix { $0 != UInt8(ascii: ";") }
    let plain = String(decoding: type.filter { !Bytes.isBlank($0) }.map(Bytes.lowercased), as: UTF8.self)
    return plain.isEmpty ? nil : plain
  }

  /// Short texts take no memory of their own; these would, in each episode.
  private static let longAndKnown = ["application/json+chapters", "application/x-subrip", "application/json"]

  private static func isNormalized(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in type where byte <= 0x20 || byte == UInt8(ascii: ";") || byte &- 0x41 < 26 { return false }
    return true
  }
}

enum LanguageTag {
  /// As the feed has it but in lower case and with hyphens: `en-us`.
  static func normalized(_ text: String) -> String {
    text.folded.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "-")
  }
}

enum Base64 {
  /// Nil when there is anything in it that does not belong there.
  static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes where !Bytes.isBlank(byte) && byte != UInt8(ascii: "=") {
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
}
