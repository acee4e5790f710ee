private import Glibc
internal import PodcastModel
internal import PodcastStore
private import System
internal import Text
internal import Transfer

/// The account on a server, as the library keeps it. Its password is in the file for secrets.
package struct ServerAccount: Hashable, Sendable {
  /// The address without a path of the interface, and without a slash at its end.
  package var base: String
  package var flavour: ServerFlavour
  package var user: String
  /// Made once by chance: the name of the machine is no one else's business, and clones share it.
  package var device: String

  var paths: ServerPaths { ServerPaths(flavour: flavour, user: user, device: device) }

  /// Its name among the devices that stamp registers. Machines that share a folder know by it that they have the same
  /// server, and nothing more.
  var author: String { "server-" + SyncAddress.hash("\(user) \(base)") }

  /// The name of its password in the file for secrets.
  var secretName: String { "sync:" + base }

  init(base: String, flavour: ServerFlavour, user: String, device: String) {
    self.base = base
    self.flavour = flavour
    self.user = user
    self.device = device
  }

  /// Nil without an account.
  init?(_ values: [String: String]) {
    guard let base = values[ServerValue.base], let user = values[ServerValue.user],
      let device = values[ServerValue.device],
      let flavour = values[ServerValue.flavour].flatMap(ServerFlavour.init(rawValue:))
    else { return nil }
    self.init(base: base, flavour: flavour, user: user, device: device)
  }

  var values: [String: String?] {
    [
      ServerValue.base: base, ServerValue.user: user, ServerValue.flavour: flavour.rawValue,
      ServerValue.device: device,
    ]
  }

  /// A new name for this library.
  static func newDevice() -> String {
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    return "podcli-" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// The names of the values that the library keeps about its server.
enum ServerValue {
  static let base = "server-url"
  static let user = "server-user"
  static let flavour = "server-flavour"
  static let device = "server-device"
  /// The timestamps from which the next answers are wanted.
  static let subscriptionsSince = "server-subscriptions-since"
  static let actionsSince = "server-actions-since"
  /// When everything was last asked for, subscriptions were, and a sync succeeded.
  static let fullAt = "server-full-at"
  static let subscriptionsAt = "server-subscriptions-at"
  static let syncedAt = "server-synced-at"
  /// Until subscriptions, and until actions are received: what is here counts more than what the server had by then, in
  /// milliseconds.
  static let claimsSubscriptions = "server-claims-subscriptions"
  static let claimsActions = "server-claims-actions"
  static let claims = [claimsSubscriptions, claimsActions]
  /// Automatic syncs wait until then.
  static let pausedUntil = "server-paused-until"
  /// Of the last sync: its failure, podcasts that stay here, and reports that wait.
  static let lastError = "server-error"
  static let hidden = "server-hidden"
  static let waiting = "server-waiting"
}

// MARK: - The address

extension ServerAccount {
  /// The base of an address as people paste it: `https` where no scheme is given, without the interface's own path.
  static func base(of text: String, allowsHTTP: Bool) throws(ServerError) -> String {
    let text = text.contains("://") ? text : "https://" + text
    var url = WebURL(text)
    guard url.isHTTP else { throw .badAddress("it is no web address") }
    if let fault = AddressGate.fault(in: text) { throw .badAddress(fault) }
    guard url.authority?.contains("@") == false else { throw .badAddress("it has a user name in it: say --user NAME") }
    url.query = nil
    url.fragment = nil
    for end in ["/index.php/apps/gpoddersync", "/apps/gpoddersync", "/index.php/login/v2", "/index.php", "/api/2"]
    where url.path.withoutSlash.hasSuffix(end) {
      url.path = String(url.path.withoutSlash.dropLast(end.count))
    }
    url.path = url.path.withoutSlash
    guard url.scheme == "https" || allowsHTTP || isLoopback(url.host ?? "") else { throw .notEncrypted }
    return url.description
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "[::1]"
      || host.hasPrefix("127.") && host.split(separator: ".").count == 4 && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}

extension String {
  fileprivate var withoutSlash: String {
    var text = self
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }
}
