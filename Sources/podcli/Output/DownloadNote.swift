import PodcastModel

/// The note before the title of an episode that is downloading or downloaded.
enum DownloadNote {
  static func before(_ title: String, _ download: Download?) -> String {
    switch download?.state {
    case .downloading: "Downloading…\(download?.progress.map { " " + DownloadProgress.percent($0) } ?? "")  \(title)"
    case .complete: "↓ \(title)"
    case .pending, .paused, .failed, nil: title
    }
  }
}
