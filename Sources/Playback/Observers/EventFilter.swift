/// Makes one kind of observation out of a player's events. A plain value: `Player.observe` runs it on the player's
/// thread, and a reader of `PlaybackEvents` may run it on the events that it takes.
package protocol EventFilter: Sendable {
  /// One observation.
  associatedtype Output: Sendable

  /// The observations that `event` gives, in order.
  mutating func take(_ event: PlaybackEvent) -> [Output]
}

/// The periodic-time observer: lets a position through when it has moved by the interval since the last one, or back,
/// and at every jump.
package struct PeriodicTime: EventFilter {
  private let interval: Duration
  private var last: Duration?

  /// `interval` is a length of the media file, whatever the speed.
  package init(every interval: Duration) { self.interval = interval }

  /// At most one position.
  package mutating func take(_ event: PlaybackEvent) -> [Duration] {
    switch event {
    case .ready: reset()
    case .seeked(_, let position):
      last = position
      return [position]
    case .position(_, let position): if passes(position) { return [position] }
    default: break
    }
    return []
  }

  /// The next position counts, wherever it is.
  mutating func reset() { last = nil }

  /// Whether a position is to be reported. `speed` stretches the interval, so that it is one of the clock.
  mutating func passes(_ position: Duration, speed: Double = 1) -> Bool {
    if let last, position >= last, position - last < interval * speed { return false }
    last = position
    return true
  }
}

/// The boundary observer: finds the times that playback runs over. 0 counts at the start and the whole length at the
/// end; a seek over a time does not count, one that lands on it does.
package struct Boundaries: EventFilter, Hashable {
  /// In ascending order.
  package var times: [Duration] { didSet { times.sort() } }
  /// Absent until the first position.
  package private(set) var heardUpTo: Duration?
  private var duration: Duration?

  /// The first report after loading comes a little late: all that starts at 0 has been heard from 0.
  package static let startSlack = Duration.milliseconds(500)

  /// Finds each of `times`, in any order.
  package init(_ times: [Duration]) { self.times = times.sorted() }

  /// The times that the event runs over, in ascending order.
  package mutating func take(_ event: PlaybackEvent) -> [Duration] {
    switch event {
    case .ready:
      heardUpTo = nil
      duration = nil
    case .duration(_, let length):
      duration = length
    case .seeked(_, let position):
      moved(to: position)
      return times.filter { $0 == position }
    case .position(_, let position):
      return played(to: position)
    case .ended(_, .reachedEnd):
      guard let heardUpTo, let duration else { return [] }
      defer { self.heardUpTo = nil }
      return times.filter { $0 > heardUpTo && $0 <= duration }
    default: break
    }
    return []
  }

  /// A jump: the times in between are not found.
  package mutating func moved(to position: Duration) { heardUpTo = position }

  /// The times that lie between the last position and this one.
  package mutating func played(to position: Duration) -> [Duration] {
    defer { heardUpTo = position }
    let isFromStart = position < Self.startSlack
    guard let from = heardUpTo ?? (isFromStart ? .milliseconds(-1) : nil) else {
      return times.filter { $0 == position }
    }
    return times.filter { $0 > from && $0 <= position }
  }
}

/// The end observer: tells why each media file stopped playing, once.
package struct Ends: EventFilter {
  /// Of every media file.
  package init() {}

  /// At most one end.
  package func take(_ event: PlaybackEvent) -> [(media: MediaID, reason: EndReason)] {
    if case .ended(let media, let reason) = event { [(media, reason)] } else { [] }
  }
}
