internal import Text
internal import Transfer

/// An address split into the part that the library keeps and the secret.
struct PrivateAddress: Hashable, Sendable {
  /// The address in the library.
  var listed: String
  /// Without user and password.
  var real: String
  var secret: Secret?

  /// User and password in an address are always a secret; the address itself when the user says so, or when its
  /// query has a name that says so.
  init(_ address: String, credentials: HTTPRequest.Credentials? = nil, isPrivate: Bool = false) {
    let (bare, inside) = Self.split(address)
    real = bare
    let credentials = credentials ?? inside
    if isPrivate || Self.hasToken(bare) {
      listed = Self.cover(of: bare)
      secret = Secret(address: bare, credentials: credentials)
    } else {
      listed = bare
      secret = credentials.map { Secret(address: nil, credentials: $0) }
    }
  }

  /// Stands for a secret address in the library: shows its host and a hash of it.
  static func cover(of address: String) -> String {
    scheme + (WebURL(address).host ?? "") + "/" + SHA1.hex(address).prefix(20)
  }

  /// The addresses under which the library may have this feed: with and without encryption, in clear and covered.
  var spellings: [String] {
    let clear = Self.withTwin(real)
    let covers = clear.map(Self.cover)
    return secret?.address == nil ? clear + covers : covers + clear
  }

  /// The secret of a podcast that is private, by this address. An unencrypted address replaces no encrypted one, and one in
  /// clear none of its own origin. Credentials stay with their address.
  func secret(replacing kept: Secret?) -> Secret? {
    guard let address = kept?.address else { return Secret(address: real, credentials: secret?.credentials) }
    guard let secret else { return nil }
    let isEncryptedTwin = address.hasPrefix("https:") && Self.withTwin(real).contains(address)
    let stays = isEncryptedTwin || secret.address == nil && WebURL(address).origin == WebURL(real).origin
    return Secret(
      address: stays ? address : real, credentials: secret.credentials ?? (stays ? kept?.credentials : nil))
  }

  /// The same address with and without encryption is the same feed.
  static func withTwin(_ address: String) -> [String] {
    if address.hasPrefix("https://") { return [address, "http://" + address.dropFirst(8)] }
    if address.hasPrefix("http://") { return [address, "https://" + address.dropFirst(7)] }
    return [address]
  }

  private static let scheme = "private://"

  /// Whether an address in the library only stands for the real one.
  static func isCover(_ address: String) -> Bool { address.hasPrefix(scheme) }

  private static func split(_ address: String) -> (String, HTTPRequest.Credentials?) {
    var parts = WebURL(address)
    guard let authority = parts.authority, let at = authority.lastIndex(of: "@") else { return (address, nil) }
    let pair = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    parts.authority = String(authority[authority.index(after: at)...])
    let user = PercentCoding.decoded(pair.first ?? "")
    let password = PercentCoding.decoded(pair.dropFirst().first ?? "")
    return (parts.description, user.isEmpty ? nil : HTTPRequest.Credentials(user: user, password: password))
  }

  private static let tokenNames: Set<String> = [
    "token", "access_token", "auth", "auth_token", "authtoken", "secret", "password", "signature", "apikey", "api_key",
  ]

  /// Whether a name in its query says that the value is a secret.
  static func hasToken(_ address: String) -> Bool {
    guard SafeAddress.has("?", address), let query = WebURL(address).query else { return false }
    return query.split(separator: "&").contains { item in
      let pair = item.split(separator: "=", maxSplits: 1)
      return pair.count == 2 && tokenNames.contains(pair[0].lowercased())
    }
  }
}
