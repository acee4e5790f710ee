import PodcastModel
import ScreenKit

/// The columns of a row about an episode: state, podcast, title, date, length, and how far it was heard. On narrow
/// screens the date goes first, then the podcast. Pure.
struct EpisodeRowFormat {
  struct Cell {
    var column: Int
    var width: Int
    var text: String
    var style: Style
  }

  private let now: Timestamp
  private let podcast: Range<Int>?
  private let title: Range<Int>
  private let date: Range<Int>?
  private let length: Range<Int>
  private let progress: Range<Int>

  init(width: Int, now: Timestamp, showsPodcast: Bool) {
    self.now = now
    let start = 3
    let podcastWidth = showsPodcast && width >= 48 ? min(26, width * 22 / 100) : 0
    progress = max(0, width - 5)..<width
    length = max(0, progress.lowerBound - 9)..<max(0, progress.lowerBound)
    let hasDate = width >= 64
    date = hasDate ? (length.lowerBound - 11)..<(length.lowerBound - 1) : nil
    podcast = podcastWidth > 0 ? start..<(start + podcastWidth) : nil
    let titleStart = podcastWidth > 0 ? start + podcastWidth + 2 : start
    title = titleStart..<max(titleStart, (date ?? length).lowerBound - 1)
  }

  func cells(_ entry: EpisodeEntry) -> [Cell] {
    let style = Self.style(entry.status)
    var cells = [
      Cell(column: 1, width: 1, text: EpisodeSign.of(entry), style: Self.markStyle(entry)),
      cell(title, CleanText.line(entry.distinctTitle), style),
      right(length, Self.lengthText(entry), .dim), right(progress, Self.progressText(entry), .dim),
    ]
    if let podcast { cells.append(cell(podcast, CleanText.line(entry.podcast.title), style)) }
    if let date, let day = entry.episode.publishedAt {
      cells.append(right(date, ScreenText.day(day, now: now), .dim))
    }
    return cells
  }

  private func cell(_ columns: Range<Int>, _ text: String, _ style: Style) -> Cell {
    Cell(column: columns.lowerBound, width: columns.count, text: text, style: style)
  }

  private func right(_ columns: Range<Int>, _ text: String, _ style: Style) -> Cell {
    let text = DisplayWidth.fitted(text, to: columns.count)
    let width = DisplayWidth.of(text)
    return Cell(column: columns.upperBound - width, width: width, text: text, style: style)
  }

  // MARK: Texts

  private static func markStyle(_ entry: EpisodeEntry) -> Style {
    .plain.with(entry.isFavourite ? .yellow : .green)
  }

  private static func style(_ status: EpisodeStatus) -> Style {
    status.isCurrentlyPlaying ? .bold : EpisodeSign.isPlayed(status) ? .dim : .plain
  }

  /// The rest of an episode that was begun, else its length.
  private static func lengthText(_ entry: EpisodeEntry) -> String {
    guard let duration = entry.duration else { return "" }
    guard let position = entry.status.lastListenTime else { return ClockText.short(duration) }
    return "-" + ClockText.short(max(.zero, duration - position))
  }

  private static func progressText(_ entry: EpisodeEntry) -> String {
    if let download = entry.download, [.downloading, .pending].contains(download.state) {
      return download.progress.map { "↓\(Int($0 * 100))%" } ?? "↓…"
    }
    if let position = entry.status.lastListenTime, let duration = entry.duration, duration > .zero {
      return "\(max(0, min(99, Int(position / duration * 100)))) %"
    }
    return entry.download?.state == .complete ? "↓" : entry.download?.state == .failed ? "↓!" : ""
  }
}
