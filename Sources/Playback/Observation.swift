private import Synchronization

/// Keeps an observer alive: cancelling it, or letting go of it, removes the observer, and nothing fires after.
package final class Observation: Sendable {
  private let isActive = Atomic(true)

  package init() {}

  deinit { cancel() }

  package func cancel() { isActive.store(false, ordering: .releasing) }
  package var isCancelled: Bool { !isActive.load(ordering: .acquiring) }
}

/// A player's observers. Handlers run on the player's thread, one after the other, and must not block.
final class ObserverList: Sendable {
  private struct Entry: Sendable {
    weak var token: Observation?
    let take: @Sendable (PlaybackEvent) -> Void
  }

  private let entries = Mutex<[Entry]>([])

  func add(_ take: @escaping @Sendable (PlaybackEvent) -> Void) -> Observation {
    let token = Observation()
    entries.withLock { $0.append(Entry(token: token, take: take)) }
    return token
  }

  func send(_ event: PlaybackEvent) {
    let listening = entries.withLock { entries in
      entries.removeAll { $0.token?.isCancelled ?? true }
      return entries
    }
    for entry in listening where entry.token?.isCancelled == false { entry.take(event) }
  }
}

/// Lets a position through when it has moved far enough since the last one, in either direction.
struct PeriodicGate {
  let interval: Duration
  private var last: Duration?

  init(every interval: Duration) { self.interval = interval }

  mutating func take(_ event: PlaybackEvent) -> Duration? {
    switch event {
    case .ready: last = nil
    case .seeked(_, let position): return pass(position)
    case .position(_, let position):
      guard let last, position >= last, position - last < interval else { return pass(position) }
    default: break
    }
    return nil
  }

  private mutating func pass(_ position: Duration) -> Duration {
    last = position
    return position
  }
}

/// Finds the boundaries that playback runs over: 0 at the start, the whole length at the end, none by a seek.
struct BoundaryGate {
  private let times: [Duration]
  private var heardUpTo: Duration?
  private var duration: Duration?

  init(_ times: [Duration]) { self.times = times.sorted() }

  mutating func take(_ event: PlaybackEvent) -> [Duration] {
    switch event {
    case .ready:
      heardUpTo = nil
      duration = nil
    case .duration(_, let length):
      duration = length
    case .seeked(_, let position):
      heardUpTo = position
      return times.filter { $0 == position }
    case .position(_, let position):
      return advance(to: position)
    case .ended(_, .reachedEnd):
      guard let heardUpTo, let duration else { return [] }
      defer { self.heardUpTo = nil }
      return times.filter { $0 > heardUpTo && $0 <= duration }
    default: break
    }
    return []
  }

  private mutating func advance(to position: Duration) -> [Duration] {
    defer { heardUpTo = position }
    // The first report after loading comes a little late: what starts at 0 has been heard from 0.
    let isFromStart = position < .milliseconds(500)
    guard let from = heardUpTo ?? (isFromStart ? .milliseconds(-1) : nil) else {
      return times.filter { $0 == position }
    }
    return times.filter { $0 > from && $0 <= position }
  }
}
