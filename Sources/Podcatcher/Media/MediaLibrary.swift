package import PodcastModel
package import PodcastStore
internal import Text
package import Transfer

/// The journey from an episode to its bytes. Every medium has one file on this machine, whether it is downloaded or
/// just played: what is there is played from there, what is missing is fetched into it, once. Only http and https are
/// opened, and only feeds of this machine may name files of this machine.
package struct MediaLibrary: Sendable {
  let client: @Sendable () throws(TransferError) -> HTTPClient
  private let store: PodcastStore
  private let media: String
  private let secrets: Secrets
  private let limits: Downloader.Limits
  private let patience: Duration

  package init(
    store: PodcastStore, media: String, secrets: Secrets, limits: Downloader.Limits = Downloader.Limits(),
    patience: Duration = Settings()[SettingKeys.networkPatience],
    client: @escaping @Sendable () throws(TransferError) -> HTTPClient
  ) {
    self.store = store
    self.media = media
    self.secrets = secrets
    self.limits = limits
    self.patience = patience
    self.client = client
  }

  /// `isNew`: the file that was here is no longer to be had, so the one that is now takes its place. `say` hears what the
  /// listener should know while it plays.
  package func medium(
    of entry: EpisodeEntry, anew isNew: Bool = false, say: @escaping @Sendable (MediumNote?) -> Void = { _ in }
  ) async throws(ListenError) -> Medium {
    var row = try? await store.mediaRecord(of: entry.episode.id)
    let guess = try? await store.approximatePosition(of: entry.episode.id)
    if let path = row?.adoptWholeFile() {
      row?.lastUsedAt = .now
      if let row { try? await store.save(row) }
      return await whole(path, entry.episode, guess)
    }
    guard let url = entry.episode.enclosure?.url else { throw .noMedium }
    if let path = Self.localFile(url, of: entry.podcast) { return Medium(file: path) }
    if let fault = AddressGate.fault(in: url) { throw .refused(fault) }
    let request = HTTPRequest(mediumAt: url, of: entry.podcast, secrets.secret(for: entry.podcast.feedURL))
    do throws(DownloadError) {
      let growing = try growing(entry, row, request, anew: isNew, say)
      guard MediaEnding.of(entry.episode.enclosure) == "mp3" else { return Medium(bytes: growing, isNew: isNew) }
      switch await growing.access(entry.episode, place: entry.status.lastListenTime ?? .zero) {
      case .plain: return Medium(bytes: growing, isNew: isNew)
      case .scalable: return Medium(bytes: growing, isNew: isNew, isScalable: true)
      case .timed(let timed):
        let place = if let guess, !isNew { await timed.adopt(guess) } else { Duration?.none }
        return Medium(bytes: timed, isNew: isNew, isScalable: true, place: place)
      }
    } catch {
      // Another podcli fills the file, or none can be made: then it is played without one.
      return try direct(request)
    }
  }

  private func whole(_ path: String, _ episode: Episode, _ guess: ApproximatePosition?) async -> Medium {
    await Disk.aside {
      let layout = MP3Layout(file: path)
      let isScalable = layout?.isScalable(episode, size: DownloadFiles.size(of: path)) ?? false
      let place = guess.flatMap { layout?.moment(of: $0.byte, file: path) }
      return Medium(file: path, isScalable: isScalable, place: place)
    }
  }

  private func growing(
    _ entry: EpisodeEntry, _ known: MediaRecord?, _ request: HTTPRequest, anew isNew: Bool,
    _ say: @escaping @Sendable (MediumNote?) -> Void
  ) throws(DownloadError) -> GrowingMedium {
    let place = DownloadPlace(path: known?.path, in: media) ?? DownloadPlace(of: entry)
    let part = try PartFile(place, in: media)
    var row = known ?? MediaRecord(episode: entry.episode.id, state: .paused)
    if row.state == .complete { row.state = .paused }
    if isNew { row.forgetBytes() }
    return GrowingMedium(part, row, store, request, limits, patience: patience, client: client, say: say)
  }

  private func direct(_ request: HTTPRequest) throws(ListenError) -> Medium {
    do {
      return Medium(bytes: HTTPByteSource(try client(), request, patience: patience))
    } catch {
      throw .media(MediaFault(noClient: error))
    }
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
  init(mediumAt url: String, of podcast: PodcastReference, _ secret: Secret?) {
    self.init(url: url)
    acceptsCompression = false
    limits = .media
    if WebAddress(url).origin == WebAddress(secret?.address ?? podcast.feedURL).origin {
      credentials = secret?.credentials
    }
  }
}

extension WebAddress {
  /// Who is asked.
  fileprivate var origin: [String] {
    let server = authority?.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return [scheme ?? "", server.lowercased()]
  }
}
