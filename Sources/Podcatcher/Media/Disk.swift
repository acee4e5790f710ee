private import Dispatch

/// What waits for a disk or for bytes, away from the threads that everybody shares.
enum Disk {
  /// Written at once where bytes come faster than that.
  static let chunk = 1 << 20

  static func sync(_ part: PartFile) async -> Bool { await aside { part.sync() } }

  static func finish(_ part: PartFile) async throws(DownloadError) {
    let result = await aside { Result { () throws(DownloadError) in try part.finish() } }
    try result.get()
  }

  static func aside<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async { continuation.resume(returning: work()) }
    }
  }
}
