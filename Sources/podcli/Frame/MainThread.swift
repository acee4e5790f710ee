import System

/// The main thread as an executor. A short command runs its task here: starting a thread takes about as long as its
/// query. Delayed calls are made here, too: a timer of Dispatch wakes two more threads.
final class MainThread: TaskExecutor, SerialExecutor {
  static let executor = MainThread()

  private let work = WaitableState(Work())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    work.change { $0.jobs.append(job) }
  }

  func call(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
    let moment = ContinuousClock.now + delay
    work.change { $0.calls.append((moment, body)) }
  }

  /// Runs jobs in order until the process ends. Only the main thread calls it. `dispatchMain` would unblock the blocked
  /// signals on this thread.
  func run() -> Never {
    var next: ContinuousClock.Instant?
    while true {
      let due = work.wait(atMost: next.map { max(.zero, $0 - .now) }) { [next] in $0.takeDue(or: next) }
      guard let due else { continue }
      next = due.next
      for call in due.calls { call.body() }
      for job in due.jobs {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
    }
  }

  private struct Work {
    var jobs: [UnownedJob] = []
    var calls: [(moment: ContinuousClock.Instant, body: @Sendable () -> Void)] = []
    /// The moment of the first call that stays.
    var next: ContinuousClock.Instant?

    /// Nil where nothing is due, and the next call is the one that is waited for.
    mutating func takeDue(or waited: ContinuousClock.Instant?) -> Work? {
      var due = Work()
      swap(&due.jobs, &jobs)
      if !calls.isEmpty {
        let now = ContinuousClock.now
        due.calls = calls.filter { $0.moment <= now }.sorted { $0.moment < $1.moment }
        calls.removeAll { $0.moment <= now }
        due.next = calls.lazy.map(\.moment).min()
      }
      return due.jobs.isEmpty && due.calls.isEmpty && due.next == waited ? nil : due
    }
  }
}
