private import Glibc

/// A value with a mutex and a condition variable: threads wait until it has changed. For threads that may block, such
/// as the media threads of the playback engine; never for a task.
///
/// `@unchecked Sendable`: the value is touched only while the mutex is held.
package final class WaitableState<Value>: @unchecked Sendable {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init(_ value: Value) {
    self.value = value
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

  /// Reads or changes the value without waking the waiting threads.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }

  /// Changes the value and wakes all waiting threads.
  package func change<Result>(_ body: (inout Value) -> Result) -> Result {
    withLock { value in
      defer { pthread_cond_broadcast(changed) }
      return body(&value)
    }
  }

  /// Waits until `body` has an answer, or for `limit`: then the answer is nil.
  ///
  /// The value is taken anew each time. Held across the wait it would be this thread's alone by the rules of the
  /// language, and an optimised build never looks again at what it holds already.
  package func wait<Result>(atMost limit: Duration? = nil, _ body: (inout Value) -> Result?) -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var deadline = limit.map(Self.moment)
    while true {
      if let result = body(&value) { return result }
      guard deadline != nil else {
        pthread_cond_wait(changed, mutex)
        continue
      }
      if pthread_cond_timedwait(changed, mutex, &deadline!) == ETIMEDOUT { return body(&value) }
    }
  }

  private static func moment(after limit: Duration) -> timespec {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let (seconds, attoseconds) = limit.components
    let nanoseconds = now.tv_nsec + Int(attoseconds / 1_000_000_000)
    return timespec(
      tv_sec: now.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
  }
}
