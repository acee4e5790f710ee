private import Glibc
internal import System
internal import Text
package import Transfer

/// The secret of a private feed.
package struct Secret: Hashable, Sendable {
  /// The address, where it is itself the secret; the library then keeps `PrivateAddress.cover` of it.
  package var address: String?
  package var credentials: HTTPRequest.Credentials?
}

/// The file with the secrets of feeds, apart from the library. Only this user may read it, and no command prints it.
package struct Secrets: Sendable {
  private let folder: String
  private var path: String { folder + "/secrets" }

  package init(folder: String) { self.folder = folder }

  /// The secret of the feed with this address in the library.
  package func secret(for feedURL: String) -> Secret? { all()[feedURL] }

  /// By the address of the feed in the library.
  package func all() -> [String: Secret] { read() ?? [:] }

  /// Nil deletes. False when the file cannot be written, or cannot be read and so may hold other secrets.
  package func keep(_ secret: Secret?, for feedURL: String) -> Bool {
    FileLock.holding(folder: folder) {
      guard var secrets = read() else { return false }
      guard secrets[feedURL] != secret else { return true }
      secrets[feedURL] = secret
      return write(secrets)
    } ?? false
  }

  /// All secrets as a document for another machine; nil when there are none.
  func document() -> String? {
    guard let secrets = read(), !secrets.isEmpty else { return nil }
    return Self.json(secrets).pretty
  }

  /// Adds the secrets of a document; those that are here stay. False when the file cannot be written.
  func adopt(_ document: String) -> Bool {
    FileLock.holding(folder: folder) {
      guard let secrets = read(), let more = Self.secrets(in: Array(document.utf8)) else { return false }
      return write(secrets.merging(more) { own, _ in own })
    } ?? false
  }

  // MARK: The file

  /// Nil when the file exists but cannot be read or parsed.
  private func read() -> [String: Secret]? {
    guard let bytes = Files.read(path, followsLinks: false) else {
      return errno == ENOENT || errno == ENOTDIR ? [:] : nil
    }
    return bytes.isEmpty ? [:] : Self.secrets(in: bytes)
  }

  private static func secrets(in bytes: [UInt8]) -> [String: Secret]? {
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
    Files.replace(path, with: Array((Self.json(secrets).pretty + "\n").utf8), isDurable: true)
  }

  private static func json(_ secrets: [String: Secret]) -> JSON {
    .array(
      secrets.sorted { $0.key < $1.key }.map { feed, secret in
        [
          "feed": JSON(feed), "address": JSON(secret.address), "user": JSON(secret.credentials?.user),
          "password": JSON(secret.credentials?.password),
        ]
      })
  }
}
