internal import PodcastModel

/// The position at which to go on after a break: the longer it was, the more is heard again. Pure.
enum Rewind {
  private static let steps: [(awayUnder: Int64, rewind: Duration)] = [
    (60, .seconds(1)), (3_600, .seconds(3)), (86_400, .seconds(10)),
  ]
  private static let longest = Duration.seconds(20)

  private static func length(lastPlayedAt: Timestamp?, now: Timestamp) -> Duration {
    guard let lastPlayedAt else { return longest }
    // A clock that was set back makes the absence negative: count it as short.
    let away = now.seconds - lastPlayedAt.seconds
    return steps.first { away < $0.awayUnder }?.rewind ?? longest
  }

  static func position(from kept: Duration, lastPlayedAt: Timestamp?, now: Timestamp) -> Duration {
    max(.zero, kept - length(lastPlayedAt: lastPlayedAt, now: now))
  }

  /// In a media file that has become shorter than the kept position. A few minutes are adverts that are gone, and the
  /// position was near the end; more is another file, to be heard from its start.
  static func position(from kept: Duration, behind length: Duration) -> Duration {
    kept - length <= .seconds(300) ? max(.zero, length - .seconds(60)) : .zero
  }
}
