import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

/// The FROM and TO of a command about a stretch of an episode.
enum StretchWords {
  static let fromHelp = "the position it begins at"
  static let toHelp = "the position it ends at; `+45` is that many seconds behind FROM"

  static func range(
    from: TimeExpression, to: TimeExpression, in entry: EpisodeEntry
  ) throws(Failure) -> Range<Duration> {
    let start = try from.position(in: entry, example: "41:07")
    let end = try to.position(in: entry, from: start, example: "41:52")
    guard start < end else {
      throw Failure(
        .usage, "\(ClockText.short(end)) is not behind \(ClockText.short(start))",
        hint: "first the beginning, then the end: 41:07 41:52, or 41:07 +45")
    }
    return start..<end
  }
}

extension Range<Duration> {
  /// `41:07–41:52`
  var clockText: String { ClockText.short(lowerBound) + "–" + ClockText.short(upperBound) }
}
