/// Ends the playing when the listener has fallen asleep. Pure; the clock is the caller's.
package struct SleepTimer: Hashable, Sendable {
  /// When it stops.
  package enum Mode: Hashable, Sendable {
    case after(Duration)
    case endOfChapter
    /// 1 is the episode that plays now.
    case episodes(Int)
  }

  enum Action: Hashable, Sendable {
    case nothing
    /// A factor on the volume.
    case fade(Double)
    case stop
  }

  /// The length of the fade.
  private static let fadeLength = Duration.seconds(15)

  let mode: Mode
  private var start: Duration
  /// A pause does not count.
  private var pausedAt: Duration?
  /// With the one that plays.
  private(set) var episodesLeft: Int

  init(_ mode: Mode, now: Duration) {
    self.mode = mode
    start = now
    episodesLeft = if case .episodes(let count) = mode { count } else { .max }
  }

  func action(at now: Duration) -> Action {
    guard case .after(let length) = mode else { return .nothing }
    guard pausedAt == nil else { return .nothing }
    let left = start + length - now
    if left <= .zero { return .stop }
    let fade = min(Self.fadeLength, length)
    return left < fade ? .fade(left / fade) : .nothing
  }

  func remaining(at now: Duration) -> Duration? {
    if case .after(let length) = mode { max(.zero, start + length - (pausedAt ?? now)) } else { nil }
  }

  mutating func pause(at now: Duration) { pausedAt = pausedAt ?? now }

  mutating func goOn(at now: Duration) {
    if let pausedAt { start += now - pausedAt }
    pausedAt = nil
  }

  /// Whether it stops at the end of a chapter.
  var stopsAtChapter: Bool { mode == .endOfChapter }

  /// Nothing follows the episode that plays.
  var endsWithEpisode: Bool { episodesLeft <= 1 || mode == .endOfChapter }

  /// An episode has ended. True when it was the last one.
  mutating func episodeEnded() -> Bool {
    episodesLeft -= 1
    return episodesLeft <= 0 || mode == .endOfChapter
  }
}

extension SleepTimer.Mode {
  /// `30m`, `episode`, `chapter`, `3ep`
  package init?(_ text: String) {
    switch text.lowercased() {
    case "episode": self = .episodes(1)
    case "chapter": self = .endOfChapter
    case let text where text.hasSuffix("ep"):
      guard let count = Int(text.dropLast(2)), (1...1000).contains(count) else { return nil }
      self = .episodes(count)
    case let text:
      guard case .at(let length)? = TimeExpression(text), length > .zero else { return nil }
      self = .after(length)
    }
  }
}
