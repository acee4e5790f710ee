import Glibc

/// The main thread as an executor. A short command runs its task here: starting a thread takes about as long as its
/// query.
///
/// Unchecked: the jobs are accessed under the lock only, and the lock and the condition are never freed.
final class MainThread: TaskExecutor, SerialExecutor, @unchecked Sendable {
  static let executor = MainThread()

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [UnownedJob] = []

  private init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(arrival, nil)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pthread_mutex_lock(lock)
    jobs.append(job)
    pthread_mutex_unlock(lock)
    pthread_cond_signal(arrival)
  }

  /// Runs jobs in order until the process ends. Only the main thread calls it. `dispatchMain` would unblock the blocked
  /// signals on this thread.
  func run() -> Never {
    while true {
      for job in nextJobs() {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
    }
  }

  private func nextJobs() -> [UnownedJob] {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while jobs.isEmpty { pthread_cond_wait(arrival, lock) }
    defer { jobs.removeAll(keepingCapacity: true) }
    return jobs
  }
}
