package import PodcastModel
package import PodcastStore

/// The journey that follows a refresh: notification of new episodes, automatic downloads, trimming of automatic
/// downloads and of the cache, the result, the user's program, the search index, the weekly backup, and measuring and
/// transcribing, in this order.
package struct AfterRefresh: Sendable {
  private let store: PodcastStore
  private let config: [String: String]
  private let media: MediaCare
  private let documents: SideDocuments
  private let hooks: Hooks?
  private let isOffline: Bool
  private let examine: @Sendable ([EpisodeID], RefreshPolicy.Occasion) async -> Void
  private let downloader: @Sendable (@escaping @Sendable (Downloader.Report) -> Void) -> Downloader

  /// The new episodes of one podcast.
  package struct News: Sendable {
    package var podcast: PodcastID
    package var episodes: [EpisodeID]

    package init(_ podcast: PodcastID, _ episodes: [EpisodeID]) {
      self.podcast = podcast
      self.episodes = episodes
    }
  }

  /// The words of the notification for `count` new episodes, of which `episodes` are the first.
  package typealias NotificationText =
    @Sendable (_ count: Int, _ episodes: [EpisodeEntry]) -> (
      summary: String, body: String
    )

  init(
    store: PodcastStore, config: [String: String], media: MediaCare, documents: SideDocuments, hooks: Hooks?,
    isOffline: Bool, examine: @escaping @Sendable ([EpisodeID], RefreshPolicy.Occasion) async -> Void,
    downloader: @escaping @Sendable (@escaping @Sendable (Downloader.Report) -> Void) -> Downloader
  ) {
    self.store = store
    self.config = config
    self.media = media
    self.documents = documents
    self.hooks = hooks
    self.isOffline = isOffline
    self.examine = examine
    self.downloader = downloader
  }

  /// A timer has time for the search index, too.
  ///
  /// `showDownloads` is called with the number of automatic downloads before they begin, `conclude` when all that the result
  /// tells is done: it prints the result. The user's program, the end of the notification, the backup, indexing, measuring and
  /// transcribing come after it. Errors of these are ignored, but for damage of the library that the backup finds.
  package func run(
    after podcasts: [PodcastID], _ occasion: RefreshPolicy.Occasion, news: [News], text: NotificationText,
    showDownloads: (Int) -> @Sendable (Downloader.Report) -> Void, conclude: () -> Void
  ) async throws(StoreError) {
    let notification = await notification(of: news, text)
    let downloads = try await download(podcasts, occasion, showDownloads)
    try await media.trimAutomaticDownloads(of: podcasts)
    try await media.trimCache()
    conclude()
    await tellHook(news)
    notification?.wait(atMost: .seconds(1))
    if occasion == .scheduled { try? await store.indexForSearch() }
    do throws(StoreError) {
      _ = try await store.backUpWeekly(upTo: occasion == .scheduled ? .max : PodcastStore.quicklyCopied)
    } catch {
      // The copy reads every page: it is the first to find damage.
      if error.code == .damaged { throw error }
    }
    await examine(downloads, occasion)
  }

  // MARK: Notification

  /// One for all podcasts with the setting `notify`.
  private func notification(of news: [News], _ text: NotificationText) async -> DesktopNotification? {
    var wanted: [EpisodeID] = []
    for item in news where !item.episodes.isEmpty {
      let settings = Settings(podcast: (try? await store.settings(of: item.podcast)) ?? [:], config: config)
      if settings[SettingKeys.notify] { wanted += item.episodes }
    }
    guard !wanted.isEmpty else { return nil }
    var first: [EpisodeEntry] = []
    for id in wanted.prefix(Self.namedEpisodes) {
      if let entry = try? await store.episode(id) { first.append(entry) }
    }
    let (summary, body) = text(wanted.count, first)
    return DesktopNotification(summary: summary, body: body)
  }

  private static let namedEpisodes = 5

  /// Of each new episode, but of no more than a person would look at.
  private func tellHook(_ news: [News]) async {
    guard let hooks else { return }
    var entries: [EpisodeEntry] = []
    for id in news.flatMap(\.episodes).prefix(Self.mostTold) {
      if let entry = try? await store.episode(id) { entries.append(entry) }
    }
    await hooks.run(.newEpisode, entries)
  }

  private static let mostTold = 100

  // MARK: Automatic downloads

  private func download(
    _ podcasts: [PodcastID], _ occasion: RefreshPolicy.Occasion,
    _ show: (Int) -> @Sendable (Downloader.Report) -> Void
  ) async throws(StoreError) -> [EpisodeID] {
    let isAsked = occasion == .named || occasion == .forced
    let wanted = isOffline ? [] : try await media.wanted(of: podcasts, orFailed: isAsked)
    guard !wanted.isEmpty else { return [] }
    let complete = await downloader(show(wanted.count)).download(wanted)
    await documents.keep(for: complete, new: Set(complete))
    return complete
  }
}
