package import PodcastModel
package import PodcastStore

/// What comes to this machine by itself, and what leaves it again. Nothing that anybody asked for, queued, marked or
/// began ever leaves by itself.
package struct MediaCare: Sendable {
  private let store: PodcastStore
  private let files: DownloadFiles
  private let config: [String: String]

  package init(store: PodcastStore, files: DownloadFiles, config: [String: String]) {
    self.store = store
    self.files = files
    self.config = config
  }

  // MARK: Coming

  /// The newest episodes of each podcast that is set so, less what is here, was heard, or was thrown away.
  package func wanted(of podcasts: [PodcastID]) async throws(StoreError) -> [EpisodeEntry] {
    var wanted: [EpisodeEntry] = []
    for podcast in podcasts {
      let settings = Settings(podcast: try await store.settings(of: podcast), config: config)
      let count = settings[SettingKeys.autoDownload]
      guard count > 0 else { continue }
      let words = settings[SettingKeys.autoDownloadFilter].split(separator: " ").map(String.init)
      guard let filter = try? EpisodeFilter(words: words) else { continue }
      for entry in try await store.episodes(matching: filter, of: podcast, limit: count) {
        if try await isWanted(entry) { wanted.append(entry) }
      }
    }
    return wanted
  }

  private func isWanted(_ entry: EpisodeEntry) async throws(StoreError) -> Bool {
    guard entry.episode.enclosure != nil, !entry.status.hasCompleted else { return false }
    guard let row = try await store.mediaRecord(of: entry.episode.id) else { return true }
    return row.state != .complete && !row.wasThrownAway
  }

  // MARK: Leaving

  /// Returns the bytes that are free now.
  @discardableResult
  package func trimCache() async throws(StoreError) -> Int64 {
    let limit = Settings(config: config)[SettingKeys.cacheSize]
    var size = try await store.cacheSize()
    guard size > limit else { return 0 }
    var freed: Int64 = 0
    for medium in try await store.spareStreams() where size > limit {
      size -= medium.received
      freed += try await files.remove(medium.episode)
    }
    return freed
  }

  @discardableResult
  package func trimAutomaticDownloads(of podcasts: [PodcastID], now: Timestamp = .now) async throws(StoreError) -> Int64
  {
    var freed: Int64 = 0
    for podcast in podcasts {
      let rule = Settings(podcast: try await store.settings(of: podcast), config: config)[SettingKeys.keep]
      guard rule != .all else { continue }
      let downloads = try await store.automaticDownloads(of: podcast)
      let leaving = rule.leaving(
        downloads.map { download in
          let since = download.record.completedAt ?? now
          return (download.record.received, .seconds(now.seconds - since.seconds))
        })
      for index in leaving where downloads[index].isSpare {
        freed += try await files.remove(downloads[index].record.episode)
      }
    }
    return freed
  }
}

extension MediaRecord {
  /// It came by itself once and is not to come again.
  var wasThrownAway: Bool { isAutomatic && path == nil }
}
