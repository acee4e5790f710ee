package import PodcastModel

/// The rules of a sync that are not the store's.
package struct SyncRules: Sendable {
  /// Whether an address has a secret in it. Podcasts with such an address, and private ones, are never shared.
  package var isSecret: @Sendable (String) -> Bool
  /// The addresses that stand in the library for one that is a secret of this machine.
  package var covers: @Sendable (String) -> [String] = { _ in [] }
  /// The settings of podcasts that are shared, by name: a value in podcli's form, or nil for a wrong one.
  package var settings: [String: @Sendable (String) -> String?]
  /// The episode that a player holds. Nothing is written into its status.
  package var held: EpisodeID?
  /// The player is this process, whose positions are known to be meant.
  package var isPlayer = false
  /// The clock, in milliseconds since 1970.
  package var now: Int64

  package init(
    isSecret: @escaping @Sendable (String) -> Bool, settings: [String: @Sendable (String) -> String?], now: Int64
  ) {
    self.isSecret = isSecret
    self.settings = settings
    self.now = now
  }

  func setting(_ name: String, _ value: String) -> String? { settings[name]?(value) }
}
