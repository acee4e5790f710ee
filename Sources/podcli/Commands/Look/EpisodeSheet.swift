import PodcastModel
import Text

/// Everything known about an episode, as a page to read. Pure.
struct EpisodeSheet {
  var paint: Paint
  /// Nil in a pipe, where nothing is broken into lines.
  var width: Int?
  var now: Timestamp

  func rendered(_ details: EpisodeDetails) -> String {
    let entry = details.entry
    var parts = [head(entry, details), notes(details)]
    parts.append(places("Chapters", details.chapters.filter(\.isListed).map { (ClockText.place($0.start), $0.title) }))
    parts.append(section("With", details.persons.map { "\($0.name) (\($0.role))" }))
    parts.append(places("Bookmarks", details.bookmarks.map { (ClockText.short($0.position), $0.note ?? "") }))
    parts.append(section("Transcripts", details.transcripts.map { SafeAddress.shown($0.url) }))
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func head(_ entry: EpisodeEntry, _ details: EpisodeDetails) -> String {
    let title = TextWrap.wrapped(CleanText.line(entry.episode.title), width: width)
    let facts = TextWrap.wrapped(facts(entry, details).joined(separator: " · "), width: width)
    var lines = [paint.bold(title), CleanText.line(entry.podcast.title), paint.dim(facts)]
    if let link = entry.episode.link { lines.append(CleanText.line(link, limit: .max)) }
    return lines.joined(separator: "\n")
  }

  private func facts(_ entry: EpisodeEntry, _ details: EpisodeDetails) -> [String] {
    let episode = entry.episode
    var facts = ["\(episode.id.rawValue)"]
    if let date = episode.publishedAt { facts.append(DateText.relative(date, now: now)) }
    if let length = episode.duration { facts.append(ClockText.short(length)) }
    if let number = Self.number(episode) { facts.append(number) }
    if let type = episode.episodeType, type != "full" { facts.append(CleanText.line(type)) }
    if episode.isExplicit == true { facts.append("explicit") }
    facts.append(Self.progress(entry.status))
    if entry.isFavourite { facts.append("favourite") }
    if let download = entry.download { facts.append(Self.words(download)) }
    if let author = details.author { facts.append("by " + CleanText.line(author)) }
    return facts
  }

  private static func number(_ episode: Episode) -> String? {
    let parts = [("season", episode.season), ("episode", episode.episode)].compactMap { name, value in
      EpisodeJSON.number(value).map { "\(name) \($0.compact)" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func progress(_ status: EpisodeStatus) -> String {
    if status.hasCompleted { return "played" }
    guard let place = status.lastListenTime else { return "new" }
    return (status.isCurrentlyPlaying ? "current, at " : "stopped at ") + ClockText.short(place)
  }

  private static func words(_ download: Download) -> String {
    guard download.state != .complete else { return "downloaded" }
    if download.state == .paused, let progress = download.progress { return "\(Int(progress * 100)) % here" }
    return download.state.rawValue + (download.progress.map { " \(Int($0 * 100)) %" } ?? "")
  }

  private func notes(_ details: EpisodeDetails) -> String {
    guard let html = details.notes ?? details.summary ?? details.subtitle else { return "" }
    return readable(html, baseURL: details.entry.episode.link)
  }

  func readable(_ html: String, baseURL: String?) -> String {
    let text = PlainText.notes(html, baseURL: baseURL).textWithLinks
    return TextWrap.wrapped(CleanText.lines(text), width: width.map { min($0, 100) })
  }

  /// Times below each other, and what is there.
  private func places(_ title: String, _ rows: [(time: String, text: String)]) -> String {
    let longest = rows.map(\.time.count).max() ?? 0
    return block(
      title, rows.map { DisplayWidth.column($0.time, longest, alignedRight: true) + "  " + CleanText.line($0.text) })
  }

  func section(_ title: String, _ lines: [String]) -> String {
    block(title, lines.map { CleanText.line($0) })
  }

  private func block(_ title: String, _ lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    let lines = lines.map { line in width.map { DisplayWidth.fitted(line, to: max(20, $0 - 2)) } ?? line }
    return ([paint.bold(title)] + lines.map { "  " + $0 }).joined(separator: "\n")
  }
}
