private import Glibc
private import PodcastModel
internal import System
internal import Text
package import Transfer

/// What opens a private feed.
package struct Secret: Hashable, Sendable {
  /// The address, where it is itself the secret; the library then only has a cover for it.
  package var address: String?
  package var credentials: HTTPRequest.Credentials?
}

/// Secrets, kept apart from the library: in a file that only this user may read, and that nothing ever prints.
package struct Secrets: Sendable {
  private let folder: String
  private var path: String { folder + "/secrets" }

  package init(folder: String) { self.folder = folder }

  package func secret(for feedURL: String) -> Secret? { all()[feedURL] }

  /// Each feed of the library by the address it has there.
  package func all() -> [String: Secret] { read() ?? [:] }

  /// Nil forgets. False when the file cannot be written, or not be read: others may be in it.
  package func keep(_ secret: Secret?, for feedURL: String) -> Bool {
    FileLock.holding(folder: folder) {
      guard var secrets = read() else { return false }
      guard secrets[feedURL] != secret else { return true }
      secrets[feedURL] = secret
      return write(secrets)
    } ?? false
  }

  // MARK: The file

  /// Nil when there is a file that cannot be read or understood.
  private func read() -> [String: Secret]? {
    guard let bytes = Files.read(path, followsLinks: false) else {
      return errno == ENOENT || errno == ENOTDIR ? [:] : nil
    }
    guard !bytes.isEmpty else { return [:] }
    guard let entries = JSON(parsing: bytes)?.elements else { return nil }
    var secrets: [String: Secret] = [:]
    for entry in entries {
      guard let feed = entry["feed"]?.text else { continue }
      let credentials = entry["user"]?.text.map {
        HTTPRequest.Credentials(user: $0, password: entry["password"]?.text ?? "")
      }
      secrets[feed] = Secret(address: entry["address"]?.text, credentials: credentials)
    }
    return secrets
  }

  private func write(_ secrets: [String: Secret]) -> Bool {
    let document = JSON.array(
      secrets.sorted { $0.key < $1.key }.map { feed, secret in
        [
          "feed": JSON(feed), "address": JSON(secret.address), "user": JSON(secret.credentials?.user),
          "password": JSON(secret.credentials?.password),
        ]
      })
    return Files.replace(path, with: Array((document.pretty + "\n").utf8), isDurable: true)
  }
}

/// An address taken apart into what the library may know and what is a secret.
package struct PrivateAddress: Hashable, Sendable {
  /// Under this address the library knows the feed.
  package var listed: String
  /// Without user and password.
  package var real: String
  package var secret: Secret?

  /// User and password in an address are always a secret; the address itself when the user says so, or when its
  /// query has a name that says so.
  package init(_ address: String, credentials: HTTPRequest.Credentials? = nil, isPrivate: Bool = false) {
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

  /// Tells feeds apart and the host, but not the address.
  package static func cover(of address: String) -> String {
    "private://" + (WebAddress(address).host ?? "") + "/" + SHA1.hex(address).prefix(20)
  }

  private static func split(_ address: String) -> (String, HTTPRequest.Credentials?) {
    var parts = WebAddress(address)
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

  private static func hasToken(_ address: String) -> Bool {
    guard let query = WebAddress(address).query else { return false }
    return query.split(separator: "&").contains { item in
      let pair = item.split(separator: "=", maxSplits: 1)
      return pair.count == 2 && tokenNames.contains(pair[0].lowercased())
    }
  }
}

extension Secrets {
  /// How to ask for a feed of the library.
  package func question(for feedURL: String) -> FeedQuestion {
    guard let secret = secret(for: feedURL) else { return FeedQuestion(feedURL) }
    var question = FeedQuestion(secret.address ?? feedURL)
    question.credentials = secret.credentials
    return question
  }
}
