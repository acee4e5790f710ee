internal import Text

/// Decides which addresses servers and other machines may see. One that looks like a secret stays here, with all that was
/// heard of it.
enum ShareableAddress {
  static func isShareable(feed address: String) -> Bool {
    let url = WebURL(address)
    let segments = url.path.split(separator: "/")
    let values = (url.query ?? "").split(separator: "&").map { $0.drop { $0 != "=" }.dropFirst() }
    return isShareable(enclosure: address) && !isForMembers(url.host ?? "")
      && !segments.contains { $0.lowercased() == "private" } && !(segments + values).contains(where: isToken)
  }

  /// Media files of public podcasts have long codes in their paths, so only a name in the query counts.
  static func isShareable(enclosure address: String) -> Bool {
    let url = WebURL(address)
    return url.isHTTP && url.authority?.contains("@") == false && !hasSecretName(url.query)
  }

  private static let secretWords: Set<String> = [
    "token", "auth", "authtoken", "accesstoken", "key", "apikey", "accesskey", "secret", "sig", "signature", "jwt",
    "uid",
    "password", "pass", "pwd",
  ]

  private static func hasSecretName(_ query: String?) -> Bool {
    (query ?? "").lowercased().split(separator: "&").contains { item in
      guard item.contains("=") else { return false }
      let words = PercentCoding.decoded(item.prefix { $0 != "=" }).split { !$0.isLetter && !$0.isNumber }
      return words.contains { secretWords.contains(String($0)) }
    }
  }

  private static let hostsForMembers = [
    "patreon.com", "supportingcast.fm", "memberful.com", "memberfulcontent.com", "supercast.com", "supercast.tech",
  ]

  private static func isForMembers(_ host: String) -> Bool {
    hostsForMembers.contains { host == $0 || host.hasSuffix("." + $0) }
  }

  /// A run of at least 20 characters that mixes digits and letters as no word does. A UUID names a public show more often
  /// than not, and its runs are shorter.
  private static func isToken(_ part: Substring) -> Bool {
    PercentCoding.decoded(part).utf8.split { kind($0) == .other }.contains { run in
      let kinds = run.map(kind)
      return run.count >= 20 && kinds.contains(.digit) && zip(kinds, kinds.dropFirst()).count { $0 != $1 } >= 4
    }
  }

  private enum Kind { case digit, capital, small, other }

  private static func kind(_ byte: UInt8) -> Kind {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): .small
    default: .other
    }
  }
}
