private import Dispatch
private import Glibc

/// Tasks that use all cores, wherever their caller runs.
package enum AllCores {
  /// Dispatch's pool counts its threads in /proc and ends a process that has none. There, one thread does it all.
  package static let executor: any TaskExecutor =
    access("/proc/self/stat", F_OK) == 0 ? globalConcurrentExecutor : OneThread()
}

private final class OneThread: TaskExecutor {
  /// A serial queue is outside the pool.
  private let queue = DispatchQueue(label: "podcli.tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
