internal import PodcastModel
package import PodcastStore
internal import Text

/// The journey from another app's library to this one: its podcasts are followed and fetched, then its records applied.
package struct Importer: Sendable {
  private let store: PodcastStore
  private let subscriber: Subscriber

  init(store: PodcastStore, subscriber: Subscriber) {
    self.store = store
    self.subscriber = subscriber
  }

  /// Follows the podcasts, `jobs` at a time, reports each, and applies the records in one transaction, which one undo
  /// takes back.
  package func run(
    _ found: FoundLibrary, jobs: Int,
    report: (SubscriptionRecord, Result<Subscriber.Subscription, FollowError>) -> Void
  ) async throws(FollowError) -> AppliedRecords {
    let source = found.app ?? "a list of subscriptions"
    var followed: [MergeResult] = []
    var entry: ImportEntry?
    /// Each by itself: an import that is broken off can be undone, too.
    func note() async {
      guard !followed.isEmpty,
        let noted = try? await store.noteFollowed(followed, byImportFrom: source, in: entry)
      else { return }
      (entry, followed) = (noted, [])
    }
    try await subscriber.subscribe(to: found.library.subscriptions.filter(\.isSubscribed), jobs: jobs) {
      record, result in
      if case .success(let subscription) = result, subscription.result.isNew {
        followed.append(subscription.result)
      }
      report(record, result)
      await note()
    }
    let (library, noted, following) = (Self.listed(found.library), entry, followed)
    return try await subscriber.storing { store throws(StoreError) in
      do throws(StoreError) {
        return try await store.apply(library, following: following, from: source, in: noted)
      } catch {
        if !following.isEmpty { _ = try? await store.noteFollowed(following, byImportFrom: source, in: noted) }
        throw error
      }
    }
  }

  /// Counts the changes to the episodes that are in the library now, and the podcasts that are followed already.
  package func compare(_ found: FoundLibrary) async throws(StoreError) -> (applied: AppliedRecords, known: Int) {
    let library = Self.listed(found.library)
    var known = 0
    for record in library.subscriptions where record.isSubscribed {
      let spellings = PrivateAddress(record.feedURL, isPrivate: record.isPrivate).spellings
      if try await store.podcast(atAnyOf: spellings)?.isSubscribed == true { known += 1 }
    }
    return (try await store.compare(library), known)
  }

  // MARK: Addresses

  /// Finds addresses for titles, makes all of them those of web feeds, and leaves out podcasts without one.
  package func prepared(_ found: FoundLibrary) async throws(StoreError) -> FoundLibrary {
    let podcasts = try await store.podcasts()
    let byTitle = Dictionary(podcasts.map { ($0.title, $0.reference.feedURL) }) { first, _ in first }
    let isList = found.app == nil
    var addresses: [String: String?] = [:]
    func address(_ text: String) -> String? {
      if let known = addresses[text] { return known }
      let found = Self.address(TitledFeed.title(text).map { byTitle[$0] ?? "" } ?? text, isList: isList)
      addresses[text] = .some(found)
      return found
    }
    var result = found
    let known = Set(podcasts.map(\.reference.feedURL))
    let secret = Set(podcasts.lazy.filter(\.isPrivate).map(\.reference.feedURL))
    result.library.subscriptions =
      found.library.subscriptions.compactMap { record in
        var record = record.cleaned
        guard let url = address(record.feedURL) else {
          if record.isSubscribed { result.withoutAddress.append(record.title ?? SafeAddress.shown(record.feedURL)) }
          return nil
        }
        guard !secret.contains(url) else { return nil }
        record.feedURL = url
        // A podcast is private by its password alone, too: then its address is in the library.
        if record.isPrivate, known.contains(PrivateAddress(url).listed) { record.isPrivate = false }
        // A podcast whose address is a secret here is that podcast there, too.
        if !secret.isEmpty, secret.contains(PrivateAddress(url, isPrivate: true).listed) { record.isPrivate = true }
        return record
      }.withoutRepetitions
    result.library.episodes = found.library.episodes.compactMap { record in
      guard let url = address(record.feedURL) else { return nil }
      var record = record
      record.feedURL = url
      return record
    }
    return result
  }

  /// Wrong addresses of a list are reported when they are followed.
  private static func address(_ text: String, isList: Bool) -> String? {
    isList || PrivateAddress.isCover(text) ? text : FeedAddress.web(inList: text)
  }

  /// The same with the addresses under which the library lists its podcasts: without passwords, and with a stand-in for
  /// an address that is a secret.
  private static func listed(_ library: PortableLibrary) -> PortableLibrary {
    var library = library
    var covers: [String: String] = [:]
    for index in library.subscriptions.indices {
      let record = library.subscriptions[index]
      let address = PrivateAddress(record.feedURL, isPrivate: record.isPrivate)
      covers[address.real] = address.listed
      library.subscriptions[index].feedURL = address.listed
    }
    for index in library.episodes.indices {
      let url = library.episodes[index].feedURL
      if covers[url] == nil {
        let address = PrivateAddress(url)
        covers[url] = covers[address.real] ?? address.listed
      }
      library.episodes[index].feedURL = covers[url] ?? url
    }
    return library
  }
}

extension SubscriptionRecord {
  /// Texts for a terminal, and settings with values that podcli has: those for the sound only, as others would download
  /// or run something.
  fileprivate var cleaned: SubscriptionRecord {
    var record = self
    record.title = title.map(Self.line)
    record.ownTitle = ownTitle.map(Self.line).flatMap { $0.isEmpty ? nil : $0 }
    record.tags = Array(tags.map(Self.line).filter { !$0.isEmpty }.prefix(100))
    record.settings = [:]
    for declaration in SettingKeys.portable {
      record.settings[declaration.name] = settings[declaration.name].flatMap(declaration.normalized)
    }
    return record
  }

  private static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    line.append(contentsOf: text.unicodeScalars.lazy.filter { !$0.isUnsafeToShow }.prefix(500))
    return String(line).trimmingBlanks()
  }
}

extension [SubscriptionRecord] {
  /// One for each address.
  fileprivate var withoutRepetitions: [SubscriptionRecord] {
    var seen: Set<String> = []
    return filter { seen.insert($0.feedURL).inserted }
  }
}
