private import FeedKit
internal import Playback
package import PodcastModel
package import PodcastStore
private import Synchronization
package import System
internal import Transfer

/// The front of Podcatcher: makes the engines, each on first use, and the journeys that use them.
///
/// Library and network
/// - `store`: the library
/// - `startIndexing`: completes the search index in the background
/// - `prepareClient`: loads the network's C library ahead of its first use
/// - `config`: the file with the settings for all podcasts
///
/// Feeds
/// - `subscriber`: from an address, a file or a list to podcasts in the library
/// - `importer`: from another app's library to podcasts and records in this one
/// - `directories`: searches podcast directories
/// - `preview`: a feed without subscribing
/// - `refresher`: fetches the feeds that are due and merges their new episodes
/// - `afterRefresh`: notification, automatic downloads, trimming and backup, all of which follow a refresh
/// - `subscriptions`: the subscriptions as OPML
/// - `secretsToCarry`, `adoptSecrets`, `forgetSecret`, `podcastsWithoutSecret`: the secrets of private feeds, for backups
/// - `libraryExport`: everything that the user did, as PortCast or as episode actions
///
/// Episodes
/// - `playJourney`: plays an episode, and those that follow it
/// - `playerLock`, `otherPlayer`: one player for each library
/// - `downloader`, `downloadFiles`, `mediaCare`: downloads, and which of the media files stay
/// - `measurer`, `startExamining`: loudness and pauses of media files
/// - `repeatSearch`: what episodes of a podcast share
/// - `transcriber`: transcripts that a program of the user makes
/// - `clipper`: a stretch of an episode as a file of its own
/// - `sideDocuments`, `artwork`: chapters, transcripts and pictures
///
/// Other machines
/// - `syncer`: keeps the library in step with them
/// - `serverLogin`, `serverSync`: an account on a gpodder server or Nextcloud, and sync with it
///
/// Diagnosis
/// - `diagnosis`: examines this machine
/// - `feedDiagnosis`: examines one podcast's feed
package final class Live: Sendable {
  package let paths: Paths
  /// Every transfer fails.
  package let isOffline: Bool
  private let audioOutput: String?
  private let sharedClient = Mutex<HTTPClient?>(nil)

  package init(paths: Paths, audioOutput: String?, isOffline: Bool = false) {
    self.paths = paths
    self.audioOutput = audioOutput
    self.isOffline = isOffline
  }

  // MARK: Library and network

  /// The library, on a thread of its own or on that of `executor`. `toleratesDamage`: to look for damage, or to mend it.
  package func store(
    _ access: StoreAccess, toleratesDamage: Bool = false, on executor: (any SerialExecutor)? = nil
  ) throws(StoreError) -> PodcastStore {
    if access == .readWrite, !Files.makeFolder(paths.data) {
      throw StoreError(.noFolder, message: "its folder cannot be made", about: paths.data)
    }
    return try PodcastStore(
      path: paths.library, access: access, toleratesDamage: toleratesDamage, executor: executor)
  }

  /// Indexes new episodes for searches in a process of its own, which outlives this one.
  package func startIndexing() {
    ChildProgram.startDetached(ChildProgram.thisProgram, ["doctor", "--index", "--library", paths.data])
  }

  /// One for the process, so that connections are shared.
  private var clients: @Sendable () throws(TransferError) -> HTTPClient {
    { [self] () throws(TransferError) in try client() }
  }

  private func client() throws(TransferError) -> HTTPClient {
    guard !isOffline else { throw NetworkFailure.offline }
    let result = sharedClient.withLock { shared -> Result<HTTPClient, TransferError> in
      if let shared { return .success(shared) }
      let policy = ConnectionPolicy(userAgents: UserAgents(settings[SettingKeys.userAgents]))
      return Result { () throws(TransferError) in try HTTPClient(policy) }.map { client in
        shared = client
        return client
      }
    }
    return try result.get()
  }

  /// Loads libcurl, and libxml2 for a command that parses feeds: for `async let`, while the caller opens the library.
  package func prepareClient(forFeeds: Bool = true) async {
    await withTaskExecutorPreference(AllCores.executor) {
      guard (try? client()) != nil, forFeeds else { return }
      _ = try? FeedParser()
    }
  }

  package var config: ConfigFile { ConfigFile(path: paths.configFile) }

  /// The settings for all podcasts; the built-in values where the file cannot be read.
  private var settings: Settings { Settings(config: (try? config.values()) ?? [:]) }

  // MARK: Feeds

  /// Follows feeds by address, file or list.
  package func subscriber(store: PodcastStore) -> Subscriber {
    Subscriber(store: store, reader: feedReader, secrets: secrets, directories: directories)
  }

  /// Brings another app's library here.
  package func importer(store: PodcastStore) -> Importer {
    Importer(store: store, subscriber: subscriber(store: store))
  }

  package var directories: Directories {
    Directories(settings: settings, client: clients)
  }

  /// Fetches and parses a feed without storing it. `takeEpisodes` takes the episodes as they are read; the feed is then
  /// without them.
  package func preview(
    _ address: String, baseURL: String?, takeEpisodes: (@Sendable ([FeedEpisode]) -> Void)? = nil
  ) async throws(FollowError) -> Feed {
    var request = FeedRequest(address)
    request.episodes = takeEpisodes
    return try await feedReader.fetch(request, baseURL: baseURL).feed
  }

  /// Fetches the feeds that are due.
  package func refresher(store: PodcastStore) -> Refresher {
    Refresher(store: store, reader: feedReader, secrets: secrets)
  }

  /// `words` makes the message of a failed download, which the library keeps.
  package func afterRefresh(
    store: PodcastStore, config: [String: String], words: @escaping @Sendable (DownloadError, EpisodeEntry) -> String
  ) -> AfterRefresh {
    AfterRefresh(
      store: store, config: config, media: mediaCare(store: store, config: config),
      documents: sideDocuments(store: store), hooks: hooks, isOffline: isOffline,
      examine: { [self] in await examine($0, store, on: $1) }
    ) { [self] report in
      downloader(store: store, isAutomatic: true, words: words, report: report)
    }
  }

  /// Writes the subscriptions as OPML.
  package func subscriptions(store: PodcastStore) -> SubscriptionList {
    SubscriptionList(store: store, secrets: secrets)
  }

  /// Writes what the user did as JSON.
  package func libraryExport(store: PodcastStore) -> LibraryExport {
    LibraryExport(store: store, addresses: subscriptions(store: store))
  }

  private var feedReader: FeedReader {
    FeedReader(client: clients)
  }

  private var secrets: Secrets { Secrets(folder: paths.data) }

  // MARK: Secrets

  /// The secrets of all feeds, as a backup carries them; nil when there are none.
  package var secretsToCarry: String? { secrets.document() }

  /// False when the file of secrets cannot be written.
  package func forgetSecret(of feedURL: String) -> Bool { secrets.keep(nil, for: feedURL) }

  /// Adds the secrets that a backup carried. False when they cannot be written.
  package func adoptSecrets(_ document: String) -> Bool { secrets.adopt(document) }

  /// The private podcasts whose secret is not on this machine.
  package func podcastsWithoutSecret(_ store: PodcastStore) async throws(StoreError) -> [PodcastEntry] {
    let secrets = secrets.all()
    return try await store.podcasts().filter { $0.isPrivate && secrets[$0.reference.feedURL] == nil }
  }

  // MARK: Listening

  /// Loads libcurl at once, in the player's thread.
  private func player() -> Player {
    Player(audioOutput: audioOutput) { [self] in _ = try? client() }
  }

  /// Plays an episode, and those that follow it. libmpv takes twenty times as long to load as libcurl: that is begun when
  /// the media file's server is being connected to, so that the request does not wait for it.
  package func playJourney(_ options: PlayJourney.Options) -> PlayJourney {
    let player = player()
    return PlayJourney(
      options, player, paths, artwork, hasSoundServer: hasSoundServer,
      examine: { [self] in $1 == .whole ? startExamining([$0]) : startMeasuringFirstPart(of: $0) }
    ) { [self] store, patience in
      // Weakly: the source that libmpv reads keeps its request, and with it this.
      mediaLibrary(store: store, patience: patience) { [weak player] in player?.prepare() }
    } syncer: { [self] store in
      syncer(store: store)
    }
  }

  /// libmpv chooses a sound server where there is one.
  private var hasSoundServer: Bool {
    guard let audioOutput else { return true }
    return ["pulse", "pipewire"].contains { audioOutput.hasPrefix($0) }
  }

  /// The user's program for events.
  private var hooks: Hooks? { Hooks(settings, paths) }

  /// `patience`: how long a network that went away may stay away.
  private func mediaLibrary(
    store: PodcastStore, patience: Duration, isComing: @escaping @Sendable () -> Void = {}
  ) -> MediaLibrary {
    MediaLibrary(
      store: store, media: paths.media, secrets: secrets, patience: patience, isComing: isComing, client: clients)
  }

  // MARK: Downloads

  /// Downloads episodes. `words` makes the message of a failure, which the library keeps.
  package func downloader(
    store: PodcastStore, isAutomatic: Bool, words: @escaping @Sendable (DownloadError, EpisodeEntry) -> String,
    report: @escaping @Sendable (Downloader.Report) -> Void
  ) -> Downloader {
    Downloader(
      store: store, media: paths.media, secrets: secrets, isAutomatic: isAutomatic,
      hooks: hooks, client: clients, words: words, report: report)
  }

  /// Copies and deletes downloaded files.
  package func downloadFiles(store: PodcastStore) -> DownloadFiles {
    DownloadFiles(store: store, media: paths.media)
  }

  /// Media files that the library does not name.
  package func unnamedFiles(store: PodcastStore) -> UnnamedFiles {
    UnnamedFiles(store: store, media: paths.media)
  }

  /// Cuts stretches out of episodes.
  package func clipper(store: PodcastStore) -> Clipper {
    Clipper(mediaLibrary(store: store, patience: .seconds(40)), store)
  }

  /// Trims the cache and automatic downloads.
  package func mediaCare(store: PodcastStore, config: [String: String]) -> MediaCare {
    MediaCare(store: store, files: downloadFiles(store: store), config: config)
  }

  // MARK: Measuring

  /// Measures loudness and pauses.
  package func measurer(store: PodcastStore, report: @escaping @Sendable (Measurer.Report) -> Void) -> Measurer {
    let (former, repeats) = (FormerRenditions(store: store), RepeatSearch(store: store))
    let isMeasured = { @Sendable (id: EpisodeID, path: String) async in
      _ = await former.settle(id, file: path)
      guard let podcast = try? await store.episode(id)?.podcast.id else { return }
      try? await repeats.update(podcast, and: id)
    }
    return Measurer(store: store, isMeasured: isMeasured, report: report)
  }

  /// Finds what repeats in a podcast's episodes.
  package func repeatSearch(store: PodcastStore) -> RepeatSearch { RepeatSearch(store: store) }

  /// Measures the beginning of a media file that is being filled.
  package func measureFirstPart(of entry: EpisodeEntry, in store: PodcastStore) async {
    await measurer(store: store) { _ in }.measureFirstPart(of: entry, in: paths.media)
  }

  private func startMeasuringFirstPart(of id: EpisodeID) {
    guard settings[SettingKeys.autoMeasure] else { return }
    ChildProgram.startDetached(
      ChildProgram.thisProgram, ["measure", "--first-part", "--library", paths.data, String(id.rawValue)])
  }

  /// Measures and transcribes media files that have come, in processes of their own, which outlive this one, where the
  /// user wants that.
  package func startExamining(_ episodes: [EpisodeID]) {
    let settings = settings
    guard !episodes.isEmpty else { return }
    func start(_ command: String) {
      let numbers = episodes.map { String($0.rawValue) }
      ChildProgram.startDetached(
        ChildProgram.thisProgram, [command, "--background", "--library", paths.data] + numbers)
    }
    if settings[SettingKeys.autoMeasure] { start("measure") }
    if !settings[SettingKeys.transcriber].isEmpty { start("transcribe") }
  }

  /// A timer's other processes end with it, so there it is done at once.
  private func examine(_ episodes: [EpisodeID], _ store: PodcastStore, on occasion: RefreshPolicy.Occasion) async {
    guard occasion == .scheduled else { return startExamining(episodes) }
    let settings = settings
    if settings[SettingKeys.autoMeasure] {
      var entries: [EpisodeEntry] = []
      for id in episodes { if let entry = try? await store.episode(id) { entries.append(entry) } }
      await measurer(store: store) { _ in }.measure(entries)
    }
    guard !settings[SettingKeys.transcriber].isEmpty else { return }
    // Later ones are left to the next time: as long as this one runs, the timer refreshes nothing.
    await transcriber(store: store) { _ in }.transcribeQueue(
      adding: episodes, until: ContinuousClock.now + .seconds(1800))
  }

  /// Waits until no other process measures in the background. Blocks. Nil when one still does after `patience`.
  package func waitToMeasure(patience: Duration = .seconds(86_400)) -> FileLock? {
    FileLock(path: paths.libraryFolder + "/measure.lock", patience: patience, pause: 300_000)
  }

  // MARK: Transcribing

  /// Makes transcripts with the program of the setting `transcriber`.
  package func transcriber(
    store: PodcastStore, report: @escaping @Sendable (Transcriber.Report) -> Void
  ) -> Transcriber {
    Transcriber(
      store: store, config: (try? config.values()) ?? [:], folder: paths.cache + "/transcribe", report: report)
  }

  // MARK: Documents

  /// Chapters and transcripts of episodes.
  package func sideDocuments(store: PodcastStore) -> SideDocuments {
    SideDocuments(store: store, secrets: secrets, client: clients)
  }

  package var artwork: Artwork {
    Artwork(folder: paths.cache + "/artwork", client: clients)
  }

  // MARK: Other machines

  package func syncer(store: PodcastStore) -> Syncer {
    Syncer(store: store, data: paths.data, settings: settings, server: serverSync(store: store))
  }

  /// Logs in at a server, and out.
  package func serverLogin(store: PodcastStore) -> ServerLogin {
    ServerLogin(store: store, data: paths.data, secrets: secrets, http: clients)
  }

  /// Syncs with the server.
  package func serverSync(store: PodcastStore) -> ServerSync {
    ServerSync(store: store, data: paths.data, subscriber: subscriber(store: store), secrets: secrets, http: clients)
  }

  // MARK: Diagnosis

  package var diagnosis: Diagnosis {
    Diagnosis(paths: paths, config: config, isOffline: isOffline, player: { [self] in player() }, client: clients)
  }

  package var feedDiagnosis: FeedDiagnosis {
    FeedDiagnosis(secrets: secrets, client: clients)
  }

  // MARK: The player of this library

  /// Nil while another podcli plays from this library.
  package func playerLock() throws(StoreError) -> PlayerLock? { try PlayerLock(directory: paths.libraryFolder) }

  /// The process that plays from this library.
  package func otherPlayer() -> PlayerLock.Holder? { PlayerLock.holder(in: paths.libraryFolder) }
}
