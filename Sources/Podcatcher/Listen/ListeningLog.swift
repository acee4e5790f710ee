package import PodcastModel

/// Adds up what was listened to, and what speed and trimming saved. Pure; the clock is the caller's.
package struct ListeningLog: Hashable, Sendable {
  package private(set) var session: ListeningSession
  private var last: (position: Duration, now: Duration)?

  /// Positions come several times a second; a longer gap was a pause, a seek or a machine asleep.
  private static let longestStep = Duration.seconds(2)

  package init(startedAt: Timestamp, from position: Duration) {
    session = ListeningSession(startedAt: startedAt, startPosition: position)
  }

  package mutating func played(to position: Duration, at now: Duration, speed: Double, savedByTrim: Duration) {
    defer { last = (position, now) }
    session.endPosition = position
    session.savedByTrim = savedByTrim
    guard let last, position > last.position, now - last.now < Self.longestStep else { return }
    session.listened += now - last.now
    let content = position - last.position
    guard speed > 0, content < Self.longestStep * 8 else { return }
    session.savedBySpeed += content - content / speed
  }

  package mutating func jumped() { last = nil }

  package mutating func ended(at moment: Timestamp) { session.endedAt = moment }

  package static func == (left: Self, right: Self) -> Bool { left.session == right.session }
  package func hash(into hasher: inout Hasher) { hasher.combine(session) }
}
