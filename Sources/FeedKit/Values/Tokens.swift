extension String {
  /// The text in lower case, without a copy when it is so already.
  var folded: String {
    let isFolded = utf8.withContiguousStorageIfAvailable { bytes in
      for byte in bytes where byte &- 0x41 < 26 || byte >= 0x80 { return false }
      return true
    }
    return isFolded == true ? self : lowercased()
  }
}

/// Yes and no in the spellings of feeds.
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
  /// A media type in lower case and without parameters (`audio/mpeg`); nil for an empty one.
  static func normalized(_ text: consuming String?) -> String? {
    guard let text = consume text else { return nil }
    if let known = longAndKnown.first(where: { $0 == text }) { return known }
    if text.utf8.withContiguousStorageIfAvailable(isNormalized) == true { return text }
    let type = text.utf8.prefix { $0 != UInt8(ascii: ";") }
    let plain = String(decoding: type.filter { !Bytes.isBlank($0) }.map(Bytes.lowercased), as: UTF8.self)
    return plain.isEmpty ? nil : plain
  }

  /// Strings of up to 15 bytes need no heap memory; these longer ones are shared instead.
  private static let longAndKnown = ["application/json+chapters", "application/x-subrip", "application/json"]

  private static func isNormalized(_ type: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in type where byte <= 0x20 || byte == UInt8(ascii: ";") || byte &- 0x41 < 26 { return false }
    return true
  }
}

enum LanguageTag {
  /// A language tag in lower case and with hyphens: `en-us`.
  static func normalized(_ text: String) -> String {
    text.folded.split(separator: "_", omittingEmptySubsequences: false).joined(separator: "-")
  }
}
