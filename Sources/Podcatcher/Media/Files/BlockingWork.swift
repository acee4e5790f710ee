private import Dispatch

/// Work that waits for a disk or for bytes, away from the threads that all tasks share.
enum BlockingWork {
  static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      // A queue of its own has a thread of its own: Dispatch's pool may be full, and cannot do without /proc.
      DispatchQueue(label: "blocking", qos: .utility).async { continuation.resume(returning: work()) }
    }
  }
}

extension PartialFile {
  func syncOffPool() async -> Bool { await BlockingWork.run { [self] in sync() } }

  func finishOffPool() async throws(DownloadError) {
    let result = await BlockingWork.run { [self] in Result { () throws(DownloadError) in try finish() } }
    try result.get()
  }
}
