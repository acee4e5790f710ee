internal import Dispatch

/// A serial queue of one store's own, or of one sync's: waiting for the disk or for another process never blocks the cooperative pool.
package final class StoreExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "podcli.store")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedSerialExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}
