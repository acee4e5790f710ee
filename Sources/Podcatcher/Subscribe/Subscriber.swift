private import FeedKit
private import Glibc
package import PodcastModel
package import PodcastStore
internal import Text
internal import Transfer

/// The journey from an address to a podcast in the library.
package struct Subscriber: Sendable {
  private let store: PodcastStore
  private let reader: FeedReader
  private let secrets: Secrets
  private let directories: Directories

  init(store: PodcastStore, reader: FeedReader, secrets: Secrets, directories: Directories) {
    self.store = store
    self.reader = reader
    self.secrets = secrets
    self.directories = directories
  }

  /// The options of one subscription.
  package struct Options: Sendable {
    package var title: String?
    package var tags: [String] = []
    private(set) var credentials: HTTPRequest.Credentials?
    /// The address itself is a secret.
    package var isPrivate = false
    /// A podcast in the library whose feed is at this address by now.
    package var former: PodcastID?
    /// Podcasts that another machine left as it came to follow this one: it may be one of them, at a new address.
    var leaving: LeavingPodcasts?
    /// One of a list, which is made durable as a whole.
    var isOneOfMany = false
    /// The values that the list has of it.
    var imported: PodcastImport?

    package init() {}

    /// Adds the name and the password for the feed's server.
    package mutating func signIn(as user: String, password: String) {
      credentials = .init(user: user, password: password)
    }
  }

  /// The podcast that was subscribed to.
  package struct Subscription: Sendable {
    package var result: MergeResult
    /// The feed ended in the middle; its complete episodes are in the library.
    package var isIncomplete = false
    /// The address of the feed that a web page linked.
    package var discovered: String?
    /// Older episodes are on pages of the feed that could not be fetched.
    package var lacksPages = false
  }

  /// Subscribes to an address or a file; a podcast that is in the library already is brought up to date.
  package func subscribe(to text: String, _ options: Options = Options()) async throws(FollowError) -> Subscription {
    var options = options
    if let former = try await former(options), PrivateAddress.isCover(former.reference.feedURL) {
      options.isPrivate = true
    }
    guard !PrivateAddress.isCover(text) else { return try await subscribe(toCovered: text, options) }
    guard let address = FeedAddress(text, isFile: Self.localFile) else { throw .notAnAddress(text) }
    switch address {
    case .file(let path): return try await subscribe(toFile: path, options)
    case .web(let url): return try await subscribe(toWeb: try await resolved(url), options)
    }
  }

  private func subscribe(toFile path: String, _ options: Options) async throws(FollowError) -> Subscription {
    let address = FeedFile.address(of: path)
    let feed = try FeedFile.feed(path, baseURL: address)
    if let former = try await former(options) {
      try await check(feed, is: former)
      try await checkOwners(of: [address], besides: former)
      try await move(former, to: address)
    }
    let result = try await storing { store throws(StoreError) in
      try await store.subscribe(to: feed, at: address, ownTitle: options.title, tags: options.tags)
    }
    return Subscription(result: result, isIncomplete: feed.isIncomplete)
  }

  /// Subscribes to the secret address that lists show covered.
  private func subscribe(toCovered address: String, _ options: Options) async throws(FollowError) -> Subscription {
    guard let secret = secrets.secret(for: address), let real = secret.address else { throw .secretMissing }
    var options = options
    options.isPrivate = true
    return try await subscribe(toWeb: real, options)
  }

  /// Replaces a link into Apple's directory by the address of its feed.
  private func resolved(_ url: String) async throws(FollowError) -> String {
    guard let number = AppleLink.number(in: url) else { return url }
    guard let feed = try await directories.feedURL(appleNumber: number) else { throw .notInDirectory(url) }
    return feed
  }

  // MARK: From the web

  private func subscribe(toWeb url: String, _ options: Options) async throws(FollowError) -> Subscription {
    var asked = PrivateAddress(url, credentials: options.credentials, isPrivate: options.isPrivate)
    let known = knownCredentials(of: asked)
    if asked.secret?.credentials == nil { asked.secret?.credentials = known }
    var request = FeedRequest(asked.real)
    request.credentials = asked.secret?.credentials ?? known
    return try await subscribe(request, asked, options)
  }

  /// Those that are kept for the same scheme, host and port.
  private func knownCredentials(of asked: PrivateAddress) -> HTTPRequest.Credentials? {
    let secrets = secrets.all()
    guard !secrets.isEmpty else { return nil }
    return asked.spellings.lazy.compactMap { spelling in
      guard let secret = secrets[spelling], WebURL(secret.address ?? spelling).origin == WebURL(asked.real).origin
      else { return nil }
      return secret.credentials
    }.first
  }

  private enum Fetched {
    case kept(Subscription)
    /// The feed goes on: all of it is stored at once, so that its episodes are in order.
    case paged(FetchedFeed)
  }

  private func subscribe(
    _ request: FeedRequest, _ asked: PrivateAddress, _ options: Options
  ) async throws(FollowError) -> Subscription {
    do throws(FollowError) {
      let fetched = try await reader.fetch(request) { found throws(FollowError) in
        if found.feed.nextPageURL != nil { return Fetched.paged(found) }
        return .kept(try await keep(found, asked, options, isPage: false))
      }
      switch fetched {
      case .kept(let subscription): return subscription
      case .paged(var found):
        let missing = await reader.addPages(to: &found, request)
        var subscription = try await keep(found, asked, options, isPage: false)
        subscription.lacksPages = !missing.isNone
        return subscription
      }
    } catch {
      // A page may link the feed.
      guard case .feed(let reason) = error, !reason.feedLinks.isEmpty else { throw error }
      guard var found = await podcast(among: reason.feedLinks, as: request) else { throw error }
      let missing = await reader.addPages(to: &found, request.request(forLink: found.address))
      var subscription = try await keep(found, asked, options, isPage: true)
      subscription.lacksPages = !missing.isNone
      subscription.discovered = found.address
      return subscription
    }
  }

  /// The first linked feed with a media file, else the first that is a feed: pages also link comments and news.
  private func podcast(among links: [String], as request: FeedRequest) async -> FetchedFeed? {
    var first: FetchedFeed?
    for link in links.prefix(5) {
      guard let found = try? await reader.fetch(request.request(forLink: link)) else { continue }
      if found.feed.episodes.contains(where: { $0.enclosure != nil }) { return found }
      first = first ?? found
    }
    return first
  }

  private func keep(
    _ found: FetchedFeed, _ asked: PrivateAddress, _ options: Options, isPage: Bool
  ) async throws(FollowError) -> Subscription {
    let isSameOrigin = WebURL(found.address).origin == WebURL(asked.real).origin
    let address = PrivateAddress(
      found.address, credentials: isSameOrigin ? asked.secret?.credentials : nil,
      isPrivate: asked.secret?.address != nil || options.isPrivate)
    let final = PrivateAddress(found.finalAddress, isPrivate: address.secret?.address != nil)
    // Usually all three are the same address.
    var spellings: [String] = []
    for spelling in ((isPage ? [] : [asked]) + [address, final]).flatMap(\.spellings)
    where !spellings.contains(spelling) { spellings.append(spelling) }
    let former = try await former(options)
    if let former { try await check(found.feed, is: former) }
    var known = if let former { former } else { try await known(at: spellings, found.feed) }
    var isMoving = former != nil
    if known == nil, let moved = try await options.leaving?.take(servedBy: found.feed, store) {
      (known, isMoving) = (moved, true)
    }
    if isMoving, let known { try await checkOwners(of: spellings, besides: known) }
    let listed = try await listing(of: known, at: address, besides: [asked, final], isMoving: isMoving)
    let isCovered = PrivateAddress.isCover(listed)
    let others = [asked, address, final].map { isCovered ? PrivateAddress.cover(of: $0.real) : $0.listed }
    let result = try await storing { store throws(StoreError) in
      try await store.subscribe(
        to: found.feed, at: listed, validators: found.newAddress == nil ? found.validators : nil,
        ownTitle: options.title, tags: options.tags, isPrivate: address.secret != nil, otherAddresses: others,
        imported: options.imported, isOneOfMany: options.isOneOfMany)
    }
    return Subscription(result: result, isIncomplete: found.feed.isIncomplete)
  }

  /// The address under which the library has the podcast from now on; the secret is kept for it. A podcast that was followed
  /// in clear becomes private, where that is asked for; one that is private stays so.
  private func listing(
    of known: PodcastEntry?, at address: PrivateAddress, besides others: [PrivateAddress], isMoving: Bool
  ) async throws(FollowError) -> String {
    guard let known else { return try keep(address.secret, for: address.listed) }
    let former = known.reference.feedURL
    if PrivateAddress.isCover(former) {
      return try keep(address.secret(replacing: secrets.secret(for: former)), for: former)
    }
    guard let secret = address.secret else {
      guard isMoving else { return former }
      try await move(known, to: address.listed)
      return address.listed
    }
    if !isMoving, secret.address == nil, WebURL(former).origin == WebURL(address.real).origin {
      return try keep(secret, for: former)
    }
    // A password goes with the address that it was given for.
    let listed = try keep(secret, for: address.listed)
    let isCovered = secret.address != nil
    let clear =
      isCovered ? ([address] + others).flatMap(\.spellings).filter { !PrivateAddress.isCover($0) } + [former] : []
    let isMoved = try await storing { store throws(StoreError) in
      guard try await store.moveFeed(of: known.id, to: listed, isPrivate: true) else { return false }
      try await store.release(clear, of: known.id)
      return true
    }
    if isMoved, isMoving, listed != former { _ = secrets.keep(nil, for: former) }
    return isMoved ? listed : former
  }

  // MARK: A new address

  private func former(_ options: Options) async throws(FollowError) -> PodcastEntry? {
    guard let former = options.former else { return nil }
    return try await storing { store throws(StoreError) in try await store.podcast(former) }
  }

  /// An address that another podcast has now is not taken from it; one that it had once is.
  private func checkOwners(of spellings: [String], besides former: PodcastEntry) async throws(FollowError) {
    for spelling in spellings {
      guard let other = try await storing({ store throws(StoreError) in try await store.podcast(at: spelling) }),
        other.id != former.id
      else { continue }
      if spellings.contains(other.reference.feedURL) { throw .takenAddress(other.title, other.id.rawValue) }
      try await storing { store throws(StoreError) in try await store.release([spelling], of: other.id) }
    }
  }

  private func check(_ feed: Feed, is former: PodcastEntry) async throws(FollowError) {
    let isSame = try await storing { store throws(StoreError) in try await Self.isSame(feed, as: former, store) }
    guard isSame || former.episodeCount == 0 else {
      throw .otherPodcast(feed.title ?? "a feed without a title")
    }
  }

  /// Credentials stay with the address that they were given for.
  private func move(_ former: PodcastEntry, to listed: String) async throws(FollowError) {
    let isMoved = try await storing { store throws(StoreError) in try await store.moveFeed(of: former.id, to: listed) }
    if isMoved, listed != former.reference.feedURL { _ = secrets.keep(nil, for: former.reference.feedURL) }
  }

  private func keep(_ secret: Secret?, for listed: String) throws(FollowError) -> String {
    if let secret, !secrets.keep(secret, for: listed) { throw .secretsNotKept }
    return listed
  }

  /// The podcast with one of these addresses. One that only had it once must show that it is still the same: the address may
  /// serve another podcast by now, and is taken away from that one then.
  private func known(at addresses: [String], _ feed: Feed) async throws(FollowError) -> PodcastEntry? {
    try await storing { store throws(StoreError) in
      for address in addresses {
        guard let known = try await store.podcast(at: address) else { continue }
        if addresses.contains(known.reference.feedURL) { return known }
        if try await Self.isSame(feed, as: known, store) { return known }
        try await store.release([address], of: known.id)
      }
      // A host in capitals or a fragment makes no other feed.
      let isUnusual = { (address: String) in
        let authority = WebURL(address).authority
        return address.contains("#") || authority != authority?.lowercased()
      }
      return try await store.podcasts(spelled: addresses.filter(isUnusual)).values.first
    }
  }

  /// One shared guid is enough, or the title.
  static func isSame(
    _ feed: Feed, as known: PodcastEntry, _ store: PodcastStore
  ) async throws(StoreError) -> Bool {
    if feed.episodes.isEmpty || feed.title == known.title { return true }
    if let guid = feed.guid, guid == (try await store.details(of: known.id)?.guid) { return true }
    return try await store.hasEpisode(ofAnyOf: feed.episodes.prefix(1000).compactMap(\.guid), known.id)
  }

  func storing<Result: Sendable>(
    _ body: @Sendable (PodcastStore) async throws(StoreError) -> Result
  ) async throws(FollowError) -> Result {
    do throws(StoreError) {
      return try await body(store)
    } catch {
      throw .store(error)
    }
  }

  /// The absolute path of a regular file; nil when there is none.
  package static func localFile(_ text: String) -> String? {
    let path = text.hasPrefix("file://") ? PercentCoding.decoded(text.dropFirst("file://".count)) : text
    guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    var status = stat()
    guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return String(cString: resolved)
  }
}
