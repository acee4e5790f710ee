/// Decides when a position is worth writing. Pure: the clock is the caller's.
///
/// One write an interval while playing, so that a kill costs no more than that; one at once when something happens;
/// none when nothing moved; and none at all before something was heard where it was expected: an episode that fails to
/// start, or starts from 0 because its server knows no ranges, never replaces the place kept from before.
package struct ProgressRecorder: Sendable {
  package enum Urgency: Sendable {
    /// One of many; the next will come.
    case tick
    /// Something happened, or nothing follows.
    case flush
  }

  package struct Write: Hashable, Sendable {
    package var position: Duration
    package var urgency: Urgency
  }

  /// Something was heard where it was expected, or the user chose the place: from now on positions count.
  package private(set) var isTrusted = false

  private let interval: Duration
  private let keptPosition: Duration?
  private let start: Duration?
  private var first: Duration?
  private var latest: Duration?
  private var latestAt: Duration?
  private var written: Duration?
  private var writtenAt: Duration?

  /// A resumed episode starts a little before the kept place; anything further back was not asked for.
  private static let longestRewind = Duration.seconds(60)
  private static let leastHeard = Duration.milliseconds(250)
  /// Positions come up to that far apart; what is further apart was held up, and says nothing of the next.
  private static let longestGrain = Duration.milliseconds(150)

  /// `start`: where playing was told to begin. Who is told of positions late may hear of a single one.
  package init(every interval: Duration, keptPosition: Duration?, start: Duration? = nil) {
    self.interval = interval
    self.start = start
    self.keptPosition = keptPosition
  }

  /// Playback is at `position`; `now` is read off a clock that never jumps.
  package mutating func played(to position: Duration, at now: Duration) -> Write? {
    let grain = min(Self.longestGrain, latestAt.map { now - $0 } ?? .zero)
    latest = position
    latestAt = now
    if !isTrusted { examine(position) }
    // The last position inside the interval is the one to write: at the next, more would have been lost.
    if let writtenAt, now + grain <= writtenAt + interval { return nil }
    return write(.tick, at: now)
  }

  /// A pause, a change of speed or chapter, an end, a failure, a signal: whatever must not be lost.
  package mutating func happened(at now: Duration) -> Write? {
    write(.flush, at: now)
  }

  /// The user went elsewhere, so the place kept before no longer counts.
  package mutating func moved(to position: Duration, at now: Duration) -> Write? {
    isTrusted = true
    latest = position
    return write(.flush, at: now)
  }

  private mutating func examine(_ position: Duration) {
    let first = first ?? min(start ?? position, position)
    self.first = first
    let isExpected = keptPosition.map { position >= $0 - Self.longestRewind } ?? true
    isTrusted = isExpected && position - first >= Self.leastHeard
  }

  private mutating func write(_ urgency: Urgency, at now: Duration) -> Write? {
    guard isTrusted, let latest, latest != written else { return nil }
    written = latest
    writtenAt = now
    return Write(position: latest, urgency: urgency)
  }
}
