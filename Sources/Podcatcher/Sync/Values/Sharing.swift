internal import PodcastModel
internal import PodcastStore
internal import Text

/// The limits of sharing with machines and servers: no private podcast, no address with a secret, and of the settings only those
/// that change the sound.
enum Sharing {
  static func rules(held: EpisodeID? = nil, isPlayer: Bool = false, now: Int64) -> SyncRules {
    var rules = SyncRules(isSecret: isSecret, settings: settings, now: now)
    rules.held = held
    rules.isPlayer = isPlayer
    return rules
  }

  private static let settings: [String: @Sendable (String) -> String?] = Dictionary(
    uniqueKeysWithValues: SettingKeys.portable.filter { $0.name != SettingKeys.order.name }.map {
      ($0.name, $0.normalized)
    })

  private static let words = ["token", "auth", "key", "secret", "sig", "jwt", "uid", "password"]
  private static let hosts = ["patreon.com", "supportingcast.fm", "memberful.com", "memberfulcontent.com"]

  /// Looks for what private feeds have in their addresses. An address that only looks so stays here, too: nothing is lost
  /// by that, and a secret would be.
  static func isSecret(_ address: String) -> Bool {
    let url = WebURL(address)
    if url.authority?.contains("@") == true { return true }
    let host = url.host ?? ""
    if hosts.contains(where: { host == $0 || host.hasSuffix("." + $0) }) { return true }
    let names = (url.query ?? "").split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
    if names.contains(where: { name in words.contains { name.contains($0) } }) { return true }
    return (url.path + "/" + (url.query ?? "")).split(whereSeparator: { !$0.isASCII || !($0.isLetter || $0.isNumber) })
      .contains(where: isRandom)
  }

  /// Letters and digits without any order.
  private static func isRandom(_ part: Substring) -> Bool {
    part.utf8.count >= 20 && part.contains(where: \.isNumber) && part.contains(where: \.isLetter)
  }
}
