internal import PodcastModel
internal import PodcastStore
internal import Text

/// One sync: subscriptions down, episode actions down and merged, then actions up and subscriptions up. A step that fails
/// ends its own kind only, and nothing here is undone.
struct ServerRound {
  let account: ServerAccount
  let client: ServerClient
  let store: PodcastStore
  let subscriber: Subscriber
  /// The folder of the library.
  let data: String
  let options: ServerSyncOptions
  let values: [String: String]
  var report = ServerReport()

  var paths: ServerPaths { account.paths }
  /// Once a week everything is asked for: what reached the server late is in no shorter answer.
  var isFull: Bool { options.isFull || isOlder(ServerValue.fullAt, than: 7 * 86_400) }

  func isOlder(_ name: String, than seconds: Int64) -> Bool {
    guard let at = values[name].flatMap({ Int64($0) }) else { return true }
    return abs(Timestamp.now.seconds - at) > seconds
  }

  mutating func run() async {
    let (subscriptions, actions) = (await downloadSubscriptions(), await downloadActions())
    if actions { await step { (round: inout ServerRound) throws(ServerError) in try await round.sendActions() } }
    if subscriptions {
      await step { (round: inout ServerRound) throws(ServerError) in try await round.sendSubscriptions() }
    }
  }

  private mutating func downloadSubscriptions() async -> Bool {
    await step { (round: inout ServerRound) throws(ServerError) in try await round.receiveSubscriptions() }
  }

  private mutating func downloadActions() async -> Bool {
    await step { (round: inout ServerRound) throws(ServerError) in try await round.receiveActions() }
  }

  /// False where it failed, or an earlier failure makes it pointless.
  @discardableResult
  private mutating func step(_ body: (inout ServerRound) async throws(ServerError) -> Void) async -> Bool {
    guard !report.failures.contains(where: \.endsRound) else { return false }
    do throws(ServerError) {
      try await body(&self)
      return true
    } catch {
      report.failures.append(error)
      return false
    }
  }

  func storing<Result: Sendable>(
    _ body: (PodcastStore) async throws(StoreError) -> Result
  ) async throws(ServerError) -> Result {
    do throws(StoreError) { return try await body(store) } catch { throw .store(error) }
  }

  /// So many removals at once are more likely a mistake than a wish.
  func refuseMassRemoval(_ count: Int, of total: Int, isHere: Bool) throws(ServerError) {
    guard !options.isForced, count > max(5, total * 3 / 10) else { return }
    throw .massRemoval(count: count, total: total, isHere: isHere)
  }

  /// Sends in halves what the server refuses, down to the one that it minds. Returns the refused ones. A server that
  /// fails at everything has failed itself.
  func inHalves<Item: Sendable>(
    _ items: [Item], _ send: ([Item]) async throws(ServerError) -> Void
  ) async throws(ServerError) -> [Item] {
    var batches = [items]
    var refused: [Item] = []
    var hasWorked = false
    var failures: [ServerError] = []
    while let batch = batches.popLast() {
      guard !batch.isEmpty else { continue }
      do throws(ServerError) {
        try await send(batch)
        hasWorked = true
      } catch {
        guard case .status(let status) = error, [400, 413, 414, 422].contains(status) || status >= 500 else {
          throw error
        }
        if status >= 500 { failures.append(error) }
        if !hasWorked, failures.count > 8 { throw error }
        if batch.count == 1 {
          refused += batch
        } else {
          batches += [Array(batch[(batch.count / 2)...]), Array(batch[..<(batch.count / 2)])]
        }
      }
    }
    if !hasWorked, let failure = failures.first { throw failure }
    return refused
  }
}
