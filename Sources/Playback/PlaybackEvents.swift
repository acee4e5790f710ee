private import Synchronization

/// A player's events for one listener. A position that nobody has taken yet is replaced by the next one;
/// everything else waits its turn, so an end is never lost.
package struct PlaybackEvents: AsyncSequence, Sendable {
  private let mailbox: Mailbox

  init(_ attach: (@escaping @Sendable (PlaybackEvent) -> Void) -> Observation) {
    let mailbox = Mailbox()
    self.mailbox = mailbox
    // Weak, or the mailbox and its observer would keep each other for ever.
    mailbox.keep(attach { [weak mailbox] in mailbox?.put($0) })
  }

  package struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let mailbox: Mailbox

    package func next() async -> PlaybackEvent? { await mailbox.next() }
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(mailbox: mailbox) }
}

private final class Mailbox: Sendable {
  private struct State {
    var events: [PlaybackEvent] = []
    var waiter: CheckedContinuation<Void, Never>?
    var token: Observation?
    var isClosed = false
  }

  private let state = Mutex(State())

  func keep(_ token: Observation) { state.withLock { $0.token = token } }

  func put(_ event: PlaybackEvent) {
    let waiter = state.withLock { state in
      if case .position = event, case .position? = state.events.last { state.events.removeLast() }
      state.events.append(event)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  func next() async -> PlaybackEvent? {
    while true {
      let (event, isClosed) = take()
      if event != nil || isClosed || Task.isCancelled { return event }
      await somethingNew()
    }
  }

  private func take() -> (PlaybackEvent?, isClosed: Bool) {
    state.withLock { state in
      guard !state.isClosed, !state.events.isEmpty else { return (nil, state.isClosed) }
      let event = state.events.removeFirst()
      state.isClosed = event == .closed
      return (event, false)
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
