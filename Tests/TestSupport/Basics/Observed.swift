private import Glibc

/// A value that one thread changes and another waits on, such as the events of a callback or the state of a child process.
///
/// Unchecked: `state` is touched only while `mutex` is held, and the two pthread objects never move.
package final class Observed<State: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  package var value: State { locked { $0 } }

  /// Changes the value and wakes all waiting threads and tasks.
  @discardableResult
  package func update<Result>(_ change: (inout State) -> Result) -> Result {
    locked { state in
      defer { pthread_cond_broadcast(changed) }
      return change(&state)
    }
  }

  /// Waits until `found` returns a value, and returns it. `what` names the condition in the error of a timeout.
  @discardableResult
  package func wait<Found: Sendable>(
    for what: String, by deadline: Deadline = Deadline(), until found: @escaping @Sendable (State) -> Found?
  ) async throws(Overdue) -> Found {
    let result: Found? = await offPool { self.blockingWait(deadline, until: found) }
    guard let result else { throw Overdue(what, seen: "\(value)") }
    return result
  }

  package func wait(
    for what: String, by deadline: Deadline = Deadline(), until holds: @escaping @Sendable (State) -> Bool
  ) async throws(Overdue) {
    try await wait(for: what, by: deadline) { holds($0) ? true : nil }
  }

  /// The same for a thread that may block; nil if the deadline passed.
  package func blockingWait<Found>(_ deadline: Deadline, until found: (State) -> Found?) -> Found? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    let (seconds, nanoseconds) = deadline.absolute
    var limit = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    while true {
      if let result = found(state) { return result }
      if pthread_cond_timedwait(changed, mutex, &limit) == ETIMEDOUT { return found(state) }
    }
  }

  private func locked<Result>(_ body: (inout State) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&state)
  }
}
