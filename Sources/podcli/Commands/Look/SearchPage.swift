import PodcastModel
import ScreenKit

/// The page of `search`: a line for the episode, and below it the text around the match. Pure.
struct SearchPage {
  var width: Int
  var paint: Paint

  func rendered(_ hit: SearchHit) -> String {
    let reference = hit.entry.reference(at: hit.time)
    let field = width >= 60 ? "  " + hit.field.rawValue : ""
    let room = width - DisplayWidth.of(reference) - 2 - field.count
    let line = paint.green(reference) + "  " + hit.entry.headline(width: room) + paint.dim(field) + "\n"
    guard hit.field != .title else { return line }
    let snippet = Highlighted(hit.snippet, matches: hit.matches).rendered(width: width - 4, paint)
    return line + "    " + snippet + "\n"
  }

  /// Reference for `play`, podcast, title, field, and the text around the match.
  static func tabSeparated(_ hit: SearchHit) -> String {
    TabSeparated.line([
      hit.entry.reference(at: hit.time), hit.entry.podcast.title, hit.entry.episode.title, hit.field.rawValue,
      hit.snippet,
    ])
  }
}
