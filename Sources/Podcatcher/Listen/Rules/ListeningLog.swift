internal import PodcastModel

/// Adds up the time listened, and the time that speed and trimming saved. Pure; the clock is the caller's.
struct ListeningLog: Hashable, Sendable {
  private(set) var session: ListeningSession
  private var last: (position: Duration, now: Duration)?
  /// By trimming, before the media file was loaded last.
  private var savedBefore = Duration.zero

  /// Positions come several times a second; a longer gap was a pause, a seek or a machine asleep.
  private static let longestStep = Duration.seconds(2)

  init(startedAt: Timestamp, from position: Duration) {
    session = ListeningSession(startedAt: startedAt, startPosition: position)
  }

  mutating func played(to position: Duration, at now: Duration, speed: Double, savedByTrim: Duration) {
    defer { last = (position, now) }
    session.endPosition = position
    session.savedByTrim = savedBefore + savedByTrim
    guard let last, position > last.position, now - last.now < Self.longestStep else { return }
    session.listened += now - last.now
    let content = position - last.position
    guard speed > 0, content < Self.longestStep * 8 else { return }
    session.savedBySpeed += content - content / speed
  }

  mutating func jumped() { last = nil }

  /// The media file is loaded once more: the player counts from zero again.
  mutating func loaded() {
    last = nil
    savedBefore = session.savedByTrim
  }

  mutating func ended(at moment: Timestamp) { session.endedAt = moment }

  static func == (left: Self, right: Self) -> Bool { left.session == right.session }
  func hash(into hasher: inout Hasher) { hasher.combine(session) }
}
