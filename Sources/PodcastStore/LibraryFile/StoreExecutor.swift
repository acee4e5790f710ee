internal import Dispatch

/// A serial queue of the store's own: waiting for the disk or for another process never blocks the cooperative pool.
final class StoreExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "podcli.store")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
