private import Glibc
package import PodcastModel
package import PodcastStore
private import Synchronization
internal import System
internal import Text
internal import Transfer

/// Downloads episodes: a few at a time, each to its end or to where the next run continues. `MediaFill` fetches
/// the bytes, by `FillPolicy.download`.
package struct Downloader: Sendable {
  private let store: PodcastStore
  private let limits: FillLimits
  private let report: @Sendable (Report) -> Void
  private let media: String
  private let secrets: Secrets
  private let words: @Sendable (DownloadError, EpisodeEntry) -> String
  private let hooks: Hooks?
  private let client: @Sendable () throws(TransferError) -> HTTPClient
  /// For episodes that were not asked for by hand.
  private let isAutomatic: Bool

  private static let mostAtOnce = 3
  private static let mostPerHost = 2

  /// Progress and results, as they come.
  package enum Report: Sendable {
    case progress(EpisodeEntry, received: Int64, total: Int64?)
    case ended(EpisodeEntry, Result<Finished, DownloadError>)
  }

  /// A complete download.
  package struct Finished: Hashable, Sendable {
    /// Of the media file.
    package var path: String
    /// In bytes.
    package var size: Int64
    /// It was here already.
    package var wasHere = false
    /// The server said no length, so this may not be all of it.
    package var isUnproven = false
    /// Marks that followed from the publisher's file of before.
    package var moved: MovedMarks?
  }

  /// `words`: the text of a failure that the library keeps.
  init(
    store: PodcastStore, media: String, secrets: Secrets, limits: FillLimits = FillLimits(), isAutomatic: Bool = false,
    hooks: Hooks? = nil, client: @escaping @Sendable () throws(TransferError) -> HTTPClient,
    words: @escaping @Sendable (DownloadError, EpisodeEntry) -> String = { error, _ in "\(error)" },
    report: @escaping @Sendable (Report) -> Void
  ) {
    self.store = store
    self.media = media
    self.secrets = secrets
    self.limits = limits
    self.isAutomatic = isAutomatic
    self.hooks = hooks
    self.client = client
    self.words = words
    self.report = report
  }

  /// Each download ends with a report, in whatever order they end. Returns the episodes that are complete.
  @discardableResult
  package func download(_ entries: [EpisodeEntry]) async -> [EpisodeID] {
    let all = AsyncSemaphore(Self.mostAtOnce)
    var hosts: [String: AsyncSemaphore] = [:]
    let secrets = secrets.all()
    return await withTaskGroup(of: EpisodeID?.self) { group in
      for entry in entries {
        let name = WebURL(entry.episode.enclosure?.url ?? "").host ?? ""
        let host = hosts[name] ?? AsyncSemaphore(Self.mostPerHost)
        hosts[name] = host
        group.addTask {
          // In this order one slow host never keeps the others waiting.
          await host.wait()
          await all.wait()
          let isComplete = await end(entry, secrets[entry.podcast.feedURL])
          all.signal()
          host.signal()
          return isComplete ? entry.episode.id : nil
        }
      }
      return await group.reduce(into: []) { complete, id in if let id { complete.append(id) } }
    }
  }

  private func end(_ entry: EpisodeEntry, _ secret: Secret?) async -> Bool {
    do throws(DownloadError) {
      let finished = try await download(entry, secret)
      report(.ended(entry, .success(finished)))
      if !finished.wasHere { await hooks?.run(.downloaded, [entry.downloaded(to: finished.path)]) }
      return true
    } catch {
      report(.ended(entry, .failure(error)))
      return false
    }
  }

  // MARK: One of them

  private func download(_ entry: EpisodeEntry, _ secret: Secret?) async throws(DownloadError) -> Finished {
    if let finished = try await presentFile(entry) { return finished }
    let request = try request(entry, secret)
    let client: HTTPClient
    do { client = try self.client() } catch { throw .transfer(error) }
    let known = try await record(of: entry)
    let file = try await partialFile(of: entry, MediaFilePath(path: known.path, in: media) ?? MediaFilePath(of: entry))
    // Another podcli may have finished it before the file was ours.
    if let finished = try await presentFile(entry) {
      file.discard()
      return finished
    }
    let stored = try await record(of: entry)
    let moved = Mutex<MovedMarks?>(nil)
    let former = FormerRenditions(store: store)
    let events = former.events { marks in moved.withLock { $0 = marks } }
    let record = begun(stored, file, request)
    let fill = MediaFill(file, record, store, request, limits, .download, events: events, client: { client }) {
      [report] record in report(.progress(entry, received: record.received, total: record.total))
    }
    if fill.state.withLock(\.map.isEmpty) { await former.keep(unused: stored, in: file) }
    var finished = try await finish(fill, file, entry)
    finished.moved = moved.withLock { $0 }
    return finished
  }

  private func finish(_ fill: MediaFill, _ file: PartialFile, _ entry: EpisodeEntry) async throws(DownloadError)
    -> Finished
  {
    do throws(MediaFault) {
      try await fill.fetchAllUnlessRemoved()
    } catch {
      let error = DownloadError(error, largest: limits.largest)
      await fill.giveUp(error, words: words(error, entry))
      throw error
    }
    let (size, isProven) = fill.state.withLock { ($0.map.count, $0.endIsProven) }
    let isUnproven = !isProven && entry.episode.enclosure?.length != size
    return Finished(path: file.path, size: size, isUnproven: isUnproven)
  }

  private func begun(_ record: MediaRecord, _ file: PartialFile, _ request: HTTPRequest) -> MediaRecord {
    var record = record
    record.path = file.path
    // Also where the library says that it is complete: its file is gone.
    record.state = .downloading
    if isAutomatic { record.isAutomatic = true } else { record.isKept = true }
    if isAutomatic || record.requestedAt == nil { record.requestedAt = .now }
    if record.sourceURL != request.url { record.failedAttempts = 0 }
    record.error = nil
    return record
  }

  /// Another podcli that plays the episode fills its file anyway: a request in the record makes it go on to the end, and
  /// this one waits.
  private func partialFile(
    of entry: EpisodeEntry, _ name: MediaFilePath
  ) async throws(DownloadError) -> PartialFile {
    while true {
      do throws(DownloadError) {
        return try PartialFile(name, in: media)
      } catch {
        guard error == .underway, !isAutomatic, !Task.isCancelled else { throw error }
      }
      let record = try await record(of: entry)
      guard record.state != .downloading else { throw .underway }
      do throws(StoreError) { if !record.isKept { _ = try await store.keepMedia(of: entry.episode.id) } } catch {
        throw .store(error)
      }
      report(.progress(entry, received: record.received, total: record.total))
      try? await Task.sleep(for: .milliseconds(300))
    }
  }

  private func request(_ entry: EpisodeEntry, _ secret: Secret?) throws(DownloadError) -> HTTPRequest {
    guard let url = entry.episode.enclosure?.url else { throw .noMediaFile }
    if let fault = AddressGate.fault(in: url) { throw .refused(fault) }
    var request = HTTPRequest(mediaAt: url, of: entry.podcast, secret)
    request.limits.bytes = limits.largest
    return request
  }

  private func presentFile(_ entry: EpisodeEntry) async throws(DownloadError) -> Finished? {
    var record = try await record(of: entry)
    let known = record
    guard let path = record.adoptWholeFile() else { return nil }
    if !record.isKept, !isAutomatic {
      record.isKept = true
      record.requestedAt = .now
    }
    if record != known { do { try await store.save(record) } catch { throw .store(error) } }
    let isUnproven = record.unprovenSize.map { $0 != entry.episode.enclosure?.length } ?? false
    return Finished(path: path, size: record.received, wasHere: true, isUnproven: isUnproven)
  }

  private func record(of entry: EpisodeEntry) async throws(DownloadError) -> MediaRecord {
    do throws(StoreError) {
      if let record = try await store.mediaRecord(of: entry.episode.id) { return record }
    } catch {
      throw .store(error)
    }
    var record = MediaRecord(episode: entry.episode.id, state: .pending)
    record.requestedAt = .now
    return record
  }
}

extension EpisodeEntry {
  /// As the library has it now.
  fileprivate func downloaded(to path: String) -> EpisodeEntry {
    var entry = self
    entry.download = Download(state: .complete, path: path)
    return entry
  }
}
