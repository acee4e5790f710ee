private import Synchronization

/// Waits for a whole answer.
final class BodyCollector: TransferReceiver {
  private struct State {
    var body: [UInt8] = []
    var continuation: CheckedContinuation<Result<HTTPHead, TransferError>, Never>?
  }

  private let state = Mutex(State())

  var body: [UInt8] { state.withLock { $0.body } }

  func run(_ request: HTTPRequest, on loop: CurlLoop) async throws(TransferError) -> HTTPHead {
    let canceller = Canceller()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.continuation = continuation }
        canceller.arm(loop.start(request, receiver: self))
      }
    } onCancel: {
      canceller.cancel()
    }
    return try result.get()
  }

  func didReceive(_ head: HTTPHead) {}

  func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    state.withLock { $0.body.append(contentsOf: bytes) }
    return true
  }

  func didEnd(_ result: Result<HTTPHead, TransferError>) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: result)
  }
}
