private import Glibc
package import PodcastModel
package import PodcastStore
internal import System
internal import Text
package import Transfer

/// The journey that brings episodes to this machine: a few at a time, each to its end or to where the next try goes on.
package struct Downloader: Sendable {
  let store: PodcastStore
  let limits: Limits
  let report: @Sendable (Report) -> Void
  private let media: String
  private let secrets: Secrets
  private let words: @Sendable (DownloadError, EpisodeEntry) -> String
  private let client: @Sendable () throws(TransferError) -> HTTPClient
  /// Nobody asked for it by hand.
  let isAutomatic: Bool

  package struct Limits: Hashable, Sendable {
    package var parallel = 3
    package var perHost = 2
    /// Of one file. Endless streams are no episodes.
    package var largest: Int64 = 2 << 30
    /// Room that is left to others.
    package var reserve: Int64 = 100_000_000

    package init() {}
  }

  package enum Report: Sendable {
    case progress(EpisodeEntry, received: Int64, total: Int64?)
    case ended(EpisodeEntry, Result<Finished, DownloadError>)
  }

  package struct Finished: Hashable, Sendable {
    package var path: String
    package var size: Int64
    /// It was here already.
    package var wasHere = false
    /// The server told no length, so nobody knows whether this is all of it.
    package var isUnproven = false
  }

  /// `words`: what the library keeps of a failure.
  package init(
    store: PodcastStore, media: String, secrets: Secrets, limits: Limits = Limits(), isAutomatic: Bool = false,
    client: @escaping @Sendable () throws(TransferError) -> HTTPClient,
    words: @escaping @Sendable (DownloadError, EpisodeEntry) -> String = { error, _ in "\(error)" },
    report: @escaping @Sendable (Report) -> Void
  ) {
    self.store = store
    self.media = media
    self.secrets = secrets
    self.limits = limits
    self.isAutomatic = isAutomatic
    self.client = client
    self.words = words
    self.report = report
  }

  /// Each download ends with a report, in whatever order they end. Returns the episodes that are complete.
  @discardableResult
  package func download(_ entries: [EpisodeEntry]) async -> [EpisodeID] {
    let all = AsyncSemaphore(max(1, limits.parallel))
    var hosts: [String: AsyncSemaphore] = [:]
    let secrets = secrets.all()
    return await withTaskGroup(of: EpisodeID?.self) { group in
      for entry in entries {
        let name = WebAddress(entry.episode.enclosure?.url ?? "").host ?? ""
        let host = hosts[name] ?? AsyncSemaphore(max(1, limits.perHost))
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
      report(.ended(entry, .success(try await download(entry, secret))))
      return true
    } catch {
      report(.ended(entry, .failure(error)))
      return false
    }
  }

  // MARK: One of them

  private func download(_ entry: EpisodeEntry, _ secret: Secret?) async throws(DownloadError) -> Finished {
    if let finished = try await whatIsHere(entry) { return finished }
    let request = try request(entry, secret)
    let client: HTTPClient
    do { client = try self.client() } catch { throw .transfer(error) }
    let known = try await row(of: entry)
    let part = try await part(of: entry, DownloadPlace(path: known.path, in: media) ?? DownloadPlace(of: entry))
    // Another podcli may have finished it before the file was ours.
    if let finished = try await whatIsHere(entry) {
      part.discard()
      return finished
    }
    var run = DownloadRun(self, client, entry, request, part, try await row(of: entry))
    do throws(DownloadError) {
      let size = try await run.run()
      return Finished(path: part.path, size: size, isUnproven: run.isUnproven)
    } catch {
      await run.giveUp(error, words: words(error, entry))
      throw error
    }
  }

  /// Another podcli that plays the episode fills its file anyway: it is told to go on to the end, and waited for.
  private func part(of entry: EpisodeEntry, _ place: DownloadPlace) async throws(DownloadError) -> PartFile {
    while true {
      do throws(DownloadError) {
        return try PartFile(place, in: media)
      } catch {
        guard error == .underway, !isAutomatic, !Task.isCancelled else { throw error }
      }
      let row = try await row(of: entry)
      guard row.state != .downloading else { throw .underway }
      do throws(StoreError) { if !row.isKept { _ = try await store.keepMedia(of: entry.episode.id) } } catch {
        throw .store(error)
      }
      report(.progress(entry, received: row.received, total: row.total))
      try? await Task.sleep(for: .milliseconds(300))
    }
  }

  private func request(_ entry: EpisodeEntry, _ secret: Secret?) throws(DownloadError) -> HTTPRequest {
    guard let url = entry.episode.enclosure?.url else { throw .noMedium }
    if let fault = AddressGate.fault(in: url) { throw .refused(fault) }
    var request = HTTPRequest(mediumAt: url, of: entry.podcast, secret)
    request.limits.bytes = limits.largest
    return request
  }

  private func whatIsHere(_ entry: EpisodeEntry) async throws(DownloadError) -> Finished? {
    var row = try await row(of: entry)
    let known = row
    guard let path = row.adoptWholeFile() else { return nil }
    if !row.isKept, !isAutomatic {
      row.isKept = true
      row.requestedAt = .now
    }
    if row != known { do { try await store.save(row) } catch { throw .store(error) } }
    return Finished(path: path, size: row.received, wasHere: true)
  }

  private func row(of entry: EpisodeEntry) async throws(DownloadError) -> MediaRecord {
    do throws(StoreError) {
      if let row = try await store.mediaRecord(of: entry.episode.id) { return row }
    } catch {
      throw .store(error)
    }
    var row = MediaRecord(episode: entry.episode.id, state: .pending)
    row.requestedAt = .now
    return row
  }
}
