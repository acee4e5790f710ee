import PodcastModel
import Podcatcher
import Synchronization

/// Shows the progress of several downloads, and gathers their results for the report.
final class DownloadDisplay: Sendable {
  private let console: Console
  private let count: Int
  private let isAutomatic: Bool
  private let progress: DownloadProgress
  private let report: Mutex<DownloadReport>

  init(_ console: Console, count: Int, isAutomatic: Bool = false) {
    report = Mutex(DownloadReport(isAutomatic: isAutomatic))
    self.console = console
    self.count = count
    self.isAutomatic = isAutomatic
    progress = DownloadProgress(console, count: count)
  }

  func show(_ event: Downloader.Report) {
    switch event {
    case .progress(let entry, let received, let total):
      if !console.isJSON { progress.note(entry, .init(received: received, total: total)) }
    case .ended(let entry, let result):
      let line = report.withLock { $0.add(entry, result) }
      // The failure of a single download is the command's own.
      let isFailure = if case .failure(let error) = result { !isAutomatic || error != .underway } else { false }
      if !console.isJSON, count > 1 || !isFailure { progress.end(line, isFailure: isFailure) }
    }
  }

  /// Removes the line of progress and returns the report.
  func end() -> DownloadReport {
    progress.clear()
    return report.withLock { $0 }
  }

  /// The message of a failed download, which the library keeps. It is shown beside the title.
  static let words: @Sendable (DownloadError, EpisodeEntry) -> String = {
    CleanText.line(Failure($0, about: $1, named: "this episode").message)
  }
}
