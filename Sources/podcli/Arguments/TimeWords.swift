import CommandKit
import PodcastModel
import Podcatcher

extension ValueKind where Value == TimeExpression {
  static var time: Self {
    ValueKind(expectation: "a time such as 41:07, 90s, 50% or -1m", isSigned: true) { text throws(BadValue) in
      TimeExpression(text)
    }
  }
}

extension TimeExpression {
  /// The position in an episode, relative to `current`, else to the saved position. `example` is a time for the hint of
  /// the failure: one that needs no length.
  func position(
    in entry: EpisodeEntry?, from current: Duration? = nil, example: String
  ) throws(Failure) -> Duration {
    let current = current ?? entry?.status.lastListenTime ?? .zero
    guard let position = resolved(duration: entry?.duration, current: current) else {
      throw Failure(
        .usage, "the length of this episode is not known, so a percentage says nothing",
        hint: "give a time, such as \(example)")
    }
    return position
  }
}
