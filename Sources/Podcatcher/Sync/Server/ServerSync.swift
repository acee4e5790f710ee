package import PodcastModel
package import PodcastStore
internal import Text
internal import Transfer

/// Sync of this library with the server that it is logged in at.
package struct ServerSync: Sendable {
  private let store: PodcastStore
  private let data: String
  private let subscriber: Subscriber
  private let secrets: Secrets
  private let http: @Sendable () throws(TransferError) -> HTTPClient

  init(
    store: PodcastStore, data: String, subscriber: Subscriber, secrets: Secrets,
    http: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    self.store = store
    self.data = data
    self.subscriber = subscriber
    self.secrets = secrets
    self.http = http
  }

  /// Syncs once. An automatic sync does nothing while the server wants a pause, or another process syncs.
  package func run(_ options: ServerSyncOptions = ServerSyncOptions()) async throws(ServerError) -> ServerReport {
    guard ServerAccount(try await values()) != nil else { throw .notLoggedIn }
    guard let lock = await ServerTurn.take(in: data, patiently: !options.isAutomatic) else {
      if options.isAutomatic { return ServerReport() }
      throw .underway
    }
    defer { withExtendedLifetime(lock) {} }
    // Until then another process may have logged out.
    let values = try await values()
    guard let account = ServerAccount(values) else { throw .notLoggedIn }
    if options.isAutomatic, isPaused(values) { return ServerReport() }
    guard let credentials = secrets.secret(for: account.secretName)?.credentials else { throw .passwordMissing }
    let client = ServerClient(base: account.base, credentials: credentials, http: http)
    var round = ServerRound(
      account: account, client: client, store: store, subscriber: subscriber, data: data, options: options,
      values: values)
    await round.run()
    let (report, changes) = (round.report, result(of: round.report))
    let event = event(report, after: values)
    try await storing { store throws(StoreError) in
      try await store.setSyncState(changes)
      if let event { try await store.logSync(event, of: "server") }
    }
    return report
  }

  /// A sync that follows another command, which does not fail by it.
  func runQuietly() async {
    var options = ServerSyncOptions()
    options.isAutomatic = true
    _ = try? await run(options)
  }

  private func isPaused(_ values: [String: String]) -> Bool {
    let until = values[ServerValue.pausedUntil].flatMap { Int64($0) } ?? 0
    return until > Timestamp.now.seconds
  }

  private func values() async throws(ServerError) -> [String: String] {
    try await storing { store throws(StoreError) in try await store.syncState() }
  }

  /// For the log: only news, as most syncs find nothing.
  private func event(_ report: ServerReport, after values: [String: String]) -> String? {
    if let error = report.failures.first?.text { return error == values[ServerValue.lastError] ? nil : error }
    guard report.hasChanges else { return nil }
    return "\(report.followed + report.left + report.received) in, \(report.subscriptionsSent + report.sent) out"
  }

  private func result(of report: ServerReport) -> [String: String?] {
    let now = Timestamp.now
    var pause: Int64?
    for case .busy(let seconds) in report.failures { pause = max(pause ?? 0, seconds) }
    var changes: [String: String?] = [
      ServerValue.lastError: report.failures.first?.text,
      ServerValue.pausedUntil: pause.map { String(now.seconds + $0) },
      ServerValue.hidden: String(report.hidden), ServerValue.waiting: String(report.waiting),
    ]
    if report.failures.isEmpty { changes[ServerValue.syncedAt] = String(now.seconds) }
    return changes
  }

  private func storing<Result: Sendable>(
    _ body: (PodcastStore) async throws(StoreError) -> Result
  ) async throws(ServerError) -> Result {
    do throws(StoreError) { return try await body(store) } catch { throw .store(error) }
  }
}

/// The account and its last sync.
package struct ServerStatus: Hashable, Sendable {
  package var account: ServerAccount
  /// The last sync without a failure.
  package var syncedAt: Timestamp?
  /// Of the last sync.
  package var error: ServerError?
  /// Podcasts that stay here, because their addresses are secrets.
  package var hidden: Int
  /// Reports whose episode is not in the library.
  package var waiting: Int
  /// The addresses of feeds on the server that cannot be fetched.
  package var unreachable: [String]

  /// Nil without an account.
  package init?(of store: PodcastStore) async throws(StoreError) {
    let values = try await store.syncState()
    guard let account = ServerAccount(values) else { return nil }
    func number(_ name: String) -> Int64? { values[name].flatMap { Int64($0) } }
    self.account = account
    syncedAt = number(ServerValue.syncedAt).map(Timestamp.init(seconds:))
    error = values[ServerValue.lastError].flatMap(ServerError.init(text:))
    hidden = Int(number(ServerValue.hidden) ?? 0)
    waiting = Int(number(ServerValue.waiting) ?? 0)
    unreachable = try await store.serverFeeds().filter { $0.state == .waiting }.map(\.url)
  }
}
