package import PodcastStore

extension MediaCare {
  /// With the cache's limit and the podcasts' rules from the settings.
  package init(store: PodcastStore, files: DownloadFiles, config: [String: String]) {
    let cacheSize = Settings(config: config)[SettingKeys.cacheSize]
    self.init(store: store, files: files, cacheSize: cacheSize) { own in
      Rules(Settings(podcast: own, config: config))
    }
  }
}

extension MediaCare.Rules {
  fileprivate init(_ settings: Settings) {
    let keep = settings[SettingKeys.keep]
    downloads = settings[SettingKeys.autoDownload]
    filter = settings[SettingKeys.autoDownloadFilter]
    // Further ones would be removed as soon as they are here.
    if case .newest(let count) = keep { downloads = min(downloads, count) }
    leaving = nil
    if keep != .all { leaving = { keep.leaving($0) } }
  }
}
