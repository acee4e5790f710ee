package import PodcastModel
internal import PodcastStore

extension RepeatSearch {
  /// The publisher's chapters, whose numbers stay what they are; where there are none, what repeats divides the episode.
  package func chapters(
    _ published: [Chapter], of entry: EpisodeEntry, duration: Duration? = nil
  ) async -> [Chapter] {
    guard published.isEmpty else { return published }
    return Array(dividing: duration ?? entry.duration, by: await repeats(of: entry))
  }
}

extension [Chapter] {
  /// In seconds.
  private static let tolerance = 2.0

  /// Without a gap: the rest is the episode.
  init(dividing duration: Duration?, by repeats: [Repeat]) {
    self = []
    guard !repeats.isEmpty else { return }
    var (chapters, end) = ([Chapter](), 0.0)
    for mark in repeats.map({ Chapter($0) }) {
      if mark.start - end > Self.tolerance { chapters.append(.rest(from: end)) }
      chapters.append(mark)
      end = mark.end ?? mark.start
    }
    if let duration, duration.inSeconds - end > Self.tolerance { chapters.append(.rest(from: end)) }
    self = chapters
  }
}

extension Chapter {
  fileprivate init(_ stretch: Repeat) {
    self.init(
      start: stretch.range.lowerBound.inSeconds, title: stretch.kind.rawValue,
      end: stretch.range.upperBound.inSeconds)
    isMeasured = true
  }

  fileprivate static func rest(from start: Double) -> Chapter {
    var chapter = Chapter(start: start, title: "episode")
    chapter.isMeasured = true
    return chapter
  }
}
