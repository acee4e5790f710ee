private import FeedKit
package import Playback
package import PodcastModel
package import PodcastStore
private import Synchronization
internal import System
package import Transfer

/// Puts the engines together: the one place that makes them, each on first use.
package final class Live: Sendable {
  package let paths: Paths
  private let audioOutput: String?
  package static let offlineReason = "--offline was given"
  package let isOffline: Bool
  private let sharedClient = Mutex<HTTPClient?>(nil)

  package init(paths: Paths, audioOutput: String?, isOffline: Bool = false) {
    self.paths = paths
    self.audioOutput = audioOutput
    self.isOffline = isOffline
  }

  /// On a thread of its own, or on `executor`'s.
  package func store(
    _ access: PodcastStore.Access, on executor: (any SerialExecutor)? = nil
  ) throws(StoreError) -> PodcastStore {
    if access == .readWrite, !Files.makeFolder(paths.data) {
      throw StoreError(.cannotOpen, message: "the folder cannot be made", about: paths.data)
    }
    return try PodcastStore(path: paths.library, access: access, executor: executor)
  }

  /// One for all of the process, so that connections are shared.
  package func client() throws(TransferError) -> HTTPClient {
    guard !isOffline else { throw TransferError(.failed, Self.offlineReason) }
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

  /// Opens the network's C library, and where feeds are sure to come the parser's: for `async let`, while the caller
  /// opens the library with the podcasts.
  package func prepareClient(forFeeds: Bool = true) async {
    await withTaskExecutorPreference(globalConcurrentExecutor) {
      guard (try? client()) != nil, forFeeds else { return }
      _ = try? FeedParser()
    }
  }

  /// Loads libcurl before libmpv, which takes twenty times as long: so the medium can be asked for meanwhile.
  package func player() -> MPVPlayer {
    MPVPlayer(audioOutput: audioOutput) { [self] in _ = try? client() }
  }

  package func listener(
    store: PodcastStore, player: any Player, patience: Duration,
    settings: @escaping @Sendable (EpisodeEntry) async -> Listener.Settings,
    report: @escaping @Sendable (Listener.Report) -> Void,
    publish: @escaping @Sendable (PlayerState) -> Void
  ) -> Listener {
    Listener(
      store: store, player: player, library: mediaLibrary(store: store, patience: patience), settings: settings,
      report: report, publish: publish)
  }

  /// `patience`: how long a network that went away may stay away.
  package func mediaLibrary(
    store: PodcastStore, patience: Duration = Settings()[SettingKeys.networkPatience]
  ) -> MediaLibrary {
    MediaLibrary(store: store, media: paths.media, secrets: secrets, patience: patience) {
      [self] () throws(TransferError) in
      try client()
    }
  }

  package var feedReader: FeedReader {
    FeedReader { [self] () throws(TransferError) in try client() }
  }

  package func subscriber(store: PodcastStore) -> Subscriber {
    Subscriber(store: store, reader: feedReader, secrets: secrets, directories: directories)
  }

  package func refresher(store: PodcastStore) -> Refresher {
    Refresher(store: store, reader: feedReader, secrets: secrets)
  }

  package func downloader(
    store: PodcastStore, isAutomatic: Bool, words: @escaping @Sendable (DownloadError, EpisodeEntry) -> String,
    report: @escaping @Sendable (Downloader.Report) -> Void
  ) -> Downloader {
    Downloader(
      store: store, media: paths.media, secrets: secrets, isAutomatic: isAutomatic,
      client: { [self] () throws(TransferError) in try client() }, words: words, report: report)
  }

  package func downloadFiles(store: PodcastStore) -> DownloadFiles {
    DownloadFiles(store: store, media: paths.media)
  }

  package func mediaCare(store: PodcastStore, config: [String: String]) -> MediaCare {
    MediaCare(store: store, files: downloadFiles(store: store), config: config)
  }

  /// What is set for all. A file that cannot be read sets nothing: the directories stay where they are.
  private var settings: Settings { Settings(config: (try? config.values()) ?? [:]) }

  package var directories: Directories {
    Directories(settings: settings) { [self] () throws(TransferError) in
      try client()
    }
  }

  package var secrets: Secrets { Secrets(folder: paths.data) }

  /// Nil while another podcli plays from this library.
  package func playerLock() -> PlayerLock? { PlayerLock(directory: paths.data) }

  /// For this process to tell the others what it plays.
  package func playerStateFile() -> PlayerStateFile { PlayerStateFile(in: paths.runtime) }

  package func state(of player: PlayerLock.Holder) -> PlayerState? {
    PlayerStateFile.read(of: player.pid, in: paths.runtime)
  }

  package func otherPlayer() -> PlayerLock.Holder? { PlayerLock.holder(in: paths.data) }

  /// The last resort for a place, when the library is locked or full.
  package func writeSideFile(_ now: NowPlaying, _ store: PodcastStore) {
    guard let position = now.position else { return }
    // Where a place is guessed, the one whose byte is known is the better one: it is of this very moment, or nearly.
    writeSideFile((now.entry.episode.id, now.guess?.position ?? position, now.guess?.byte), store)
  }

  package func writeSideFile(_ place: (episode: EpisodeID, position: Duration, byte: Int64?), _ store: PodcastStore) {
    let number = store.positionNumbers.next()
    PendingProgress(episode: place.episode, position: place.position, number: number, byte: place.byte)
      .write(in: paths.data)
  }
}
