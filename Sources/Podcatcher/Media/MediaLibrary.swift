internal import PodcastModel
internal import PodcastStore
internal import System
internal import Text
internal import Transfer

/// From an episode to its bytes. Every media file has one copy on this machine, whether it is downloaded or just played:
/// bytes that are there are played from there, missing ones are fetched into it, once. Only http and https are opened, and
/// only feeds of this machine may name files of this machine.
///
/// - `MediaLibrary.open`: a media file for playing: whole, streamed into its file, or streamed through memory
/// - `OpenedMedia`: what the player reads, and how the reading went
/// - `MediaCare`: automatic downloads, and what leaves the disk again
/// - `Fill/`: bytes from the network into the file: `MediaFill`, its plan, its policy, its retries, the file's ranges
/// - `Clip/`: a stretch of the file as a file of its own
/// - `Download/`: `Downloader` and its policy; `DownloadFiles`: removing and copying what was downloaded
/// - `Sounding/`: loudness and pauses of files that are here whole
/// - `Transcribe/`: transcripts of them, by a program of the user
/// - `Timeline/`: times in MP3 files as byte offsets
package struct MediaLibrary: Sendable {
  let client: @Sendable () throws(TransferError) -> HTTPClient
  private let store: PodcastStore
  private let media: String
  private let secrets: Secrets
  private let patience: Duration

  /// `patience`: how long the network may stay away while a reader waits.
  init(
    store: PodcastStore, media: String, secrets: Secrets, patience: Duration,
    client: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    self.store = store
    self.media = media
    self.secrets = secrets
    self.patience = patience
    self.client = client
  }

  /// `isNew`: the server has another file now, which replaces the one that is here in part, or whole and of no use. `say` hears why a reader
  /// waits.
  func open(
    _ entry: EpisodeEntry, anew isNew: Bool = false, say: @escaping @Sendable (MediaNote?) -> Void = { _ in }
  ) async throws(ListenError) -> OpenedMedia {
    var record = try? await store.mediaRecord(of: entry.episode.id)
    let kept = try? await store.heardPosition(of: entry.episode.id)
    if !isNew, let path = record?.adoptWholeFile() {
      record?.lastUsedAt = .now
      if let record { try? await store.save(record) }
      return await whole(path, entry.episode, kept)
    }
    let request: HTTPRequest
    switch try origin(of: entry) {
    case .file(let path): return OpenedMedia(file: path)
    case .web(let address): request = address
    }
    do throws(DownloadError) {
      let media = try streamed(entry, record, request, anew: isNew, say)
      return await opened(media, entry, kept, isNew: isNew)
    } catch {
      // Another podcli fills the file, or none can be made: then it is played without one.
      return try inMemory(request, isNew: isNew)
    }
  }

  /// Throws where it is certain, without a connection, that the episode cannot be played.
  func check(_ entry: EpisodeEntry) async throws(ListenError) {
    var record = try? await store.mediaRecord(of: entry.episode.id)
    guard record?.adoptWholeFile() == nil else { return }
    _ = try origin(of: entry)
  }

  /// The file as it is, for a clip. It may be filled by another podcli meanwhile.
  func openForClip(_ entry: EpisodeEntry) async throws(ListenError) -> ClipMedia {
    let record = try? await store.mediaRecord(of: entry.episode.id)
    var adopted = record
    if let path = adopted?.adoptWholeFile() { return ClipMedia(file: path) }
    let request: HTTPRequest
    switch try origin(of: entry) {
    case .file(let path): return ClipMedia(file: path)
    case .web(let address): request = address
    }
    if let media = try? streamed(entry, record, request, anew: false, { _ in }) {
      return ClipMedia(bytes: media) { media.fill.state.withLock { $0.map } }
    }
    let name = MediaFilePath(path: record?.path, in: media) ?? MediaFilePath(of: entry)
    let fill = MediaFill(inMemory: request, of: record, .stream(patience: patience), client: client)
    let rest = StreamedMedia(fill)
    guard let record, let part = PartialFile(ownedByAnother: name, in: media) else {
      return ClipMedia(bytes: rest) { RangeMap() }
    }
    let shared = SharedMedia(part, record, rest)
    return ClipMedia(bytes: shared) { shared.present }
  }

  private enum Origin {
    case file(String)
    case web(HTTPRequest)
  }

  private func origin(of entry: EpisodeEntry) throws(ListenError) -> Origin {
    guard let url = entry.episode.enclosure?.url else { throw .noMediaFile }
    if let path = Self.localFile(url, of: entry.podcast) { return .file(path) }
    if let fault = AddressGate.fault(in: url) { throw .refused(fault) }
    return .web(HTTPRequest(mediaAt: url, of: entry.podcast, secrets.secret(for: entry.podcast.feedURL)))
  }

  private func opened(
    _ media: StreamedMedia, _ entry: EpisodeEntry, _ kept: HeardPosition?, isNew: Bool
  ) async -> OpenedMedia {
    guard MediaFileEnding.of(entry.episode.enclosure) == "mp3" else { return OpenedMedia(bytes: media, isNew: isNew) }
    switch await media.access(entry.episode, position: entry.status.lastListenTime ?? .zero) {
    case .plain: return OpenedMedia(bytes: media, isNew: isNew)
    case .scalable: return OpenedMedia(bytes: media, isNew: isNew, isScalable: true)
    case .timed(let timed):
      let position = if let kept, !isNew { await timed.adopt(kept) } else { Duration?.none }
      return OpenedMedia(bytes: timed, isNew: isNew, isScalable: true, position: position)
    }
  }

  private func whole(_ path: String, _ episode: Episode, _ kept: HeardPosition?) async -> OpenedMedia {
    await BlockingWork.run {
      let size = RegularFile.size(of: path)
      guard let size, let layout = MP3Layout(file: path) else { return OpenedMedia(file: path, isStored: true) }
      guard !layout.isScalable(episode, size: size) else {
        return OpenedMedia(file: path, isStored: true, isScalable: true)
      }
      let line = StoredLine(layout, path: path, size: size)
      let position = kept.flatMap { $0.byte.isEstimate(in: size) ? line.position(of: $0.byte.offset) : nil }
      return OpenedMedia(file: path, isStored: true, position: position, line: line)
    }
  }

  private func streamed(
    _ entry: EpisodeEntry, _ known: MediaRecord?, _ request: HTTPRequest, anew isNew: Bool,
    _ say: @escaping @Sendable (MediaNote?) -> Void
  ) throws(DownloadError) -> StreamedMedia {
    let name = MediaFilePath(path: known?.path, in: media) ?? MediaFilePath(of: entry)
    let file = try PartialFile(name, in: media)
    var record = known ?? MediaRecord(episode: entry.episode.id, state: .paused)
    if record.state == .complete { record.state = .paused }
    if isNew { record.forgetBytes() }
    let fill = MediaFill(file, record, store, request, FillLimits(), .stream(patience: patience), client: client)
    return StreamedMedia(fill, say: say)
  }

  private func inMemory(_ request: HTTPRequest, isNew: Bool) throws(ListenError) -> OpenedMedia {
    do { _ = try client() } catch { throw .media(MediaFault(noClient: error)) }
    return OpenedMedia(
      bytes: StreamedMedia(MediaFill(inMemory: request, .stream(patience: patience), client: client)), isNew: isNew)
  }

  /// The path of an episode's media file, where all of it is on this machine.
  static func wholeFile(of entry: EpisodeEntry, in store: PodcastStore) async throws(StoreError) -> String? {
    var record = try await store.mediaRecord(of: entry.episode.id)
    return record?.adoptWholeFile() ?? entry.episode.enclosure.flatMap { localFile($0.url, of: entry.podcast) }
  }

  private static func localFile(_ url: String, of podcast: PodcastReference) -> String? {
    let scheme = "file://"
    guard podcast.feedURL.hasPrefix(scheme), url.hasPrefix(scheme) else { return nil }
    let path = PercentCoding.decoded(url.dropFirst(scheme.count))
    return path.hasPrefix("/") && !path.utf8.contains(0) ? path : nil
  }
}

extension HTTPRequest {
  /// Credentials of a private feed are for its own origin only.
  init(mediaAt url: String, of podcast: PodcastReference, _ secret: Secret?) {
    self.init(url: url)
    acceptsCompression = false
    limits = .media
    if WebURL(url).origin == WebURL(secret?.address ?? podcast.feedURL).origin {
      credentials = secret?.credentials
    }
  }
}
