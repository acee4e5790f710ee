package import PodcastModel
package import PodcastStore
internal import Transfer

/// Automatic downloads, and the media files that leave the disk again. A file that the user asked for, queued, marked or
/// began never leaves by itself.
package struct MediaCare: Sendable {
  private let store: PodcastStore
  private let files: DownloadFiles
  private let cacheSize: Int64
  private let rules: @Sendable ([String: String]) -> Rules

  /// The rules of one podcast.
  struct Rules: Sendable {
    /// How many of the newest episodes are downloaded.
    var downloads: Int
    /// The words of the filter that these episodes pass.
    var filter: String
    /// Given the downloads, newest first, the indices of those that go; nil when all stay.
    var leaving: (@Sendable ([(size: Int64, age: Duration)]) -> [Int])?
  }

  /// `rules`: by the settings that the podcast has of its own.
  init(
    store: PodcastStore, files: DownloadFiles, cacheSize: Int64, rules: @escaping @Sendable ([String: String]) -> Rules
  ) {
    self.store = store
    self.files = files
    self.cacheSize = cacheSize
    self.rules = rules
  }

  // MARK: Coming

  /// The newest episodes of each podcast with automatic downloads, less those that are here or on their way, were heard, or were
  /// removed. One whose download failed waits, unless `orFailed`.
  package func wanted(
    of podcasts: [PodcastID], orFailed: Bool = false, now: Timestamp = .now
  ) async throws(StoreError) -> [EpisodeEntry] {
    var wanted: [EpisodeEntry] = []
    for podcast in podcasts {
      let rules = rules(try await store.settings(of: podcast))
      guard rules.downloads > 0 else { continue }
      let words = rules.filter.split(separator: " ").map(String.init)
      guard let filter = try? EpisodeFilter(words: words) else { continue }
      // Of a part of the episodes others would be the newest.
      if filter.searchesText { try await store.indexEverything() }
      for entry in try await store.episodes(matching: filter, of: podcast, limit: rules.downloads) {
        if try await isWanted(entry, orFailed ? nil : now) { wanted.append(entry) }
      }
    }
    return wanted
  }

  private func isWanted(_ entry: EpisodeEntry, _ now: Timestamp?) async throws(StoreError) -> Bool {
    guard let url = entry.episode.enclosure?.url, AddressGate.fault(in: url) == nil, !entry.status.hasCompleted else {
      return false
    }
    guard let row = try await store.mediaRecord(of: entry.episode.id) else { return true }
    guard row.state != .complete, !row.wasThrownAway, !files.isFilled(entry) else { return false }
    return now.map { row.mayBeTried(at: url, $0) } ?? true
  }

  // MARK: Leaving

  /// Removes streamed files, the least recently used first, until the rest fits. Returns the bytes that are free now.
  @discardableResult
  package func trimCache() async throws(StoreError) -> Int64 {
    var size = try await store.cacheSize()
    guard size > cacheSize else { return 0 }
    var freed: Int64 = 0
    for record in try await store.spareStreams() where size > cacheSize {
      guard let removed = try await files.remove(record.episode) else { continue }
      size -= record.received
      freed += removed
    }
    return freed
  }

  /// Removes the automatic downloads that a podcast's rule does not keep. Returns the bytes that are free now.
  @discardableResult
  package func trimAutomaticDownloads(of podcasts: [PodcastID], now: Timestamp = .now) async throws(StoreError) -> Int64
  {
    var freed: Int64 = 0
    for podcast in podcasts {
      guard let leaving = rules(try await store.settings(of: podcast)).leaving else { continue }
      let downloads = try await store.automaticDownloads(of: podcast)
      // Those that failed or are on their way take no place from the whole ones, and are as many at most.
      for some in [
        downloads.filter { $0.record.state == .complete }, downloads.filter { $0.record.state != .complete },
      ] {
        let leavers = leaving(
          some.map { (size: $0.record.received, age: .seconds(now.seconds - ($0.record.completedAt ?? now).seconds)) })
        for index in leavers where some[index].isSpare {
          freed += try await files.remove(some[index].record.episode) ?? 0
        }
      }
    }
    return freed
  }
}

extension MediaRecord {
  /// It was an automatic download once, and is not to be downloaded again. It may be a stream by now.
  var wasThrownAway: Bool { isAutomatic && (path == nil || requestedAt == nil) }

  /// An automatic download waits an hour after the server refused it, and twice as long each time, up to five days. Another
  /// address is tried at once, and so is a new token in it.
  func mayBeTried(at address: String, _ now: Timestamp) -> Bool {
    guard state == .failed, failedAttempts > 0, sourceURL == address, let requestedAt, now >= requestedAt else {
      return true
    }
    return now.seconds >= requestedAt.seconds + 3600 << Int64(min(failedAttempts - 1, 7))
  }
}
