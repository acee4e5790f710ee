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

extension Repeat {
  /// The part of it that is skipped. An edge beside speech is known to some tenths of a second only, and a word that is lost
  /// is worse than a note too much: it moves inwards to the end of the pause beside it.
  func skipped(beside pauses: [Range<Double>]) -> Range<Duration> {
    var (start, end) = (range.lowerBound.inSeconds, range.upperBound.inSeconds)
    if kind != .intro,
      let pause = pauses.first(where: { $0.upperBound >= start && $0.lowerBound <= start + Self.reach })
    {
      start = max(start, pause.lowerBound)
    }
    if kind != .outro,
      let pause = pauses.last(where: { $0.lowerBound <= end && $0.upperBound >= end - Self.reach })
    {
      end = min(end, pause.upperBound)
    }
    guard start < end else { return range }
    return .milliseconds(Int64((start * 1000).rounded()))..<(.milliseconds(Int64((end * 1000).rounded())))
  }

  /// In seconds.
  private static let reach = 1.5
}
