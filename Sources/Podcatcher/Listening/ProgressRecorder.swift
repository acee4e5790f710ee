/// Decides when a position is worth writing. Pure: the clock is the caller's.
///
/// One write an interval while playing, one at once when something happens, none when nothing moved, and none at
/// all before something was heard where it was expected: an episode that fails to start, or starts from 0 because
/// its server knows no ranges, never replaces the place kept from before.
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
  private let keptPlace: Duration?
  private let start: Duration?
  private var first: Duration?
  private var latest: Duration?
  private var written: Duration?
  private var dueAt: Duration?

  /// A resumed episode starts a little before the kept place; anything further back was not asked for.
  private static let longestRewind = Duration.seconds(60)
  private static let leastHeard = Duration.milliseconds(250)
  /// Positions come some 100 ms apart, so the last one before the due time is taken: the next would be late.
  private static let tolerance = Duration.milliseconds(100)

  /// `start`: where playing was told to begin. Who is told of positions late may hear of a single one.
  package init(every interval: Duration, keptPlace: Duration?, start: Duration? = nil) {
    self.interval = interval
    self.start = start
    self.keptPlace = keptPlace
  }

  /// Playback is at `position`; `now` is read off a clock that never jumps.
  package mutating func played(to position: Duration, at now: Duration) -> Write? {
    latest = position
    if !isTrusted { examine(position) }
    guard let dueAt else { return write(.tick, at: now) }
    return now >= dueAt - Self.tolerance ? write(.tick, at: now) : nil
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
    let isExpected = keptPlace.map { position >= $0 - Self.longestRewind } ?? true
    isTrusted = isExpected && position - first >= Self.leastHeard
  }

  private mutating func write(_ urgency: Urgency, at now: Duration) -> Write? {
    guard isTrusted, let latest, latest != written else { return nil }
    written = latest
    // On a grid, so that the lateness of one write does not put off all that follow.
    let next = (urgency == .tick ? dueAt ?? now : now) + interval
    dueAt = next > now ? next : now + interval
    return Write(position: latest, urgency: urgency)
  }
}
