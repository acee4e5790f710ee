package import PodcastModel
package import PodcastStore

extension [Chapter] {
  /// With what repeats as chapters. The publisher's stay as they are, and where one of them begins with a stretch, that
  /// needs no mark. An episode without any is divided by what repeats.
  package func marking(_ repeats: [Repeat], duration: Duration?) -> [Chapter] {
    guard !repeats.isEmpty else { return self }
    guard !isEmpty else { return Self.divided(by: repeats, duration) }
    let marks = repeats.map { Chapter($0) }.filter { mark in
      !contains { abs($0.start - mark.start) < Self.tolerance }
    }
    return (self + marks).sorted { $0.start < $1.start }
  }

  /// In seconds.
  private static let tolerance = 2.0

  /// Without a gap: the rest is the episode.
  private static func divided(by repeats: [Repeat], _ duration: Duration?) -> [Chapter] {
    var (chapters, end) = ([Chapter](), 0.0)
    for mark in repeats.map({ Chapter($0) }) {
      if mark.start - end > tolerance { chapters.append(.rest(from: end)) }
      chapters.append(mark)
      end = mark.end ?? mark.start
    }
    if let duration, duration.inSeconds - end > tolerance { chapters.append(.rest(from: end)) }
    return chapters
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
