import PodcastModel

/// The list of podcasts: aligned and cut to the screen for people, tab-separated and whole for a pipe. Pure.
struct PodcastTable {
  var width: Int
  var usesColor: Bool
  var now: Timestamp

  // MARK: For people

  func rendered(_ podcasts: [PodcastEntry]) -> String {
    let id = podcasts.map { String($0.id.rawValue).count }.max() ?? 1
    let counts = podcasts.map(Self.counts)
    let count = counts.map(DisplayWidth.of).max() ?? 0
    let date = width >= 60 ? 10 : 0
    let left = width - id - count - date - (date > 0 ? 3 : 2)
    let title = max(8, min(left, podcasts.map { DisplayWidth.of(CleanText.line($0.title)) }.max() ?? 0))
    return zip(podcasts, counts).map { podcast, counts in
      var parts = [
        DisplayWidth.column(String(podcast.id.rawValue), id, alignedRight: true),
        DisplayWidth.column(CleanText.line(podcast.title), title), DisplayWidth.column(counts, count),
      ]
      if date > 0 { parts.append(podcast.newestAt.map { DateText.relative($0, now: now) } ?? "") }
      return lines(parts.joined(separator: " "), podcast)
    }.joined()
  }

  private static func counts(_ podcast: PodcastEntry) -> String {
    let downloaded = podcast.downloadedCount > 0 ? " \(podcast.downloadedCount)↓" : ""
    return "\(podcast.unplayedCount)/\(podcast.episodeCount)" + downloaded
  }

  /// The error of the last refresh is shown below its podcast.
  private func lines(_ line: String, _ podcast: PodcastEntry) -> String {
    guard let error = podcast.refreshError else { return line + "\n" }
    let complaint = DisplayWidth.fitted("  ! " + CleanText.line(error), to: width)
    return line + "\n" + Paint(usesColor: usesColor).red(complaint) + "\n"
  }

  // MARK: For pipes

  static func tabSeparated(_ podcast: PodcastEntry) -> String {
    let fields = [
      String(podcast.id.rawValue), CleanText.line(podcast.title, limit: .max), String(podcast.episodeCount),
      String(podcast.unplayedCount), String(podcast.downloadedCount), podcast.newestAt?.description ?? "",
      podcast.lastRefreshedAt?.description ?? "",
      CleanText.line(SafeAddress.shown(podcast.reference.feedURL), limit: .max),
      CleanText.line(podcast.refreshError ?? "", limit: .max),
    ]
    return fields.joined(separator: "\t") + "\n"
  }
}
