import PodcastModel
import Podcatcher

extension Table<PodcastEntry> {
  /// The table of podcasts. The error of the last refresh stands below its podcast.
  static func podcasts(now: Timestamp = .now) -> Table {
    Table(
      columns: [
        Column(limit: 20, isAlignedRight: true) { String($0.id.rawValue) },
        Column(minimum: 8) { $0.title },
        .onlyOnScreen(limit: 60, counts),
        .onlyInPipe { String($0.episodeCount) },
        .onlyInPipe { String($0.unplayedCount) },
        .onlyInPipe { String($0.downloadedCount) },
        Column(limit: 10, minimum: 10, from: 60, full: { $0.newestAt?.description ?? "" }) {
          $0.newestAt.map { DateText.relative($0, now: now) } ?? ""
        },
        .onlyInPipe { $0.lastRefreshedAt?.description ?? "" },
        .onlyInPipe { SafeAddress.shown($0.reference.feedURL) },
        .onlyInPipe { $0.refreshError ?? "" },
      ], gap: 1, heading: { _ in "number, title, unplayed/all episodes, ↓ downloaded, newest" },
      complaint: { $0.refreshError.map { "  ! " + CleanText.line($0) } })
  }

  private static func counts(_ podcast: PodcastEntry) -> String {
    let downloaded = podcast.downloadedCount > 0 ? " \(podcast.downloadedCount)↓" : ""
    return "\(podcast.unplayedCount)/\(podcast.episodeCount)" + downloaded
  }
}
