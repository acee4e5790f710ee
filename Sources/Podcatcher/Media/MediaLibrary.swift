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
/// - `Alignment/`: marks that follow an episode to another rendition
/// - `Download/`: `Downloader` and its policy; `DownloadFiles`: removing and copying what was downloaded
/// - `Sounding/`: loudness and pauses of files that are here whole
/// - `Repeats/`: what episodes of a podcast share: intros, outros, adverts
/// - `Transcribe/`: transcripts of them, by a program of the user
/// - `Timeline/`: times in MP3 files as byte offsets
package struct MediaLibrary: Sendable {
  let client: @Sendable () throws(TransferError) -> HTTPClient
  private let store: PodcastStore
  private let media: String
  private let secrets: Secrets
  let patience: Duration
  private let isComing: @Sendable () -> Void

  /// `patience`: how long the network may stay away while a reader waits. `isComing` is called when a whole media file is
  /// here, or the server of one is being connected to.
  init(
    store: PodcastStore, media: String, secrets: Secrets, patience: Duration,
    isComing: @escaping @Sendable () -> Void = {},
    client: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    self.store = store
    self.media = media
    self.secrets = secrets
    self.patience = patience
    self.isComing = isComing
    self.client = client
  }

  /// `isNew`: the server has another file now, which replaces the one that is here in part, or whole and of no use. `say` hears why a reader
  /// waits. `inOrder`: one request brings all of it, where the server has another file at each.
  func open(
    _ entry: EpisodeEntry, anew isNew: Bool = false, inOrder isInOrder: Bool = false,
    say: @escaping @Sendable (MediaNote?) -> Void = { _ in }
  ) async throws(ListenError) -> OpenedMedia {
    var record = try? await store.mediaRecord(of: entry.episode.id)
    let kept = try? await store.heardPosition(of: entry.episode.id)
    if !isNew, let path = record?.adoptWholeFile() {
      isComing()
      record?.lastUsedAt = .now
      if let record { try? await store.save(record) }
      // A kill may have come between the file's end and this.
      var moved = await former.settle(entry.episode.id, file: path)
      if moved == nil { moved = await former.find(entry.episode.id, file: path, say: say) }
      // A search that was cancelled tells nothing.
      if moved == nil, !Task.isCancelled { moved = await former.keepPositionAsBookmark(of: entry.episode.id) }
      return await whole(path, entry.episode, record?.unprovenSize, kept).moved(moved)
    }
    let request: HTTPRequest
    switch try origin(of: entry) {
    case .file(let path):
      isComing()
      var opened = OpenedMedia(file: path)
      opened.isLengthEstimated = await BlockingWork.run { Self.isLengthEstimated(MP3Layout(file: path), entry.episode) }
      return opened
    case .web(let address): request = address
    }
    do throws(DownloadError) {
      let media = try streamed(entry, record, request, anew: isNew, say)
      if isInOrder { media.fill.state.change { $0.isSequential = true } }
      // The download ended without a word. Otherwise this would be taken for it, and asked to give the file up.
      if record?.state == .downloading { try? await store.save(media.fill.state.withLock(\.record)) }
      let isUnused = media.fill.state.withLock(\.map.isEmpty)
      if let record, let file = media.fill.file {
        if isNew {
          await former.keep(record, partly: file)
        } else if isUnused {
          await former.keep(unused: record, in: file)
        }
      }
      var opened = await opened(media, entry, kept, isNew: isNew)
      opened.isInOrder = isInOrder
      guard opened.moved == nil, isNew || opened.isScalable, !Task.isCancelled else { return opened }
      return opened.moved(await former.keepPositionAsBookmark(of: entry.episode.id))
    } catch {
      // Another podcli fills the file, or none can be made: then it is played without one.
      let position = kept?.position ?? entry.status.lastListenTime
      let media = try inMemory(request, say)
      if isInOrder { media.fill.state.change { $0.isSequential = true } }
      var opened = await scaled(media, entry.episode, at: position, kept, isNew: isNew)
      opened.isInOrder = isInOrder
      return opened
    }
  }

  /// Throws where it is certain, without a connection, that the episode cannot be played.
  func check(_ entry: EpisodeEntry) async throws(ListenError) {
    var record = try? await store.mediaRecord(of: entry.episode.id)
    guard record?.adoptWholeFile() == nil else { return }
    _ = try origin(of: entry)
  }

  /// Its media file is on this machine, whole.
  func isHere(_ entry: EpisodeEntry) async -> Bool {
    var record = try? await store.mediaRecord(of: entry.episode.id)
    if record?.adoptWholeFile() != nil { return true }
    return entry.episode.enclosure.map { LocalFile.path($0.url, of: entry.podcast) != nil } ?? false
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

  /// How many bytes of the beginning of a file that is not whole are here, without a gap.
  func firstPart(of id: EpisodeID) async -> Int64 {
    (try? await store.mediaRecord(of: id))?.flatMap { FirstPart(of: $0, in: media) }?.size ?? 0
  }

  /// Chapters and transcripts.
  var sideDocuments: SideDocuments { SideDocuments(store: store, secrets: secrets, client: client) }

  private enum Origin {
    case file(String)
    case web(HTTPRequest)
  }

  private func origin(of entry: EpisodeEntry) throws(ListenError) -> Origin {
    guard let url = entry.episode.enclosure?.url else { throw .noMediaFile }
    if let path = LocalFile.path(url, of: entry.podcast) { return .file(path) }
    if let fault = AddressGate.fault(in: url) { throw .refused(fault) }
    var request = HTTPRequest(mediaAt: url, of: entry.podcast, secrets.secret(for: entry.podcast.feedURL))
    // A silent server is left no later than one that is away.
    request.limits.stall = min(request.limits.stall, patience)
    request.whenConnecting = isComing
    return .web(request)
  }

  private func opened(
    _ media: StreamedMedia, _ entry: EpisodeEntry, _ kept: HeardPosition?, isNew: Bool
  ) async -> OpenedMedia {
    // Before any byte is asked for: a file that comes whole at once takes the position with it.
    let former = former
    let keptBefore = await former.keptPosition(of: entry.episode.id)
    await former.forgetSame(entry.episode.id, in: media)
    guard MediaFileEnding.of(entry.episode.enclosure) == "mp3" else {
      var opened = OpenedMedia(bytes: media, isNew: isNew)
      opened.isLengthEstimated = Self.isLengthEstimated(nil, entry.episode)
      return opened
    }
    if let keptBefore {
      if let found = await former.find(keptBefore, in: media) {
        return await scaled(media, entry.episode, at: found.heard.position, found.heard, isNew: isNew).moved(
          found.moved)
      }
      if let moved = await former.movedMeanwhile(keptBefore) {
        return await scaled(media, entry.episode, at: moved.to, nil, isNew: isNew).moved(moved)
      }
    }
    return await scaled(media, entry.episode, at: entry.status.lastListenTime, isNew ? nil : kept, isNew: isNew)
  }

  /// Times of an MP3 as byte offsets, so that a jump ahead need not read all that lies between.
  private func scaled(
    _ media: StreamedMedia, _ episode: Episode, at position: Duration?, _ kept: HeardPosition?, isNew: Bool
  ) async -> OpenedMedia {
    var opened = OpenedMedia(bytes: media, isNew: isNew)
    guard MediaFileEnding.of(episode.enclosure) == "mp3" else { return opened }
    switch await media.access(episode, position: position ?? .zero) {
    case .plain: break
    case .scalable: opened = OpenedMedia(bytes: media, isNew: isNew, isScalable: true)
    case .timed(let timed):
      let position = if let kept { await timed.adopt(kept) } else { Duration?.none }
      opened = OpenedMedia(bytes: timed, isNew: isNew, isScalable: true, position: position)
      opened.isLengthEstimated = timed.toldLength == nil
    }
    return opened
  }

  private var former: FormerRenditions { FormerRenditions(store: store) }

  private func whole(
    _ path: String, _ episode: Episode, _ unprovenSize: Int64?, _ kept: HeardPosition?
  ) async -> OpenedMedia {
    await BlockingWork.run {
      let size = RegularFile.size(of: path)
      var opened = OpenedMedia(file: path, isStored: true, unprovenSize: unprovenSize)
      opened.isLengthEstimated = Self.isLengthEstimated(nil, episode)
      guard let size, let layout = MP3Layout(file: path) else { return opened }
      if layout.isScalable(episode, size: size) {
        opened = OpenedMedia(file: path, isStored: true, unprovenSize: unprovenSize, isScalable: true)
      } else {
        let line = StoredLine(layout, path: path, size: size)
        let position = kept.flatMap { $0.byte.isEstimate(in: size) ? line.position(of: $0.byte.offset) : nil }
        opened = OpenedMedia(
          file: path, isStored: true, unprovenSize: unprovenSize, position: position, line: line)
      }
      opened.isLengthEstimated = layout.isLengthEstimated
      return opened
    }
  }

  /// An AAC stream has frames of unlike lengths, and nothing that tells how many.
  private static func isLengthEstimated(_ layout: MP3Layout?, _ episode: Episode) -> Bool {
    layout?.isLengthEstimated ?? (MediaFileEnding.of(episode.enclosure) == "aac")
  }

  private func streamed(
    _ entry: EpisodeEntry, _ known: MediaRecord?, _ request: HTTPRequest, anew isNew: Bool,
    _ say: @escaping @Sendable (MediaNote?) -> Void
  ) throws(DownloadError) -> StreamedMedia {
    let name = MediaFilePath(path: known?.path, in: media) ?? MediaFilePath(of: entry)
    let file = try PartialFile(name, in: media)
    var record = known ?? MediaRecord(episode: entry.episode.id, state: .paused)
    if record.state == .complete || record.state == .downloading { record.state = .paused }
    if isNew { record.forgetBytes() }
    let fill = MediaFill(
      file, record, store, request, FillLimits(), .stream(patience: patience), events: former.events(), client: client)
    return StreamedMedia(fill, say: say)
  }

  private func inMemory(
    _ request: HTTPRequest, _ say: @escaping @Sendable (MediaNote?) -> Void
  ) throws(ListenError) -> StreamedMedia {
    do { _ = try client() } catch { throw .media(MediaFault(noClient: error)) }
    return StreamedMedia(MediaFill(inMemory: request, .stream(patience: patience), client: client), say: say)
  }
}

extension HTTPRequest {
  /// Credentials of a private feed are for its own origin only.
  init(url: String, of podcast: PodcastReference, _ secret: Secret?) {
    self.init(url: url)
    if WebURL(url).origin == WebURL(secret?.address ?? podcast.feedURL).origin {
      credentials = secret?.credentials
    }
  }

  init(mediaAt url: String, of podcast: PodcastReference, _ secret: Secret?) {
    self.init(url: url, of: podcast, secret)
    acceptsCompression = false
    limits = .media
  }
}
