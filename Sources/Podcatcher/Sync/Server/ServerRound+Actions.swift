internal import PodcastModel
internal import PodcastStore
internal import Text

extension ServerRound {
  // MARK: Down

  /// Servers compare `since` with the time of the action and not of its upload, so what was heard offline lies before it.
  private static let overlap: Int64 = 14 * 86_400
  private static let mostPages = 500
  /// More comes with the next sync.
  private static let mostPlays = 500_000

  mutating func receiveActions() async throws(ServerError) {
    let last = values[ServerValue.actionsSince].flatMap { Int64($0) } ?? 0
    var since = isFull ? 0 : max(0, last - Self.overlap)
    var plays: [RemotePlay] = []
    var previous: [RemotePlay]?
    for _ in 0..<Self.mostPages {
      let page = try await client.actions(paths, since: since)
      plays += page.plays
      let present = ServerClock(date: client.date).present
      // A server whose timestamp is its present has told everything.
      guard page.count > 0, let next = page.timestamp, next > since, next < present.seconds - 60, previous != page.plays
      else {
        since = max(since, min(page.timestamp ?? present.seconds, present.seconds))
        break
      }
      (since, previous) = (next, page.plays)
      if plays.count > Self.mostPlays { break }
    }
    try await merge(plays, since)
  }

  /// The new timestamp is kept in the transaction of the merge.
  private mutating func merge(_ plays: [RemotePlay], _ since: Int64) async throws(ServerError) {
    let clock = ServerClock(date: client.date)
    var values: [String: String?] = [ServerValue.actionsSince: String(since)]
    if isFull { values[ServerValue.fullAt] = String(Timestamp.now.seconds) }
    var input = SyncInput()
    // A secret address that a phone told the server stays out of the library, and so do its plays.
    let shareable = plays.filter { ShareableAddress.isShareable(feed: $0.feedURL) }
    input.server = SyncInput.Server(plays: shareable, clock: clock, author: account.author)
    input.state = values
    input.claimKey = ServerValue.claimsActions
    let (merged, rules) = (input, Sharing.rules(in: data))
    let outcome = try await storing { store throws(StoreError) in try await store.sync(merged, by: rules) }
    (report.received, report.waiting, report.clockOffset) = (outcome.reported, outcome.waiting, clock.offset)
  }

  // MARK: Up

  private static let batch = 30

  /// Everything that wins over the server's state, in small batches, the oldest first.
  mutating func sendActions() async throws(ServerError) {
    let (clock, author) = (ServerClock(date: client.date), account.author)
    let withRefused = isFull
    let unsent = try await storing { store throws(StoreError) in
      try await store.unsentPlays(by: clock, to: author, withRefused: withRefused)
    }
    guard !unsent.isEmpty else { return }
    let plays = stamped(try await tellable(unsent))
    var refused: [UnsentPlay] = []
    for start in stride(from: 0, to: plays.count, by: Self.batch) {
      let batch = Array(plays[start..<min(start + Self.batch, plays.count)])
      let (client, store, paths, device) = (client, store, paths, account.device)
      refused += try await inHalves(batch) { part throws(ServerError) in
        let actions = part.compactMap { EpisodeActionJSON.action(for: $0, at: $0.feedURL, device: device) }
        let answer = try await client.post(paths.newActions, .array(actions))
        guard answer.isSuccess else { throw answer.failure }
        do throws(StoreError) {
          try await store.note(part, areRefused: false, by: clock, of: author)
        } catch {
          throw .store(error)
        }
      }
    }
    let aside = refused
    try await storing { store throws(StoreError) in try await store.note(aside, areRefused: true, by: clock, of: author)
    }
    report.refused += refused.count
    report.sent = plays.count - refused.count
  }

  /// Without what the server may not see, does not take, or would misunderstand.
  private mutating func tellable(_ plays: [UnsentPlay]) async throws(ServerError) -> [UnsentPlay] {
    let feeds = try await storing { store throws(StoreError) in try await store.serverFeeds() }
    let refused = Set(feeds.lazy.filter { $0.state == .refused }.compactMap(\.podcast))
    let listed = Dictionary(grouping: feeds.filter { $0.podcast != nil && $0.state == .listed }, by: \.podcast)
    var told: [UnsentPlay] = []
    for play in plays where play.isShareable {
      // Of a feed that moved, the server may have the former address.
      if refused.contains(play.podcast), listed[play.podcast] == nil { continue }
      if play.state == .unplayed, !paths.flavour.keepsUnplayed {
        report.untold += 1
        continue
      }
      var play = play
      // Of a feed that moved, other devices may know the new address alone.
      if let feeds = listed[play.podcast], !feeds.contains(where: { [$0.url, $0.alias].contains(play.feedURL) }),
        let first = feeds.first
      {
        play.feedURL = first.url
      }
      if EpisodeActionJSON.action(for: play, at: play.feedURL, device: account.device) != nil { told.append(play) }
    }
    return told
  }

  /// Under the server's present: under an older time other devices, which trust `since`, would never see them. No more
  /// than 500 have the same second, as gpodder.net's pages would end within it.
  private func stamped(_ plays: [UnsentPlay]) -> [UnsentPlay] {
    let present = ServerClock(date: client.date).present.seconds
    return plays.enumerated().map { index, play in
      var play = play
      play.stamp = Timestamp(seconds: max(play.stamp.seconds, present - Int64((plays.count - 1 - index) / 500)))
      return play
    }
  }
}

extension UnsentPlay {
  /// A guid is often an address, too.
  fileprivate var isShareable: Bool {
    ShareableAddress.isShareable(feed: feedURL) && enclosure.map(ShareableAddress.isShareable(enclosure:)) ?? false
      && (!WebURL.looksLikeHTTP(guid) || ShareableAddress.isShareable(enclosure: guid))
  }
}
