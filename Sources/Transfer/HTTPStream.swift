private import Synchronization

/// An answer as it arrives, for one consumer. While the consumer is busy a few bytes wait for it; then the server has
/// to wait, too.
package final class HTTPStream: TransferReceiver {
  private struct State {
    var head: HTTPHead?
    var buffer: [UInt8] = []
    var most = 64 << 10
    var isPaused = false
    var result: Result<HTTPHead, TransferError>?
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// libcurl hands on so many at a time, at most.
  static let portion = 512 << 10

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
      await somethingNew()
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
      await somethingNew()
    }
  }

  /// How many bytes may wait from now on. With more of them a long answer takes fewer steps.
  package func letWait(_ bytes: Int) { state.withLock { $0.most = bytes } }

  package func cancel() { canceller.cancel() }

  private func takeBuffer() -> (bytes: [UInt8], wasPaused: Bool, result: Result<HTTPHead, TransferError>?) {
    state.withLock { state in
      defer {
        state.buffer = []
        state.isPaused = false
      }
      return (state.buffer, state.isPaused, state.result)
    }
  }

  private func somethingNew() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          if !state.buffer.isEmpty || state.result != nil { return true }
          state.waiter = continuation
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
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  // MARK: On the client's thread

  package func didReceive(_ head: HTTPHead) {
    wake { $0.head = head }
  }

  package func didReceive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var isTaken = true
    wake { state in
      isTaken = state.buffer.count < state.most
      guard isTaken else { return state.isPaused = true }
      if state.buffer.isEmpty { state.buffer.reserveCapacity(state.most + bytes.count) }
      state.buffer.append(contentsOf: bytes)
    }
    return isTaken
  }

  package func didEnd(_ result: Result<HTTPHead, TransferError>) {
    wake { $0.result = result }
  }
}
