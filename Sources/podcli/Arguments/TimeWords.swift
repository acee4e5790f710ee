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
  /// The place meant in an episode, coming from `current`, or else from where you stopped. `example` says how a place
  /// is given that needs no length.
  func place(
    in entry: EpisodeEntry?, from current: Duration? = nil, example: String
  ) throws(Failure) -> Duration {
    let current = current ?? entry?.status.lastListenTime ?? .zero
    guard let place = resolved(duration: entry?.episode.duration, current: current) else {
      throw Failure(
        .usage, "the length of this episode is not known, so a percentage says nothing",
        hint: "give a time, such as \(example)")
    }
    return place
  }
}
