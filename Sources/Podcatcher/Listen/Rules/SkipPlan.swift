internal import Playback
internal import PodcastModel

/// The parts of an episode that are skipped: its intro and outro, chapters by title, what repeats, ranges marked by hand. Pure.
///
/// A range is skipped when playback runs into it; after a seek into it it plays.
struct SkipPlan: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case jump(to: Duration)
    /// The outro begins: the episode is over.
    case finish
  }

  private var ranges: [Range<Duration>]
  /// Those of `ranges` that are chapters.
  private var chapters: [Range<Duration>] = []
  private let intro: Duration
  private let outro: Duration
  /// Finds the starts of ranges that playback runs over.
  private var starts: Boundaries
  /// It was played from its start without a jump.
  private var isFromStart = false
  /// Ranges at the start that became known while they played.
  private var late: Set<Duration> = []

  private static let endSlack = Duration.seconds(1)

  init(intro: Duration = .zero, outro: Duration = .zero, ranges: [Range<Duration>] = []) {
    self.intro = intro
    self.outro = outro
    self.ranges = ranges
    starts = Boundaries(ranges.map(\.lowerBound))
  }

  mutating func add(_ more: [Range<Duration>]) {
    if isFromStart { late.formUnion(more.map(\.lowerBound).filter { $0 <= Boundaries.startSlack }) }
    ranges += more
    starts.times = ranges.map(\.lowerBound)
  }

  /// In place of those that were known before: the media file's own chapters may come late.
  mutating func setChapters(_ new: [Range<Duration>]) {
    guard new != chapters else { return }
    for former in chapters { ranges.firstIndex(of: former).map { _ = ranges.remove(at: $0) } }
    chapters = new
    add(new)
  }

  /// A start inside the intro, or where the episode begins with a range, moves to its end, unless nothing is left there.
  func start(_ position: Duration, duration: Duration?) -> Duration {
    var start = max(position, intro)
    if position < Boundaries.startSlack {
      for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound })
      where range.lowerBound <= max(start, Boundaries.startSlack) {
        start = max(start, range.upperBound)
      }
    }
    if let duration, start >= duration - Self.endSlack { return position }
    return start
  }

  /// Nothing is left there. A range that goes far beyond the length shows that the length is only an estimate.
  private func isOver(at position: Duration, _ duration: Duration?) -> Bool {
    duration.map { position >= $0 - Self.endSlack && position <= $0 + Self.endSlack } ?? false
  }

  /// The listener went to this position on purpose.
  mutating func moved(to position: Duration) {
    starts.moved(to: position)
    isFromStart = false
    late = []
  }

  mutating func played(to position: Duration, duration: Duration?) -> Step? {
    // Starting inside a range is on purpose, too, unless it begins at 0.
    if starts.heardUpTo == nil {
      isFromStart = position < Boundaries.startSlack
      if !isFromStart { starts.moved(to: position) }
    }
    let before = starts.heardUpTo ?? .seconds(-1)
    let entered = starts.played(to: position) + late
    defer { late = [] }
    if outro > .zero, let duration, position >= duration - outro, before < duration - outro { return .finish }
    // Ranges may touch or overlap: the jump goes behind all of them at once.
    var target = position
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.contains(target) {
      if entered.contains(range.lowerBound) || target > position { target = range.upperBound }
    }
    guard target > position else { return nil }
    guard isOver(at: target, duration) else { return .jump(to: target) }
    // Where nothing was heard before, the range is all that there is to hear.
    return before < Boundaries.startSlack || !late.isEmpty ? nil : .finish
  }

  /// Chapters of the publisher whose title matches one of `patterns`, each a few words between bars.
  static func ranges(
    of chapters: [Chapter], titled patterns: [String], duration: Duration?
  ) -> [Range<Duration>] {
    let patterns = patterns.map { $0.lowercased() }.filter { !$0.isEmpty }
    guard !patterns.isEmpty else { return [] }
    return chapters.indices.compactMap { index in
      let chapter = chapters[index]
      guard !chapter.isMeasured else { return nil }
      let title = chapter.title.lowercased()
      guard patterns.contains(where: { title.contains($0) }) else { return nil }
      let next = chapters.indices.contains(index + 1) ? chapters[index + 1].start : duration?.inSeconds
      guard let end = chapter.end ?? next, end > chapter.start else { return nil }
      return Duration.milliseconds(Int64(chapter.start * 1000))..<Duration.milliseconds(Int64(end * 1000))
    }
  }
}
