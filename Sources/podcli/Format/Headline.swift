import PodcastModel

extension EpisodeEntry {
  /// The episode's title where the podcast's stands beside it: many begin with it, and it would push out what differs.
  var distinctTitle: String {
    let title = episode.title
    let name = podcast.title
    guard !name.isEmpty, title.utf8.count > name.utf8.count else { return title }
    let start = title.prefix(name.count)
    guard start == name || start.lowercased() == name.lowercased() else { return title }
    let rest = title[start.endIndex...].drop { $0 == " " }
    guard let mark = rest.first, Self.separators.contains(mark) || mark == "#" else { return title }
    let distinct = rest.drop { $0 == " " || Self.separators.contains($0) }
    return distinct.isEmpty ? title : String(distinct)
  }

  private static let separators: Set<Character> = [":", "–", "—", "-", "|", "•", "·"]

  /// `Late Night Linux: Episode 312`
  var headline: String { CleanText.line("\(podcast.title): \(distinctTitle)") }

  /// What is too long loses the end of the podcast's title first: the episode's says more.
  func headline(width: Int) -> String {
    let episode = CleanText.line(distinctTitle)
    let room = max(width / 3, width - DisplayWidth.of(episode) - 2)
    let podcast = DisplayWidth.fitted(CleanText.line(podcast.title), to: room)
    return DisplayWidth.fitted("\(podcast): \(episode)", to: width)
  }
}
