/// Removes secrets from addresses for display: user name, password and query.
///
/// Works on bytes, for speed in long lists, and so that a combining mark on an `@` does not hide it.
package enum SafeAddress {
  /// Without user name, password and query.
  package static func shown(_ address: String) -> String {
    guard has("?", address), let question = address.utf8.firstIndex(of: UInt8(ascii: "?")) else {
      return withoutUser(address)
    }
    return withoutUser(String(address[..<question])) + "?…"
  }

  /// The scheme and host, where any other part may be a secret.
  static func hostOnly(_ address: String) -> String {
    let shown = withoutUser(address)
    guard let start = authorityStart(shown.utf8) else { return "…" }
    return String(shown[..<start]) + String(decoding: shown.utf8[start...].prefix { !isEnd($0) }, as: UTF8.self) + "/…"
  }

  /// An address for a program: whole, unless there is a secret in it.
  package static func withoutSecrets(_ address: String) -> String {
    PrivateAddress.hasToken(address) ? shown(address) : withoutUser(address)
  }

  /// Without user name and password.
  package static func withoutUser(_ address: String) -> String {
    guard has("@", address), let start = authorityStart(address.utf8) else { return address }
    let authority = address.utf8[start...].prefix { !isEnd($0) }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return address }
    return String(address[..<start]) + String(address[address.utf8.index(after: at)...])
  }

  /// A list asks a thousand addresses, and indices of a string are slow.
  static func has(_ scalar: Unicode.Scalar, _ address: String) -> Bool {
    address.utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: scalar)) } ?? true
  }

  /// The index behind the first `://`.
  private static func authorityStart(_ bytes: String.UTF8View) -> String.Index? {
    var matched = 0
    for index in bytes.indices {
      switch (bytes[index], matched) {
      case (UInt8(ascii: ":"), _): matched = 1
      case (UInt8(ascii: "/"), 1): matched = 2
      case (UInt8(ascii: "/"), 2): return bytes.index(after: index)
      default: matched = 0
      }
    }
    return nil
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }
}
