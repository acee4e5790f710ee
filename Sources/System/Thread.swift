private import Glibc

/// Runs blocking work on a detached thread of its own, so that no task's thread waits for it.
package func onThread(_ work: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  var thread = pthread_t()
  let code = pthread_create(
    &thread, nil,
    { box in
      Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().work()
      return nil
    }, Unmanaged.passRetained(Box(work)).toOpaque())
  precondition(code == 0, "the system gives no thread")
  pthread_detach(thread)
}
