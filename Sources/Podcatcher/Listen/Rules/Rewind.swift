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

  /// `pauses`, in seconds: with them it goes back to the beginning of a sentence, where one is near.
  static func position(
    from kept: Duration, lastPlayedAt: Timestamp?, now: Timestamp, pauses: [Range<Double>] = []
  ) -> Duration {
    let position = max(.zero, kept - length(lastPlayedAt: lastPlayedAt, now: now))
    let seconds = position / .seconds(1)
    // A pause between words is shorter.
    let pause = pauses.last { pause in
      pause.upperBound <= seconds && pause.upperBound - pause.lowerBound >= leastBetweenSentences
    }
    guard let pause, seconds - pause.upperBound <= longestSearch else { return position }
    return .milliseconds(Int64((pause.upperBound - breath) * 1000))
  }

  /// In seconds.
  private static let (leastBetweenSentences, longestSearch, breath) = (0.35, 10.0, 0.1)

  /// In a media file that has become shorter than the kept position. A few minutes are adverts that are gone, and the
  /// position was near the end; more is another file, to be heard from its start.
  static func position(from kept: Duration, behind length: Duration) -> Duration {
    kept - length <= .seconds(300) ? max(.zero, length - .seconds(60)) : .zero
  }
}
