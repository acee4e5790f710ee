/// Decides when a position is worth writing. Pure: the clock is the caller's.
///
/// At most one write an interval while playing, one at once when something happens, none when nothing moved,
/// and never one that would replace a kept place by a lower one that nobody asked for.
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

  private let interval: Duration
  private var written: Duration?
  private var writtenAt: Duration?
  private var latest: Duration?
  /// The place kept from before, until playback has passed it or the user has moved.
  private var keptPlace: Duration?

  /// A resumed episode starts a little before the kept place; anything further back was not asked for.
  private static let longestRewind = Duration.seconds(60)

  package init(every interval: Duration, keptPlace: Duration?) {
    self.interval = interval
    self.keptPlace = keptPlace
  }

  /// Playback is at `position`; `now` is read off a clock that never jumps.
  package mutating func played(to position: Duration, at now: Duration) -> Write? {
    latest = position
    guard let writtenAt else { return write(.tick, at: now) }
    return now - writtenAt >= interval ? write(.tick, at: now) : nil
  }

  /// A pause, a change of speed or chapter, an end, a failure, a signal: whatever must not be lost.
  package mutating func happened(at now: Duration) -> Write? {
    write(.flush, at: now)
  }

  /// The user went elsewhere, so the place kept before no longer counts.
  package mutating func moved(to position: Duration, at now: Duration) -> Write? {
    keptPlace = nil
    latest = position
    return write(.flush, at: now)
  }

  private mutating func write(_ urgency: Urgency, at now: Duration) -> Write? {
    guard let latest, latest != written, isAllowed(latest) else { return nil }
    written = latest
    writtenAt = now
    return Write(position: latest, urgency: urgency)
  }

  private mutating func isAllowed(_ position: Duration) -> Bool {
    guard Self.isWorthKeeping(position, keptPlace: keptPlace) else { return false }
    if let kept = keptPlace, position >= kept { keptPlace = nil }
    return true
  }

  static func isWorthKeeping(_ position: Duration, keptPlace: Duration?) -> Bool {
    keptPlace.map { position >= $0 - longestRewind } ?? true
  }
}
