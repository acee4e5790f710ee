internal import Text

/// The two interfaces of servers: that of gpodder.net, which oPodSync and PodFetch have too, and that of Nextcloud's app.
package enum ServerFlavour: String, Sendable {
  case gpodder, nextcloud

  /// Nextcloud keeps plays only.
  var keepsUnplayed: Bool { self == .gpodder }
}

/// The paths below the base of one account.
struct ServerPaths: Sendable {
  let flavour: ServerFlavour
  let user: String
  let device: String

  private static let nextcloud = "/index.php/apps/gpoddersync"

  var devices: String { "/api/2/devices/\(encodedUser).json" }
  var thisDevice: String { "/api/2/devices/\(encodedUser)/\(device).json" }
  var joinedDevices: String { "/api/2/sync-devices/\(encodedUser).json" }

  func subscriptions(since: Int64) -> String {
    switch flavour {
    case .gpodder: "/api/2/subscriptions/\(encodedUser)/\(device).json?since=\(since)"
    case .nextcloud: Self.nextcloud + "/subscriptions?since=\(since)"
    }
  }

  var subscriptionChange: String {
    switch flavour {
    case .gpodder: "/api/2/subscriptions/\(encodedUser)/\(device).json"
    case .nextcloud: Self.nextcloud + "/subscription_change/create"
    }
  }

  func actions(since: Int64) -> String {
    switch flavour {
    case .gpodder: "/api/2/episodes/\(encodedUser).json?since=\(since)"
    case .nextcloud: Self.nextcloud + "/episode_action?since=\(since)"
    }
  }

  var newActions: String {
    switch flavour {
    case .gpodder: "/api/2/episodes/\(encodedUser).json"
    case .nextcloud: Self.nextcloud + "/episode_action/create"
    }
  }

  private var encodedUser: String { PercentCoding.encoded(user) }
}
