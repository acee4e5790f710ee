/// Addresses as they may be shown: user names, passwords and what a query carries are secrets.
enum SafeAddress {
  static func shown(_ address: String) -> String {
    guard let question = address.firstIndex(of: "?") else { return withoutUser(address) }
    return withoutUser(String(address[..<question])) + "?…"
  }

  static func withoutUser(_ address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return address }
    let authority = address[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return address }
    return String(address[..<scheme.upperBound] + address[address.index(after: at)...])
  }
}
