internal import PodcastModel

/// Moves the ends of a stretch outwards into pauses, so that no word is cut. Pure.
enum ClipEnds {
  /// In seconds: a pause that is farther away is none of this sentence's; and so much of it is heard.
  private static let (longestSearch, breath) = (1.5, 0.2)

  /// An end in a pause, or far from any, stays.
  static func moved(_ range: Range<Duration>, pauses: [Range<Double>]) -> Range<Duration> {
    var (start, end) = (range.lowerBound.inSeconds, range.upperBound.inSeconds)
    func isPause(_ seconds: Double) -> Bool { pauses.contains { $0.contains(seconds) } }
    if !isPause(start), let pause = pauses.last(where: { $0.upperBound <= start }),
      start - pause.upperBound <= longestSearch
    {
      start = max(pause.lowerBound, pause.upperBound - breath)
    }
    if !isPause(end), let pause = pauses.first(where: { $0.lowerBound >= end }),
      pause.lowerBound - end <= longestSearch
    {
      end = min(pause.upperBound, pause.lowerBound + breath)
    }
    return min(.seconds(start), range.lowerBound)..<max(.seconds(end), range.upperBound)
  }
}
