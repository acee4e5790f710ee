/// Decides when a position is written. Pure: the clock is the caller's.
///
/// One write an interval while playing, so that a kill costs no more than that; one at once when something happens;
/// none when nothing moved; and none at all before sound was heard where it was expected: an episode that fails to
/// start, or starts from 0 because its server knows no range requests, never replaces the position kept from before. A resumed
/// episode repeats a little: the kept position stays until playback has passed it.
struct ProgressRecorder: Sendable {
  enum Urgency: Sendable {
    /// One of many; the next makes up for its loss.
    case tick
    /// Something happened, or nothing follows.
    case flush
  }

  struct Write: Hashable, Sendable {
    var position: Duration
    var urgency: Urgency
  }

  /// Sound was heard where it was expected, or the user chose the position: from now on positions count.
  private(set) var isTrusted = false

  private let interval: Duration
  private let keptPosition: Duration?
  /// The kept position, until playback has passed it or the user went elsewhere.
  private(set) var floor: Duration?
  private let start: Duration?
  private var first: Duration?
  private var latest: Duration?
  private var latestAt: Duration?
  private var written: Duration?
  private var writtenAt: Duration?

  /// A resumed episode starts a little before the kept position; anything further back was not asked for.
  private static let longestRewind = Duration.seconds(60)
  private static let leastHeard = Duration.milliseconds(250)
  /// Positions come up to that far apart; a longer gap was a delay, and does not predict the next.
  private static let longestGrain = Duration.milliseconds(150)

  /// `start`: the position at which playing was to begin. A reader that takes positions late may get a single one.
  init(every interval: Duration, keptPosition: Duration?, start: Duration? = nil) {
    self.interval = interval
    self.start = start
    self.keptPosition = keptPosition
    floor = keptPosition
    written = keptPosition
  }

  /// Playback is at `position`; `now` is read off a clock that never jumps.
  mutating func played(to position: Duration, at now: Duration) -> Write? {
    let grain = min(Self.longestGrain, latestAt.map { now - $0 } ?? .zero)
    latest = position
    latestAt = now
    if !isTrusted { examine(position) }
    if isTrusted, let floor, position >= floor { self.floor = nil }
    // The last position inside the interval is the one to write: at the next, more would have been lost.
    if let writtenAt, now + grain <= writtenAt + interval { return nil }
    return write(.tick, at: now)
  }

  /// A pause, a change of speed or chapter, an end, a failure, a signal: the position must not be lost.
  mutating func happened(at now: Duration) -> Write? {
    write(.flush, at: now)
  }

  /// The user went to another position, so the one kept before no longer counts.
  mutating func moved(to position: Duration, at now: Duration) -> Write? {
    isTrusted = true
    floor = nil
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
    guard isTrusted, let latest else { return nil }
    let position = max(latest, floor ?? latest)
    guard position != written else { return nil }
    written = position
    writtenAt = now
    return Write(position: position, urgency: urgency)
  }
}
