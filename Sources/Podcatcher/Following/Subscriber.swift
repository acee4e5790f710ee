private import FeedKit
private import Glibc
private import PodcastModel
package import PodcastStore
internal import Text
package import Transfer

/// The journey from what people paste to a podcast in the library.
package struct Subscriber: Sendable {
  private let store: PodcastStore
  private let reader: FeedReader
  private let secrets: Secrets
  private let directories: Directories

  package init(store: PodcastStore, reader: FeedReader, secrets: Secrets, directories: Directories) {
    self.store = store
    self.reader = reader
    self.secrets = secrets
    self.directories = directories
  }

  package struct Options: Sendable {
    package var title: String?
    package var tags: [String] = []
    package var credentials: HTTPRequest.Credentials?
    /// The address itself is a secret.
    package var isPrivate = false
    /// Durable only with the last of them.
    var isOneOfMany = false

    package init() {}
  }

  package struct Subscription: Sendable {
    package var result: MergeResult
    /// The feed ended in the middle. What was complete is in the library.
    package var isIncomplete = false
    /// Where the feed was, when the address led to a web page.
    package var discovered: String?
  }

  package func subscribe(to text: String, _ options: Options = Options()) async throws(FollowError) -> Subscription {
    guard let address = FeedAddress(text, isFile: Self.localFile) else { throw .notAnAddress(text) }
    switch address {
    case .file(let path): return try await subscribe(toFile: path, options)
    case .web(let url): return try await subscribe(toWeb: try await resolved(url), options)
    }
  }

  private func subscribe(toFile path: String, _ options: Options) async throws(FollowError) -> Subscription {
    let address = "file://" + path
    let feed = try FeedFile.feed(path, baseURL: address)
    let result = try await storing { store throws(StoreError) in
      try await store.subscribe(to: feed, at: address, ownTitle: options.title, tags: options.tags)
    }
    return Subscription(result: result, isIncomplete: feed.isIncomplete)
  }

  /// A link into Apple's directory stands for the feed that is behind it.
  private func resolved(_ url: String) async throws(FollowError) -> String {
    guard let number = AppleLink.number(in: url) else { return url }
    guard let feed = try await directories.feedURL(appleNumber: number) else { throw .notInDirectory(url) }
    return feed
  }

  // MARK: From the web

  private func subscribe(toWeb url: String, _ options: Options) async throws(FollowError) -> Subscription {
    let asked = PrivateAddress(url, credentials: options.credentials, isPrivate: options.isPrivate)
    var question = FeedQuestion(asked.real)
    question.credentials = asked.secret?.credentials ?? secrets.secret(for: asked.listed)?.credentials
    do throws(FollowError) {
      return try await reader.fetch(question) { found throws(FollowError) in
        try await keep(found, asked, options, isPage: false)
      }
    } catch {
      // A page may link the feed.
      guard case .feed(let reason) = error, !reason.feedLinks.isEmpty else { throw error }
      guard let found = await podcast(among: reason.feedLinks, as: question) else { throw error }
      var subscription = try await keep(found, asked, options, isPage: true)
      subscription.discovered = found.address
      return subscription
    }
  }

  /// Pages also link comments and news: the first with something to play, else the first that is a feed.
  private func podcast(among links: [String], as question: FeedQuestion) async -> FetchedFeed? {
    var first: FetchedFeed?
    for link in links.prefix(5) {
      var next = FeedQuestion(link)
      if WebAddress(link).host == WebAddress(question.address).host { next.credentials = question.credentials }
      guard let found = try? await reader.fetch(next) else { continue }
      if found.feed.episodes.contains(where: { $0.enclosure != nil }) { return found }
      first = first ?? found
    }
    return first
  }

  private func keep(
    _ found: FetchedFeed, _ asked: PrivateAddress, _ options: Options, isPage: Bool
  ) async throws(FollowError) -> Subscription {
    let isSameHost = WebAddress(found.address).host == WebAddress(asked.real).host
    let place = PrivateAddress(
      found.address, credentials: isSameHost ? asked.secret?.credentials : nil,
      isPrivate: asked.secret?.address != nil || options.isPrivate)
    let final = PrivateAddress(found.finalAddress, isPrivate: place.secret?.address != nil)
    let ways = (isPage ? [] : [asked.listed]) + [place.listed, final.listed]
    let known = try await storing { store throws(StoreError) in
      try await store.podcast(atAnyOf: ways.flatMap(Self.withTwin))
    }
    let listed = known?.reference.feedURL ?? place.listed
    if place.secret != nil, !secrets.keep(place.secret, for: listed) { throw .secretsNotKept }
    let result = try await storing { store throws(StoreError) in
      try await store.subscribe(
        to: found.feed, at: listed, validators: found.newAddress == nil ? found.validators : nil,
        ownTitle: options.title, tags: options.tags, isPrivate: place.secret != nil, otherAddresses: ways,
        isOneOfMany: options.isOneOfMany)
    }
    return Subscription(result: result, isIncomplete: found.feed.isIncomplete)
  }

  /// The same address with and without encryption is the same feed.
  private static func withTwin(_ address: String) -> [String] {
    if address.hasPrefix("https://") { return [address, "http://" + address.dropFirst(8)] }
    if address.hasPrefix("http://") { return [address, "https://" + address.dropFirst(7)] }
    return [address]
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
