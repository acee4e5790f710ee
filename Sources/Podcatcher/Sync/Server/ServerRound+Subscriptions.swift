internal import PodcastModel
internal import PodcastStore
internal import Text

extension ServerRound {
  // MARK: Down

  private static let seldom: Int64 = 6 * 3600

  mutating func receiveSubscriptions() async throws(ServerError) {
    guard !options.isAutomatic || isFull || isOlder(ServerValue.subscriptionsAt, than: Self.seldom) else { return }
    let since = values[ServerValue.subscriptionsSince].flatMap { Int64($0) } ?? 0
    // The whole list of gpodder.net names no removals: a feed that was removed since would seem to be forgotten.
    if isFull, since > 0 { try await receiveSubscriptions(since: since) }
    try await receiveSubscriptions(since: isFull ? 0 : since)
  }

  private mutating func receiveSubscriptions(since: Int64) async throws(ServerError) {
    let changes = try await changes(since: since)
    var feeds = ServerFeeds(try await storing { store throws(StoreError) in try await store.serverFeeds() })
    try refuseEmptyList(changes, &feeds, isWhole: since == 0)
    let urls = changes.added + changes.removed
    let known = try await storing { store throws(StoreError) in try await store.podcasts(spelled: urls) }
    if since == 0 { feeds.forgetListed(besides: Set(urls)) }
    let isClaim = values[ServerValue.claimsSubscriptions] != nil
    let leaving = isClaim ? [] : leaving(changes.removed, known, feeds)
    let unknown = try await follow(changes.added, known, LeavingPodcasts(leaving), &feeds)
    var removal: ServerError?
    if isClaim {
      // They are sent again.
      for url in changes.removed where feeds[url]?.state == .listed { feeds.setState(.removed, of: url) }
    } else {
      removal = try await leave(changes.removed, &feeds)
    }
    let (saved, values) = (feeds.changed, removal == nil ? answered(changes, isClaim) : [:])
    try await storing { store throws(StoreError) in try await store.save(saved, setting: values) }
    report.unreachable = unknown
    if let removal { throw removal }
  }

  /// The podcasts of which the server lists no address any more.
  private func leaving(
    _ removed: [String], _ known: [String: PodcastEntry], _ feeds: ServerFeeds
  ) -> [PodcastEntry] {
    var rest = feeds
    let listed = removed.filter { feeds[$0]?.state == .listed }
    for url in listed { rest.setState(.removed, of: url) }
    var leaving: [PodcastEntry] = []
    for podcast in listed.compactMap({ known[$0] }) where podcast.isSubscribed && !podcast.isPrivate {
      if !rest.isListed(podcast.id), !leaving.contains(where: { $0.id == podcast.id }) { leaving.append(podcast) }
    }
    return leaving
  }

  private func answered(_ changes: SubscriptionChanges, _ isClaim: Bool) -> [String: String?] {
    let present = ServerClock(date: client.date).present.seconds
    let since = min(changes.timestamp ?? present, present + 86_400)
    var values: [String: String?] = [
      ServerValue.subscriptionsSince: String(since), ServerValue.subscriptionsAt: String(Timestamp.now.seconds),
    ]
    // One that was made meanwhile stays, where there was none before.
    if isClaim { values[ServerValue.claimsSubscriptions] = .some(nil) }
    return values
  }

  /// A server may have forgotten the device.
  private func changes(since: Int64) async throws(ServerError) -> SubscriptionChanges {
    do throws(ServerError) {
      return try await client.subscriptions(paths, since: since)
    } catch {
      guard error == .noServer, paths.flavour == .gpodder else { throw error }
      try await client.register(paths)
      return try await client.subscriptions(paths, since: since)
    }
  }

  /// A server that was set up anew has nothing. Forced, it gets everything again.
  private func refuseEmptyList(
    _ changes: SubscriptionChanges, _ feeds: inout ServerFeeds, isWhole: Bool
  ) throws(ServerError) {
    guard isWhole, changes.added.isEmpty, changes.removed.isEmpty, feeds.hasListed else { return }
    guard options.isForced else { throw .suddenlyEmpty }
    feeds.forgetListed()
  }

  /// Follows what the server has, also what was left here before the first sync. Returns the addresses of feeds that cannot be
  /// fetched.
  private mutating func follow(
    _ urls: [String], _ known: [String: PodcastEntry], _ leaving: LeavingPodcasts, _ feeds: inout ServerFeeds
  ) async throws(ServerError) -> [String] {
    var wanted: [String] = []
    for url in urls where feeds[url]?.state != .listed {
      let podcast = known[url]
      if podcast?.isPrivate == true { continue }
      if let podcast, podcast.isSubscribed {
        feeds[url] = ServerFeed(url: url, podcast: podcast.id, state: .listed)
      } else if feeds[url]?.state != .waiting, try await !isPrivate(url) {
        wanted.append(url)
      }
    }
    wanted += feeds.due(atOnce: !options.isAutomatic)
    guard !wanted.isEmpty else { return feeds.waiting }
    try await subscribe(to: wanted, leaving, &feeds)
    return feeds.waiting
  }

  /// A private podcast stays as it is here, also where it was unsubscribed.
  private func isPrivate(_ url: String) async throws(ServerError) -> Bool {
    try await storing { store throws(StoreError) in
      try await store.podcast(atAnyOf: PrivateAddress.withTwin(url).map(PrivateAddress.cover)) != nil
    }
  }

  private mutating func subscribe(
    to urls: [String], _ leaving: LeavingPodcasts, _ feeds: inout ServerFeeds
  ) async throws(ServerError) {
    var results: [(String, PodcastID?)] = []
    var followed = 0
    do throws(FollowError) {
      try await subscriber.subscribe(to: urls.map(SubscriptionRecord.init(feedURL:)), jobs: 8, leaving: leaving) {
        record, result in
        let subscription = try? result.get()
        followed += subscription?.result.isNew == true ? 1 : 0
        results.append((record.feedURL, subscription?.result.podcast))
      }
    } catch {
      if case .store(let error) = error { throw .store(error) }
    }
    report.followed += followed
    // A secret address is written into the file for secrets only.
    for (url, podcast) in results where ShareableAddress.isShareable(feed: url) {
      feeds[url] = ServerFeed(
        url: url, podcast: podcast, state: podcast == nil ? .waiting : .listed, triedAt: podcast == nil ? .now : nil)
    }
  }

  /// Leaves what the server had and does not have any more; a removal of something that it never had here says nothing.
  /// Returns the reason why nothing was left.
  private mutating func leave(
    _ urls: [String], _ feeds: inout ServerFeeds
  ) async throws(ServerError) -> ServerError? {
    let gone = urls.filter { feeds[$0]?.state == .listed || feeds[$0]?.state == .waiting }
    guard !gone.isEmpty else { return nil }
    var rest = feeds
    for url in gone { rest.setState(.removed, of: url) }
    let podcasts = Set(gone.compactMap { rest[$0]?.podcast }).filter { !rest.isListed($0) }
    let subscribed = try await storing { store throws(StoreError) in try await store.podcasts() }
    let leaving = subscribed.filter { podcasts.contains($0.id) && !$0.isPrivate }
    do throws(ServerError) {
      try refuseMassRemoval(leaving.count, of: subscribed.count, isHere: true)
    } catch {
      return error
    }
    for podcast in leaving {
      try await storing { store throws(StoreError) in try await store.leave(podcast.id) }
      report.left += 1
    }
    feeds = rest
    return nil
  }

  // MARK: Up

  private static let batch = 100

  mutating func sendSubscriptions() async throws(ServerError) {
    var feeds = ServerFeeds(try await storing { store throws(StoreError) in try await store.serverFeeds() })
    let podcasts = try await storing { store throws(StoreError) in try await store.podcasts() }
    let orphans = feeds.withoutPodcast
    let found = try await storing { store throws(StoreError) in try await store.podcasts(spelled: orphans) }
    for (url, podcast) in found where podcast.isSubscribed { feeds.setPodcast(podcast.id, of: url) }
    let shareable = podcasts.filter { !$0.isPrivate && ShareableAddress.isShareable(feed: $0.reference.feedURL) }
    report.hidden = podcasts.count - shareable.count
    // The server keeps the former address, too: a phone may have no other.
    let moved = shareable.filter { values[ServerFeed.movedKey($0.id)] != nil }
    let unknown = moved.filter { podcast in
      let state = feeds[podcast.reference.feedURL]?.state
      return state != .listed && (isFull || state != .refused)
    }
    let added = shareable.filter { podcast in
      !feeds.isKnown(podcast.id, butRefused: isFull) || unknown.contains { $0.id == podcast.id }
    }.map { Change(url: $0.reference.feedURL, podcast: $0.id) }
    let kept = Set(podcasts.map(\.id))
    let removed = try await removable(feeds.listed(besides: kept)).map { Change(url: $0.url, isRemoval: true) }
    var failure: ServerError?
    do throws(ServerError) {
      try refuseMassRemoval(removed.count, of: feeds.listedCount, isHere: false)
    } catch {
      failure = error
    }
    try await send(added + (failure == nil ? removed : []), &feeds)
    let told = moved.filter { feeds[$0.reference.feedURL]?.state == .listed }
    if !told.isEmpty {
      let keys = Dictionary(told.map { (ServerFeed.movedKey($0.id), String?.none) }) { first, _ in first }
      try await storing { store throws(StoreError) in try await store.setSyncState(keys) }
    }
    if let failure { throw failure }
  }

  /// A podcast that became a secret stays on the server: telling it so would name it.
  private func removable(_ feeds: [ServerFeed]) async throws(ServerError) -> [ServerFeed] {
    var removable: [ServerFeed] = []
    for feed in feeds where ShareableAddress.isShareable(feed: feed.url) {
      let podcast = try await storing { store throws(StoreError) in
        if let id = feed.podcast { try await store.podcast(id) } else { nil as PodcastEntry? }
      }
      if podcast?.isPrivate != true { removable.append(feed) }
    }
    return removable
  }

  private struct Change: Sendable {
    var url: String
    var podcast: PodcastID?
    var isRemoval = false
  }

  private mutating func send(_ changes: [Change], _ feeds: inout ServerFeeds) async throws(ServerError) {
    for start in stride(from: 0, to: changes.count, by: Self.batch) {
      let batch = Array(changes[start..<min(start + Self.batch, changes.count)])
      var aliases: [String: String] = [:]
      let (client, paths) = (client, paths)
      let refused = try await inHalves(batch) { part throws(ServerError) in
        let answer = try await client.post(
          paths.subscriptionChange,
          [
            "add": JSON(part.filter { !$0.isRemoval }.map(\.url)),
            "remove": JSON(part.filter(\.isRemoval).map(\.url)),
          ])
        guard answer.isSuccess else { throw answer.failure }
        aliases.merge(RespelledAddresses(answer.json).aliases) { $1 }
      }
      note(batch, refused: Set(refused.map(\.url)), aliases, &feeds)
      let saved = feeds.changed
      try await storing { store throws(StoreError) in try await store.save(saved) }
    }
  }

  private mutating func note(
    _ batch: [Change], refused: Set<String>, _ aliases: [String: String], _ feeds: inout ServerFeeds
  ) {
    for change in batch {
      guard !change.isRemoval else {
        // It stays listed, so that its being on the server does not follow it here again.
        if refused.contains(change.url) { report.refused += 1 } else { feeds.setState(.removed, of: change.url) }
        continue
      }
      let alias = aliases[change.url]
      let isRefused = refused.contains(change.url) || alias == ""
      feeds[change.url] = ServerFeed(
        url: change.url, podcast: change.podcast, state: isRefused ? .refused : .listed,
        alias: alias == change.url || alias == "" ? nil : alias)
      report.refused += isRefused ? 1 : 0
    }
    report.subscriptionsSent += batch.count - refused.count
  }
}

/// The feeds of a server by any spelling, and which of them have changed.
private struct ServerFeeds {
  private var byURL: [String: ServerFeed] = [:]
  private var urls: [String: String] = [:]
  private var touched: Set<String> = []

  init(_ feeds: [ServerFeed]) {
    for feed in feeds {
      byURL[feed.url] = feed
      if let alias = feed.alias { urls[alias] = feed.url }
    }
  }

  subscript(spelling: String) -> ServerFeed? {
    get { byURL[spelling] ?? urls[spelling].flatMap { byURL[$0] } }
    set {
      guard let newValue else { return }
      byURL[newValue.url] = newValue
      touched.insert(newValue.url)
    }
  }

  var changed: [ServerFeed] { touched.sorted().compactMap { byURL[$0] } }
  var hasListed: Bool { byURL.values.contains { $0.state == .listed } }
  var listedCount: Int { byURL.values.count { $0.state == .listed } }
  var waiting: [String] { byURL.values.filter { $0.state == .waiting }.map(\.url).sorted() }
  var withoutPodcast: [String] { byURL.values.filter { $0.podcast == nil && $0.state == .listed }.map(\.url) }

  /// Those that could not be fetched: at once, or a day after the last try.
  func due(atOnce: Bool) -> [String] {
    byURL.values.filter { feed in
      feed.state == .waiting && (atOnce || abs(Timestamp.now.seconds - (feed.triedAt?.seconds ?? 0)) > 86_400)
    }.map(\.url).sorted()
  }

  func isListed(_ podcast: PodcastID) -> Bool { byURL.values.contains { $0.podcast == podcast && $0.state == .listed } }

  /// `butRefused`: one that the server refused is offered again.
  func isKnown(_ podcast: PodcastID, butRefused: Bool) -> Bool {
    byURL.values.contains { feed in
      feed.podcast == podcast && feed.state != .removed && !(butRefused && feed.state == .refused)
    }
  }

  func listed(besides podcasts: Set<PodcastID>) -> [ServerFeed] {
    byURL.values.filter { $0.state == .listed && !($0.podcast.map(podcasts.contains) ?? false) }.sorted {
      $0.url < $1.url
    }
  }

  mutating func setState(_ state: ServerFeed.State, of spelling: String) {
    guard var feed = self[spelling] else { return }
    feed.state = state
    self[spelling] = feed
  }

  mutating func setPodcast(_ podcast: PodcastID, of spelling: String) {
    guard var feed = self[spelling] else { return }
    feed.podcast = podcast
    self[spelling] = feed
  }

  /// The server gets again the feeds that it had and names no more, such as after its backup was restored.
  mutating func forgetListed(besides named: Set<String> = []) {
    for feed in byURL.values where feed.state == .listed {
      if !named.contains(feed.url), !(feed.alias.map(named.contains) ?? false) { setState(.removed, of: feed.url) }
    }
  }
}
