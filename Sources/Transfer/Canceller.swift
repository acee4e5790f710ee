private import Synchronization

/// Joins what is asked of a transfer, which may come first, with its handle.
final class Canceller: Sendable {
  private struct State {
    var handle: TransferHandle?
    var isCancelled = false
  }

  private let state = Mutex(State())

  func arm(_ handle: TransferHandle) {
    let isCancelled = state.withLock { state in
      state.handle = handle
      return state.isCancelled
    }
    if isCancelled { handle.cancel() }
  }

  func resume() {
    let handle = state.withLock { $0.handle }
    handle?.resume()
  }

  func cancel() {
    let handle = state.withLock { state in
      state.isCancelled = true
      return state.handle
    }
    handle?.cancel()
  }
}
