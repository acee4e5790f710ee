private import Synchronization

/// A player's events for one listener, in order. A position that has not been taken yet is replaced by the next one;
/// everything else waits its turn, so an end is never lost.
package struct PlaybackEvents: AsyncSequence, Sendable {
  private let mailbox = Mailbox()

  init(_ observers: ObserverList) {
    // Weak, or the mailbox and its observer would keep each other for ever.
    mailbox.keep(observers.add { [weak mailbox] in mailbox?.put($0) })
  }

  /// For `for await`; all iterators share the events that wait.
  package func makeAsyncIterator() -> Mailbox { mailbox }

  /// The events that wait for the listener.
  package final class Mailbox: AsyncIteratorProtocol, Sendable {
    private struct State {
      var events: [PlaybackEvent] = []
      var waiter: CheckedContinuation<Void, Never>?
      var token: Observation?
      var isClosed = false
    }

    private let state = Mutex(State())

    fileprivate init() {}

    fileprivate func keep(_ token: Observation) { state.withLock { $0.token = token } }

    fileprivate func put(_ event: PlaybackEvent) {
      let waiter = state.withLock { state in
        if case .position = event, case .position? = state.events.last { state.events.removeLast() }
        state.events.append(event)
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }

    /// Waits for the next event. Nil after the player was closed, or when the task is cancelled.
    package func next() async -> PlaybackEvent? {
      while true {
        let (event, isClosed) = state.withLock { state -> (PlaybackEvent?, Bool) in
          guard !state.isClosed, !state.events.isEmpty else { return (nil, state.isClosed) }
          let event = state.events.removeFirst()
          state.isClosed = event == .closed
          return (event, false)
        }
        if event != nil || isClosed || Task.isCancelled { return event }
        await somethingNew()
      }
    }

    private func somethingNew() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isThere = state.withLock { state in
            if !state.events.isEmpty || Task.isCancelled { return true }
            state.waiter = continuation
            return false
          }
          if isThere { continuation.resume() }
        }
      } onCancel: {
        let waiter = state.withLock { state in
          defer { state.waiter = nil }
          return state.waiter
        }
        waiter?.resume()
      }
    }
  }
}
