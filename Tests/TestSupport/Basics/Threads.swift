private import Glibc

/// Runs `work` on a new thread with SIGPIPE blocked, so that writing to a closed peer is an error and not a signal.
/// For work that blocks: `Task.detached` would take a thread of the cooperative pool, of which there is one per core.
package func startThread(_ work: @escaping @Sendable () -> Void) {
  final class Box {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  // Hundreds of connections have a thread each, and none of them recurses: a small stack is enough.
  pthread_attr_setstacksize(&attributes, 512 << 10)

  var thread = pthread_t()
  let context = Unmanaged.passRetained(Box(work)).toOpaque()
  let code = pthread_create(
    &thread, &attributes,
    { context in
      var pipe = sigset_t()
      sigemptyset(&pipe)
      sigaddset(&pipe, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &pipe, nil)
      if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work() }
      return nil
    }, context)
  precondition(code == 0, "a test needs a thread, and the system has none")
}

/// Runs blocking work outside the cooperative pool, which has only as many threads as the machine has cores: a test that
/// blocked one of them could starve the code that it waits for.
package func offPool<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    startThread { continuation.resume(returning: work()) }
  }
}
