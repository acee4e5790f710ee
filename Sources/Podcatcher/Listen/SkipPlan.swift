package import PodcastModel

/// What of an episode is passed over: its intro and outro, chapters by title, ranges marked by hand. Pure.
///
/// A range is passed over when playback runs into it; who goes into one on purpose hears it.
package struct SkipPlan: Hashable, Sendable {
  package enum Step: Hashable, Sendable {
    case jump(to: Duration)
    /// What is left is the outro: the episode is over.
    case finish
  }

  private var ranges: [Range<Duration>]
  private let intro: Duration
  private let outro: Duration
  private var previous: Duration?

  package init(intro: Duration = .zero, outro: Duration = .zero, ranges: [Range<Duration>] = []) {
    self.intro = intro
    self.outro = outro
    self.ranges = ranges
  }

  package mutating func add(_ more: [Range<Duration>]) { ranges += more }

  /// Nothing before the intro's end is worth starting at.
  package func start(_ place: Duration) -> Duration { place < intro ? intro : place }

  /// The listener went somewhere on purpose.
  package mutating func moved(to position: Duration) { previous = position }

  package mutating func played(to position: Duration, duration: Duration?) -> Step? {
    let before = previous ?? (position < Self.startSlack ? .seconds(-1) : position)
    previous = position
    guard position >= before else { return nil }
    if outro > .zero, let duration, position >= duration - outro, before < duration - outro { return .finish }
    // Ranges may touch or overlap: the jump goes behind all of them at once.
    var target = position
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.contains(target) {
      if before < range.lowerBound || target > position { target = range.upperBound }
    }
    return target > position ? .jump(to: target) : nil
  }

  /// The first position after loading comes a little late: what starts at 0 is run into all the same.
  private static let startSlack = Duration.milliseconds(500)

  /// Chapters whose title matches one of `patterns`, each a few words between bars.
  package static func ranges(
    of chapters: [Chapter], titled patterns: [String], duration: Duration?
  ) -> [Range<Duration>] {
    let patterns = patterns.map { $0.lowercased() }.filter { !$0.isEmpty }
    guard !patterns.isEmpty else { return [] }
    return chapters.indices.compactMap { index in
      let chapter = chapters[index]
      let title = chapter.title.lowercased()
      guard patterns.contains(where: { title.contains($0) }) else { return nil }
      let next = chapters.indices.contains(index + 1) ? chapters[index + 1].start : duration?.inSeconds
      guard let end = chapter.end ?? next, end > chapter.start else { return nil }
      return Duration.milliseconds(Int64(chapter.start * 1000))..<Duration.milliseconds(Int64(end * 1000))
    }
  }
}
