private import Synchronization

/// An answer as it arrives, for one consumer. While the consumer is busy a bounded number of bytes waits for it; then the
/// transfer is paused.
package final class HTTPStream: TransferReceiver {
  private enum Awaited { case head, bytes }

  private struct State {
    var head: HTTPHead?
    var buffer: [UInt8] = []
    var least = 1
    var most = 64 << 10
    var isPaused = false
    var result: Result<HTTPHead, TransferError>?
    var waiter: (for: Awaited, continuation: CheckedContinuation<Void, Never>)?

    func has(_ awaited: Awaited) -> Bool {
      result != nil || (awaited == .head ? head != nil : buffer.count >= least || isPaused)
    }
  }

  private let state = Mutex(State())
  private let canceller = Canceller()

  func begin(_ request: HTTPRequest, on loop: CurlLoop) {
    canceller.arm(loop.start(request, receiver: self))
  }

  /// Waits for the final head. The body may still fail.
  package func head() async throws(TransferError) -> HTTPHead {
    while true {
      let (head, result) = state.withLock { ($0.head, $0.result) }
      if let head { return head }
      if let result { return try result.get() }
      await wait(for: .head)
    }
  }

  /// The next bytes, or nil when the answer is complete.
  package func next() async throws(TransferError) -> [UInt8]? {
    while true {
      let (bytes, wasPaused, result) = takeBuffer()
      if wasPaused { canceller.resume() }
      if !bytes.isEmpty { return bytes }
      if let result {
        _ = try result.get()
        return nil
      }
      await wait(for: .bytes)
    }
  }

  /// Sets how many bytes may wait from now on, and for how many the consumer waits, unless the answer ends or pauses
  /// before. With more of them a long answer takes fewer steps.
  package func limitBuffer(to bytes: Int, wakingFrom least: Int = 1) {
    state.withLock { ($0.most, $0.least) = (bytes, least) }
  }

  /// Ends the transfer; `next` then throws.
  package func cancel() { canceller.cancel() }

  private func takeBuffer() -> (bytes: [UInt8], wasPaused: Bool, result: Result<HTTPHead, TransferError>?) {
    state.withLock { state in
      guard state.has(.bytes) else { return ([], false, nil) }
      defer {
        state.buffer = []
        state.isPaused = false
      }
      return (state.buffer, state.isPaused, state.result)
    }
  }

  private func wait(for awaited: Awaited) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if state.has(awaited) { return true }
          state.waiter = (awaited, continuation)
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      canceller.cancel()
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiter = state.withLock { state in
      change(&state)
      guard let waiter = state.waiter, state.has(waiter.for) else { return nil as CheckedContinuation<Void, Never>? }
      state.waiter = nil
      return waiter.continuation
    }
    waiter?.resume()
  }

  // MARK: On the client's thread

  func didReceive(_ head: HTTPHead) {
    wake { $0.head = head }
  }

  func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var isTaken = true
    wake { state in
      isTaken = state.buffer.count < state.most
      guard isTaken else { return state.isPaused = true }
      if state.buffer.isEmpty { state.buffer.reserveCapacity(state.most + bytes.count) }
      state.buffer.append(contentsOf: bytes)
    }
    return isTaken
  }

  func didEnd(_ result: Result<HTTPHead, TransferError>) {
    wake { $0.result = result }
  }
}
