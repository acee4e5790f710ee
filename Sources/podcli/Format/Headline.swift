import PodcastModel
import ScreenKit

extension EpisodeEntry {
  /// The episode's title without the podcast's title at its start, for lists that show both.
  var distinctTitle: String {
    let title = episode.title
    let name = podcast.title
    guard let first = title.utf8.first, let other = name.utf8.first, title.utf8.count > name.utf8.count else {
      return title
    }
    // Nearly every title ends the question here.
    if first < 0x80, other < 0x80, first | 0x20 != other | 0x20 { return title }
    let start = title.prefix(name.count)
    guard start == name || start.lowercased() == name.lowercased() else { return title }
    let rest = title[start.endIndex...].drop { $0 == " " }
    guard let mark = rest.first, Self.separators.contains(mark) || mark == "#" else { return title }
    let distinct = rest.drop { $0 == " " || Self.separators.contains($0) }
    return distinct.isEmpty ? title : String(distinct)
  }

  /// The episode and a position in it, as `play` takes it: `142@41:07`.
  func reference(at position: Duration?) -> String {
    String(episode.id.rawValue) + (position.map { "@" + ClockText.short($0) } ?? "")
  }

  private static let separators: Set<Character> = [":", "–", "—", "-", "|", "•", "·"]

  /// `Late Night Linux: Episode 312`
  var headline: String { CleanText.line("\(podcast.title): \(distinctTitle)") }

  /// Fits a width by cutting the podcast's title first.
  func headline(width: Int) -> String {
    let episode = CleanText.line(distinctTitle)
    let room = max(width / 3, width - DisplayWidth.of(episode) - 2)
    let podcast = DisplayWidth.fitted(CleanText.line(podcast.title), to: room)
    return DisplayWidth.fitted("\(podcast): \(episode)", to: width)
  }
}
