import PodcastModel
import Podcatcher
import ScreenKit
import Text

/// The page of `preview`: a feed that is not in the library. Pure.
struct PreviewPage {
  var width: Int
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
      value.map { DisplayWidth.fitted("\(name) " + CleanText.line($0), to: width) }
    }
    if let description = feed.description {
      lines.append(DisplayWidth.fitted(CleanText.line(PlainText.line(description)), to: width))
    }
    return lines
  }

  private func episodes(_ feed: Feed) -> [String] {
    let count = feed.episodes.count
    let shown = feed.episodes.prefix(Self.shownEpisodes)
    var lines = [counted(count, "episode")]
    lines += shown.map(line)
    if count > shown.count { lines.append("  and \(count - shown.count) more") }
    return lines
  }

  private func line(_ episode: FeedEpisode) -> String {
    let date = episode.publishedAt.map { DateText.relative($0, now: now) } ?? ""
    let length = episode.duration.flatMap(Duration.init(validSeconds:)).map(ClockText.short) ?? ""
    let medium = episode.enclosure == nil ? "  (nothing to play)" : ""
    let title = CleanText.line(episode.title ?? "Untitled") + medium
    let rest = DisplayWidth.column(date, 12) + DisplayWidth.column(length, 8, alignedRight: true)
    return "  " + DisplayWidth.column(title, max(10, width - 24)) + " " + rest
  }

  private func warnings(_ feed: Feed) -> [String] {
    var lines = feed.warnings
    if feed.isIncomplete { lines.insert("the feed is incomplete: it ends in the middle", at: 0) }
    return lines.isEmpty ? [] : ["", "Tolerated:"] + lines.prefix(20).map { "  " + CleanText.line($0) }
  }
}
