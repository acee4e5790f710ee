import CBuild
import Dispatch
import Glibc

/// A serial queue for the tasks that Swift's runtime would put into Dispatch's pool of threads.
enum TaskQueue {
  /// A serial queue is outside the pool.
  private static let queue = DispatchQueue(label: "podcli.tasks")

  /// The pool counts its threads in /proc: it ends a process that has none.
  static func replacePoolWithoutProc() {
    if access("/proc/self/stat", F_OK) != 0 { replacePool() }
  }

  /// The pool wakes each second to count its threads, for as long as the process lives. Called before the first task.
  static func replacePool() {
    podcli_take_jobs { job, delay in
      let address = UInt(bitPattern: job)
      let work = DispatchWorkItem { podcli_run_job(UnsafeMutableRawPointer(bitPattern: address)) }
      guard delay > 0 else { return TaskQueue.queue.async(execute: work) }
      TaskQueue.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay)), execute: work)
    }
  }

  /// `Task.sleep` starts the pool all the same.
  static func sleep(for delay: Duration) async {
    await withCheckedContinuation { continuation in
      queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { continuation.resume() }
    }
  }
}
