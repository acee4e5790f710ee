import PodcastModel
import Podcatcher
import ScreenKit
import Text

/// The page of `preview`: a feed that is not in the library. Pure.
struct PreviewPage {
  /// Nil in a pipe, where all episodes stand, with full values between tabs.
  var width: Int?
  var now: Timestamp
  private static let shownEpisodes = 10

  func text(_ feed: Feed) -> String {
    (header(feed) + [""] + episodes(feed) + warnings(feed)).joined(separator: "\n") + "\n"
  }

  private func header(_ feed: Feed) -> [String] {
    let facts: [(String, String?)] = [
      ("by", feed.author), ("link", feed.link), ("language", feed.language),
      ("about", feed.categories.isEmpty ? nil : feed.categories.joined(separator: ", ")),
      ("moved to", feed.newFeedURL.map(SafeAddress.shown)),
    ]
    var lines = [CleanText.line(feed.title ?? "Untitled")]
    lines += facts.compactMap { name, value in
      value.map { fitted("\(name) " + CleanText.line($0)) }
    }
    if let description = feed.description {
      lines.append(fitted(CleanText.line(PlainText.line(description))))
    }
    return lines
  }

  private func fitted(_ line: String) -> String { width.map { DisplayWidth.fitted(line, to: $0) } ?? line }

  private func episodes(_ feed: Feed) -> [String] {
    let count = feed.episodes.count
    let shown = feed.episodes.prefix(width == nil ? .max : Self.shownEpisodes)
    var lines = [counted(count, "episode")]
    lines += shown.map(line)
    if count > shown.count { lines.append("  and \(count - shown.count) more") }
    return lines
  }

  private func line(_ episode: FeedEpisode) -> String {
    guard let width else { return tabSeparated(episode) }
    let date = episode.publishedAt.map { DateText.relative($0, now: now) } ?? ""
    let length = episode.duration.flatMap(Duration.init(validSeconds:)).map(ClockText.short) ?? ""
    let medium = episode.enclosure == nil ? "  (nothing to play)" : ""
    let title = CleanText.line(episode.title ?? "Untitled") + medium
    let rest = DisplayWidth.column(date, 12) + DisplayWidth.column(length, 8, alignedRight: true)
    return "  " + DisplayWidth.column(title, max(10, width - 24)) + " " + rest
  }

  private func tabSeparated(_ episode: FeedEpisode) -> String {
    let length = episode.duration.flatMap(Duration.init(validSeconds:)).map { String($0.components.seconds) }
    return [CleanText.line(episode.title ?? "Untitled"), episode.publishedAt?.description ?? "", length ?? ""]
      .joined(separator: "\t")
  }

  private func warnings(_ feed: Feed) -> [String] {
    var lines = feed.warnings
    if feed.isIncomplete { lines.insert("the feed is incomplete: it ends in the middle", at: 0) }
    return lines.isEmpty ? [] : ["", "Tolerated:"] + lines.prefix(20).map { "  " + CleanText.line($0) }
  }
}
