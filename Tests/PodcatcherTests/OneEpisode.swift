import Playback
import PodcastModel
import PodcastStore
import Synchronization
import TestSupport
import Testing
import Transfer

@testable import Podcatcher

/// A library that follows a show of one episode, whose media file is on the test's own server.
struct OneEpisode {
  let home: TemporaryHome
  let server: LoopbackServer
  let store: PodcastStore
  let id = EpisodeID(rawValue: 1)
  private let ending: String

  init(ending: String = "mp3", type: String = "audio/mpeg") async throws {
    self.ending = ending
    home = try TemporaryHome()
    server = try LoopbackServer()
    store = try PodcastStore(path: home.path + "/library.db")
    var feed = Feed()
    feed.title = "Show"
    var episode = FeedEpisode()
    episode.guid = "1"
    episode.title = "One"
    episode.enclosure = Enclosure(url: server.url("/1.\(ending)"), type: type, length: nil)
    feed.episodes = [episode]
    _ = try await store.subscribe(to: feed, at: server.url("/feed.xml"))
  }

  var folder: String { home.path + "/media" }
  /// Of the whole file.
  var path: String { folder + "/1-Show/1-One.\(ending)" }

  func serve(_ bytes: [UInt8], etag: String? = "\"one\"", ranges: Response.Ranges = .honoured) {
    let resource = Response.resource(bytes, type: "audio/mpeg", etag: etag, ranges: ranges)
    server.serve("/1.\(ending)") { resource.answering($0) }
  }

  func row() async throws -> MediaRecord? { try await store.mediaRecord(of: id) }

  /// Opened, but not yet read.
  func media(
    isOffline: Bool = false, say: @escaping @Sendable (MediaNote?) -> Void = { _ in }
  ) async throws -> OpenedMedia {
    try await library(isOffline: isOffline).open(try await entry(), say: say)
  }

  func entry() async throws -> EpisodeEntry { try #require(try await store.episode(id)) }

  func library(isOffline: Bool = false) throws -> MediaLibrary {
    let client = try HTTPClient()
    return MediaLibrary(store: store, media: folder, secrets: Secrets(folder: home.path), patience: .seconds(120)) {
      () throws(TransferError) in
      if isOffline { throw TransferError(.failed, "offline") }
      return client
    }
  }

  @discardableResult
  func download(
    _ limits: FillLimits = FillLimits()
  ) async throws -> Result<Downloader.Finished, DownloadError>? {
    let client = try HTTPClient()
    let ended = Mutex<Result<Downloader.Finished, DownloadError>?>(nil)
    let downloader = Downloader(
      store: store, media: folder, secrets: Secrets(folder: home.path), limits: limits, client: { client },
      words: { error, _ in "\(error)" },
      report: { event in if case .ended(_, let result) = event { ended.withLock { $0 = result } } })
    await downloader.download(try await store.playlist())
    return ended.withLock { $0 }
  }
}
