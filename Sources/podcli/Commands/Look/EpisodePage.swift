import PodcastModel
import Podcatcher
import Text

/// The page of `info` about an episode. Pure.
struct EpisodePage {
  var layout: InfoLayout

  func rendered(_ details: EpisodeDetails, _ sound: EpisodeSound? = nil) -> String {
    let entry = details.entry
    var parts = [head(entry, details, sound), notes(details)]
    parts.append(
      layout.timed(
        "Chapters", details.chapters.filter(\.isListed).map { (ClockText.position($0.start), ChaptersCommand.text($0)) }
      ))
    if details.chapters.isEmpty, let link = details.chaptersLink {
      parts.append(
        layout.section(
          "Chapters", [SafeAddress.shown(link.url), "show them with: podcli chapters \(entry.episode.id.rawValue)"]))
    }
    parts.append(layout.section("With", details.persons.map { "\($0.name) (\($0.role))" }))
    parts.append(layout.timed("Bookmarks", details.bookmarks.map { (ClockText.short($0.position), $0.note ?? "") }))
    let made =
      details.isTranscriptMadeHere ? ["made on this machine: podcli transcript \(entry.episode.id.rawValue)"] : []
    parts.append(layout.section("Transcripts", details.transcripts.map { SafeAddress.shown($0.url) } + made))
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func head(_ entry: EpisodeEntry, _ details: EpisodeDetails, _ sound: EpisodeSound?) -> String {
    let title = TextWrap.wrapped(CleanText.line(entry.episode.title), width: layout.width)
    let facts = TextWrap.wrapped(facts(entry, details, sound).joined(separator: " · "), width: layout.width)
    var lines = [layout.paint.bold(title), CleanText.line(entry.podcast.title), layout.paint.dim(facts)]
    if let link = entry.episode.link { lines.append(CleanText.line(link, limit: .max)) }
    return lines.joined(separator: "\n")
  }

  private func facts(_ entry: EpisodeEntry, _ details: EpisodeDetails, _ sound: EpisodeSound?) -> [String] {
    let episode = entry.episode
    var facts = ["\(episode.id.rawValue)"]
    if let date = episode.publishedAt { facts.append(layout.date(date)) }
    if let length = entry.duration {
      facts.append(ClockText.short(length) + (sound?.trimmed.map { ", \(ClockText.short($0)) trimmed" } ?? ""))
    }
    if let number = Self.number(episode) { facts.append(number) }
    if let type = episode.episodeType, type != "full" { facts.append(CleanText.line(type)) }
    if episode.isExplicit == true { facts.append("explicit") }
    facts.append(Self.progress(entry.status))
    if entry.isFavourite { facts.append("favourite") }
    if let download = entry.download { facts.append(Self.words(download)) }
    if let sound { facts.append(SoundingText.words(sound)) }
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
    guard let position = status.lastListenTime else { return status.hasCompleted ? "played" : "new" }
    let words = (status.isCurrentlyPlaying ? "current, at " : "stopped at ") + ClockText.short(position)
    return words + (status.hasCompleted ? ", played before" : "")
  }

  private static func words(_ download: Download) -> String {
    guard download.state != .complete else { return "downloaded" }
    if download.state == .paused, let progress = download.progress { return "\(Int(progress * 100)) % here" }
    if download.state == .failed {
      return "download failed" + (download.error.map { ": " + CleanText.line($0, limit: .max) } ?? "")
    }
    return download.state.rawValue + (download.progress.map { " \(Int($0 * 100)) %" } ?? "")
  }

  private func notes(_ details: EpisodeDetails) -> String {
    details.plainNotes().map(layout.wrapped) ?? ""
  }
}
