import PodcastModel

/// Lists of episodes: aligned and cut to the screen for people, tab-separated and whole for a pipe. Pure.
struct EpisodeTable {
  var width: Int
  var usesColor: Bool
  var now: Timestamp
  var usesLinks = false

  init(width: Int, usesColor: Bool, now: Timestamp) {
    self.width = width
    self.usesColor = usesColor
    self.now = now
  }

  init(_ console: Console) {
    self.init(width: console.width, usesColor: console.usesColor, now: .now)
    usesLinks = console.usesLinks
  }

  // MARK: For people

  func rendered(_ entries: [EpisodeEntry]) -> String {
    let rows = entries.map(Row.init)
    let columns = Columns(width: width, rows)
    var text = ""
    for row in rows {
      text += line(row, columns)
      text += "\n"
    }
    return text
  }

  private struct Row {
    let entry: EpisodeEntry
    let podcast: String
    let title: String

    init(_ entry: EpisodeEntry) {
      self.entry = entry
      podcast = CleanText.line(entry.podcast.title)
      title = DownloadNote.before(CleanText.line(entry.distinctTitle), entry.download)
    }
  }

  private func line(_ row: Row, _ columns: Columns) -> String {
    let entry = row.entry
    let episode = entry.episode
    var parts = [
      DisplayWidth.column(String(episode.id.rawValue), columns.id, alignedRight: true), mark(entry.status),
    ]
    if columns.podcast > 0 { parts.append(DisplayWidth.column(row.podcast, columns.podcast)) }
    parts.append(title(row, columns.title))
    if columns.date > 0 {
      parts.append(DisplayWidth.column(episode.publishedAt.map { DateText.relative($0, now: now) } ?? "", columns.date))
    }
    parts.append(DisplayWidth.column(length(entry), columns.length, alignedRight: true))
    return styled(parts.joined(separator: " "), entry.status)
  }

  private func title(_ row: Row, _ width: Int) -> String {
    let text = DisplayWidth.column(row.title, width)
    guard usesLinks else { return text }
    let title = text.trimmingTrailingBlanks()
    return Hyperlink.text(title, to: row.entry.episode.link) + text.dropFirst(title.count)
  }

  /// `▶` now, `●` new, `◐` begun, blank once played.
  private func mark(_ status: EpisodeStatus) -> String {
    if status.isCurrentlyPlaying { return "▶" }
    if status.hasCompleted { return " " }
    return status.lastListenTime == nil ? "●" : "◐"
  }

  /// What remains of one that was begun, else its length.
  private func length(_ entry: EpisodeEntry) -> String {
    guard let duration = entry.episode.duration else { return entry.status.lastListenTime.map(ClockText.short) ?? "" }
    guard let place = entry.status.lastListenTime else { return ClockText.short(duration) }
    return "-" + ClockText.short(max(.zero, duration - place))
  }

  private func styled(_ line: String, _ status: EpisodeStatus) -> String {
    guard usesColor else { return line.trimmingTrailingBlanks() }
    let paint = Paint(usesColor: true)
    if status.isCurrentlyPlaying { return paint.bold(line) }
    return status.hasCompleted ? paint.dim(line) : line
  }

  private struct Columns {
    var id: Int
    var podcast: Int
    var title: Int
    var date: Int
    var length = 9

    /// The title gets what is left, as far as it needs it; on narrow screens the date goes first, then the podcast.
    init(width: Int, _ rows: [Row]) {
      id = rows.map { String($0.entry.episode.id.rawValue).count }.max() ?? 1
      date = width >= 70 ? 10 : 0
      let widest = rows.map { DisplayWidth.of($0.podcast) }.max() ?? 0
      podcast = width >= 50 ? min(widest, width >= 120 ? 40 : 28, width / 4) : 0
      let gaps = 3 + (date > 0 ? 1 : 0) + (podcast > 0 ? 1 : 0)
      let left = width - id - 1 - podcast - date - length - gaps
      title = max(8, min(left, rows.map { DisplayWidth.of($0.title) }.max() ?? 0))
    }
  }

  // MARK: For pipes

  static func tabSeparated(_ entries: [EpisodeEntry]) -> String {
    var text = ""
    text.reserveCapacity(entries.count * 120)
    for entry in entries { append(entry, to: &text) }
    return text
  }

  /// Piece by piece: there may be very many of them.
  private static func append(_ entry: EpisodeEntry, to text: inout String) {
    let episode = entry.episode
    text += String(episode.id.rawValue)
    text += "\t"
    text += CleanText.line(entry.podcast.title, limit: .max)
    text += "\t"
    text += CleanText.line(episode.title, limit: .max)
    text += "\t"
    if let date = episode.publishedAt { text += date.description }
    text += "\t"
    if let length = episode.duration { text += String(length.components.seconds) }
    text += "\t"
    text += progress(entry.status)
    text += "\n"
  }

  private static func progress(_ status: EpisodeStatus) -> String {
    if status.hasCompleted { return "played" }
    return status.lastListenTime.map { String($0.components.seconds) } ?? "new"
  }
}

extension String {
  fileprivate func trimmingTrailingBlanks() -> String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
