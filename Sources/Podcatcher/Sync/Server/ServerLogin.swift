internal import PodcastStore
private import System
internal import Text
internal import Transfer

/// The journey from an address, a user and a password to an account, and back.
package struct ServerLogin: Sendable {
  private let store: PodcastStore
  private let data: String
  private let secrets: Secrets
  private let http: @Sendable () throws(TransferError) -> HTTPClient

  init(
    store: PodcastStore, data: String, secrets: Secrets,
    http: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    self.store = store
    self.data = data
    self.secrets = secrets
    self.http = http
  }

  /// A server that was recognised.
  package struct Server: Hashable, Sendable {
    package var base: String
    package var flavour: ServerFlavour
  }

  private func client(_ base: String, _ credentials: HTTPRequest.Credentials? = nil) -> ServerClient {
    ServerClient(base: base, credentials: credentials, http: http)
  }

  // MARK: Recognising

  /// Asks the address which interface it has, without a password. The interface of gpodder.net goes first: some servers
  /// have both, and only that one keeps the mark "unplayed". `allowsHTTP`: without encryption, too.
  package func recognise(_ address: String, allowsHTTP: Bool) async throws(ServerError) -> Server {
    let base = try ServerAccount.base(of: address, allowsHTTP: allowsHTTP)
    let client = client(base)
    func paths(_ flavour: ServerFlavour) -> ServerPaths { ServerPaths(flavour: flavour, user: "podcli", device: "") }
    let first = try await client.get(paths(.gpodder).devices)
    if first.isGPodder { return Server(base: base, flavour: .gpodder) }
    if case .moved = first.failure, !first.isSuccess { throw first.failure }
    let second = try await client.get(paths(.nextcloud).subscriptions(since: 0))
    if second.status == 401 || second.json?["add"] != nil { return Server(base: base, flavour: .nextcloud) }
    if try await client.get("/status.php").json?["versionstring"] != nil { throw .appMissing }
    if case .busy = first.failure { throw first.failure }
    throw first.status >= 500 ? first.failure : .noServer
  }

  // MARK: With a password

  /// Proves the password, registers this library as a device, and keeps both. A new account knows nothing of the server
  /// before it.
  package func logIn(
    to server: Server, user: String, password: String
  ) async throws(ServerError) -> ServerAccount {
    guard let lock = await ServerTurn.take(in: data) else { throw .underway }
    defer { withExtendedLifetime(lock) {} }
    let values = try await storing { store throws(StoreError) in try await store.syncState() }
    let device = values[ServerValue.device] ?? ServerAccount.newDevice()
    let account = ServerAccount(base: server.base, flavour: server.flavour, user: user, device: device)
    if let other = ServerAccount(values), other.base != account.base || other.user != user {
      throw .loggedInElsewhere(other.base)
    }
    let credentials = HTTPRequest.Credentials(user: user, password: password)
    try await prove(account, client(server.base, credentials))
    guard secrets.keep(Secret(credentials: credentials), for: account.secretName) else { throw .secretsNotKept }
    let isNew = ServerAccount(values) == nil
    try await storing { store throws(StoreError) in
      if isNew { try await store.forgetServer(keeping: [ServerValue.device]) }
      try await store.setSyncState(account.values)
    }
    return account
  }

  private func prove(_ account: ServerAccount, _ client: ServerClient) async throws(ServerError) {
    switch account.flavour {
    case .gpodder:
      let devices = try await client.get(account.paths.devices)
      guard devices.isSuccess, let known = devices.json?.elements else { throw devices.failure }
      try await client.register(account.paths)
      await join(known, account, client)
    case .nextcloud:
      do throws(ServerError) {
        _ = try await client.subscriptions(account.paths, since: 0)
      } catch {
        throw error == .noServer ? .appMissing : error
      }
    }
  }

  /// gpodder.net keeps subscriptions for each device until devices are joined: this one joins that with the most. Servers
  /// with one list for all ignore it.
  private func join(_ devices: [JSON], _ account: ServerAccount, _ client: ServerClient) async {
    let others = devices.compactMap { device in device["id"]?.text.map { ($0, device["subscriptions"]?.int ?? 0) } }
    guard let other = others.filter({ $0.0 != account.device }).max(by: { $0.1 < $1.1 }) else { return }
    let pair: JSON = ["synchronize": [JSON([account.device, other.0])], "stop-synchronize": []]
    _ = try? await client.post(account.paths.joinedDevices, pair)
  }

  // MARK: Logging out

  /// Forgets the password, the account and everything about the server but the name of this device, whether the server
  /// can be reached or not. Returns the address; nil when there was no account.
  package func logOut() async throws(ServerError) -> String? {
    guard let lock = await ServerTurn.take(in: data) else { throw .underway }
    defer { withExtendedLifetime(lock) {} }
    let values = try await storing { store throws(StoreError) in try await store.syncState() }
    guard let account = ServerAccount(values) else { return nil }
    if let credentials = secrets.secret(for: account.secretName)?.credentials {
      if account.flavour == .nextcloud { await revoke(account, credentials) }
      guard secrets.keep(nil, for: account.secretName) else { throw .secretsNotKept }
    }
    try await storing { store throws(StoreError) in try await store.forgetServer(keeping: [ServerValue.device]) }
    return account.base
  }

  /// An app password is of no use to anything else.
  private func revoke(_ account: ServerAccount, _ credentials: HTTPRequest.Credentials) async {
    var request = HTTPRequest(url: account.base + "/ocs/v2.php/core/apppassword")
    request.method = .delete
    request.limits = .api
    request.headers = [.init("OCS-APIRequest", "true")]
    _ = try? await client(account.base, credentials).ask(request)
  }

  private func storing<Result: Sendable>(
    _ body: (PodcastStore) async throws(StoreError) -> Result
  ) async throws(ServerError) -> Result {
    do throws(StoreError) { return try await body(store) } catch { throw .store(error) }
  }
}

extension ServerClient.Answer {
  /// Some servers send no challenge with a 401, but JSON.
  fileprivate var isGPodder: Bool {
    if status == 401 {
      return head["www-authenticate"]?.lowercased().hasPrefix("basic") == true
        || head["content-type"]?.contains("json") == true
    }
    return isSuccess && json?.elements != nil
  }
}

extension ServerClient {
  /// Makes the device known. Its caption names no machine.
  func register(_ paths: ServerPaths) async throws(ServerError) {
    let answer = try await post(paths.thisDevice, ["caption": "podcli", "type": "desktop"])
    guard answer.isSuccess else { throw answer.failure }
  }
}

// MARK: - Nextcloud's login flow

extension ServerLogin {
  /// An access that the user grants in a browser.
  package struct Grant: Sendable {
    /// For the browser.
    package var page: String
    let endpoint: String
    let token: String
  }

  /// Begins Nextcloud's login flow, version 2. No address in the answer may lead to another server.
  package func beginGrant(at server: Server) async throws(ServerError) -> Grant {
    let answer = try await client(server.base).post("/index.php/login/v2", nil)
    guard answer.isSuccess, let page = answer.json?["login"]?.text, let poll = answer.json?["poll"],
      let endpoint = poll["endpoint"]?.text, let token = poll["token"]?.text
    else { throw answer.failure }
    let origin = WebURL(server.base).origin
    guard Self.isShowable(page), Self.isShowable(endpoint) else { throw .unreadable }
    for address in [page, endpoint] where WebURL(address).origin != origin { throw .moved(to: address) }
    return Grant(page: page, endpoint: endpoint, token: token)
  }

  /// Page and name are shown: an escape sequence in them would be obeyed by the terminal.
  private static func isShowable(_ text: String) -> Bool { !text.unicodeScalars.contains(where: \.isUnsafeToShow) }

  /// Asks once a second until access is granted, for five minutes at most, and logs in with what the server gives.
  package func logIn(to server: Server, by grant: Grant) async throws(ServerError) -> ServerAccount {
    var request = HTTPRequest(url: grant.endpoint)
    request.method = .post
    request.limits = .api
    request.body = Array("token=\(PercentCoding.encoded(grant.token))".utf8)
    request.headers = [.init("Content-Type", "application/x-www-form-urlencoded")]
    let client = client(server.base)
    for _ in 0..<300 {
      let answer = try await client.ask(request)
      if answer.isSuccess, let user = answer.json?["loginName"]?.text, let password = answer.json?["appPassword"]?.text
      {
        guard Self.isShowable(user) else { throw .unreadable }
        return try await logIn(to: server, user: user, password: password)
      }
      guard answer.status == 404 else { throw answer.failure }
      do { try await Task.sleep(for: .seconds(1)) } catch { throw .notGranted }
    }
    throw .notGranted
  }
}
