private import Glibc
internal import PodcastModel
internal import PodcastStore

/// The limits of sharing with machines and servers: no private podcast, no address with a secret, and of the settings only those
/// that change the sound.
enum Sharing {
  /// `data`: the folder of podcli's data, whose player says which episode it holds.
  static func rules(in data: String) -> SyncRules {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var rules = rules(now: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    let player = PlayerLock.holder(in: Paths.libraryFolder(in: data))
    rules.held = player?.episode
    rules.isPlayer = player?.pid == getpid()
    return rules
  }

  static func rules(now: Int64) -> SyncRules {
    var rules = SyncRules(isSecret: isSecret, settings: settings, now: now)
    rules.covers = { PrivateAddress.withTwin($0).map(PrivateAddress.cover) }
    return rules
  }

  private static let settings: [String: @Sendable (String) -> String?] = Dictionary(
    uniqueKeysWithValues: SettingKeys.portable.filter { $0.name != SettingKeys.order.name }.map {
      ($0.name, $0.normalized)
    })

  /// An address that only looks like a secret stays here, too: nothing is lost by that, and a secret would be.
  static func isSecret(_ address: String) -> Bool { !ShareableAddress.isShareable(feed: address) }
}
