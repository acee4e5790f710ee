internal import PodcastModel
internal import PodcastStore

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

  /// An address that only looks like a secret stays here, too: nothing is lost by that, and a secret would be.
  static func isSecret(_ address: String) -> Bool { !ShareableAddress.isShareable(feed: address) }
}
