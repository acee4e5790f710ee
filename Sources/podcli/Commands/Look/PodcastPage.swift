import PodcastModel
import Podcatcher

/// The page of `info` about a podcast. Pure.
struct PodcastPage {
  var layout: InfoLayout

  func rendered(_ details: PodcastDetails) -> String {
    var parts = [head(details)]
    if let html = details.description ?? details.subtitle {
      parts.append(layout.readable(html, baseURL: details.entry.link))
    }
    parts.append(layout.section("Support", details.fundings.map { "\($0.text ?? "") \($0.url)" }))
    parts.append(layout.section("Settings", details.settings.sorted { $0.key < $1.key }.map { "\($0) = \($1)" }))
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func head(_ details: PodcastDetails) -> String {
    let entry = details.entry
    let facts = facts(details).map { CleanText.line($0) }.joined(separator: " · ")
    var lines = [
      layout.paint.bold(TextWrap.wrapped(CleanText.line(entry.title), width: layout.width)),
      layout.paint.dim(TextWrap.wrapped(facts, width: layout.width)),
    ]
    if let link = entry.link { lines.append(CleanText.line(link, limit: .max)) }
    if !entry.isPrivate { lines.append(CleanText.line(SafeAddress.shown(entry.reference.feedURL), limit: .max)) }
    if let error = entry.refreshError { lines.append(layout.paint.red("last refresh: " + CleanText.line(error))) }
    return lines.joined(separator: "\n")
  }

  private func facts(_ details: PodcastDetails) -> [String] {
    let entry = details.entry
    var facts = ["\(entry.id.rawValue)", counted(entry.episodeCount, "episode"), "\(entry.unplayedCount) unplayed"]
    if entry.downloadedCount > 0 { facts.append("\(entry.downloadedCount) downloaded") }
    if let newest = entry.newestAt { facts.append("newest " + layout.date(newest)) }
    if let author = entry.author { facts.append("by " + author) }
    if let language = details.language { facts.append(language) }
    facts += details.categories
    facts += details.tags.map { "tag:\($0)" }
    if entry.isGone { facts.append("gone for good") }
    if !entry.isSubscribed { facts.append("not followed") }
    return facts
  }
}
