import PodcastModel

extension Table<EpisodeEntry> {
  /// The table of episodes that most lists show. On narrow screens the date goes first, then the podcast.
  static func episodes(_ console: Console, now: Timestamp = .now) -> Table {
    let width = console.width
    var title = Column<EpisodeEntry>(minimum: 8, full: { $0.episode.title }) { $0.distinctTitle }
    title.cell = { DownloadNote.before(CleanText.line($0.distinctTitle), $0.download) }
    if console.usesLinks { title.decoration = linked }
    var table = Table(
      columns: [
        Column(limit: 20, isAlignedRight: true) { String($0.episode.id.rawValue) }.withCleanField,
        .onlyOnScreen(limit: 1, minimum: 1) { EpisodeSign.of($0) },
        Column(limit: min(width >= 120 ? 40 : 28, width / 4), from: 50) { $0.podcast.title },
        title,
        Column(limit: 10, minimum: 10, from: 70, full: { $0.episode.publishedAt?.description ?? "" }) {
          $0.episode.publishedAt.map { DateText.relative($0, now: now) } ?? ""
        }.withCleanField,
        Column(
          limit: 9, minimum: 9, isAlignedRight: true,
          full: { $0.duration.map { String($0.components.seconds) } ?? "" }, length
        ).withCleanField,
        .onlyInPipe { progress($0.status) }.withCleanField,
      ], gap: 1)
    if console.usesColor { table.style = styled }
    return table
  }

  private static func linked(_ entry: EpisodeEntry, _ text: String) -> String {
    var title = text
    while title.last == " " { title.removeLast() }
    return Hyperlink.text(title, to: entry.episode.link) + text.dropFirst(title.count)
  }

  /// The rest of an episode that was begun, else its length.
  private static func length(_ entry: EpisodeEntry) -> String {
    guard let duration = entry.duration else { return entry.status.lastListenTime.map(ClockText.short) ?? "" }
    guard let position = entry.status.lastListenTime else { return ClockText.short(duration) }
    return "-" + ClockText.short(max(.zero, duration - position))
  }

  private static func styled(_ entry: EpisodeEntry, _ line: String) -> String {
    let paint = Paint(usesColor: true)
    if entry.status.isCurrentlyPlaying { return paint.bold(line) }
    return EpisodeSign.isPlayed(entry.status) ? paint.dim(line) : line
  }

  private static func progress(_ status: EpisodeStatus) -> String {
    if let position = status.lastListenTime { return String(position.components.seconds) }
    return status.hasCompleted ? "played" : "new"
  }
}
