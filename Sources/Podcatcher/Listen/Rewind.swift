package import PodcastModel

/// Where to go on after a break: the longer it was, the more is heard again. Pure.
package enum Rewind {
  private static let steps: [(awayUnder: Int64, rewind: Duration)] = [
    (60, .seconds(1)), (3_600, .seconds(3)), (86_400, .seconds(10)),
  ]
  private static let longest = Duration.seconds(20)

  package static func length(lastPlayedAt: Timestamp?, now: Timestamp) -> Duration {
    guard let lastPlayedAt else { return longest }
    // A clock that was set back makes the absence negative: count it as short.
    let away = now.seconds - lastPlayedAt.seconds
    return steps.first { away < $0.awayUnder }?.rewind ?? longest
  }

  package static func place(from kept: Duration, lastPlayedAt: Timestamp?, now: Timestamp) -> Duration {
    max(.zero, kept - length(lastPlayedAt: lastPlayedAt, now: now))
  }

  /// In a medium that has become shorter than the place kept in it. A few minutes are adverts that are gone, and the
  /// place was near the end; more is another medium, to be heard from its start.
  package static func place(from kept: Duration, behind length: Duration) -> Duration {
    kept - length <= .seconds(300) ? max(.zero, length - .seconds(60)) : .zero
  }
}
