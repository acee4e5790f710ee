private import Synchronization

/// Keeps an observer alive: cancelling or releasing it removes the observer, and nothing fires after.
package final class Observation: Sendable {
  private let isActive = Atomic(true)

  deinit { cancel() }

  /// Removes the observer.
  package func cancel() { isActive.store(false, ordering: .releasing) }

  var isCancelled: Bool { !isActive.load(ordering: .acquiring) }
}

/// A player's observers: the one way by which its events reach anything outside. Handlers run on the player's thread,
/// one after the other, and must not block.
final class ObserverList: Sendable {
  private struct Entry: Sendable {
    weak var token: Observation?
    let handler: @Sendable (PlaybackEvent) -> Void
  }

  private let entries = Mutex<[Entry]>([])

  func add(_ handler: @escaping @Sendable (PlaybackEvent) -> Void) -> Observation {
    let token = Observation()
    entries.withLock { $0.append(Entry(token: token, handler: handler)) }
    return token
  }

  func send(_ event: PlaybackEvent) {
    let listening = entries.withLock { entries in
      entries.removeAll { $0.token?.isCancelled ?? true }
      return entries
    }
    for entry in listening where entry.token?.isCancelled == false { entry.handler(event) }
  }
}
