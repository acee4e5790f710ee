private import CCurl
private import Glibc
private import Synchronization
internal import System

/// The one thread that owns libcurl's multi handle and every easy handle in it.
///
/// Other threads send it commands: they are queued under a lock, and `MultiHandle.wake` makes the loop take them.
final class CurlLoop: Sendable {
  private enum Command {
    case start(UInt64, HTTPRequest, any TransferReceiver)
    case cancel(UInt64)
    case resume(UInt64)
    case stop
  }

  private struct Inbox {
    var commands: [Command] = []
    var nextID: UInt64 = 0
    var isStopped = false
  }

  private let inbox = Mutex(Inbox())
  private let multi: MultiHandle
  private let userAgents: UserAgents

  init(_ policy: ConnectionPolicy) throws(TransferError) {
    userAgents = policy.userAgents
    multi = try MultiHandle(policy)
    onThread { [self] in run() }
  }

  func start(_ request: HTTPRequest, receiver: any TransferReceiver) -> TransferHandle {
    let id = inbox.withLock { inbox in
      inbox.nextID += 1
      return inbox.nextID
    }
    if !send(.start(id, request, receiver)) { receiver.didEnd(.failure(.cancelled)) }
    return TransferHandle(id: id, loop: self)
  }

  func cancel(_ id: UInt64) { send(.cancel(id)) }
  func resume(_ id: UInt64) { send(.resume(id)) }

  /// Ends every transfer as cancelled, and the thread with them.
  func stop() { send(.stop) }

  /// Refused after `stop`. Only the first command in the queue has to wake the loop.
  @discardableResult
  private func send(_ command: Command) -> Bool {
    let (isLetIn, isFirst) = inbox.withLock { inbox in
      guard !inbox.isStopped else { return (false, false) }
      if case .stop = command { inbox.isStopped = true }
      inbox.commands.append(command)
      return (true, inbox.commands.count == 1)
    }
    if isFirst { multi.wake() }
    return isLetIn
  }

  private func run() {
    // Names of hosts beyond ASCII are read by the locale of this thread, which is that of the program, "C", otherwise.
    _ = uselocale(newlocale(1 << LC_CTYPE, "C.UTF-8", nil))
    var transfers: [UInt64: CurlTransfer] = [:]
    var readAt = ContinuousClock.now
    /// Of transfers that ended on a shared connection.
    var hosts: [Substring] = []
    func end(_ id: UInt64, _ result: (CurlTransfer) -> Result<HTTPHead, TransferError>) {
      guard let transfer = transfers.removeValue(forKey: id) else { return }
      if transfer.sharesConnection { hosts.append(transfer.host) }
      transfer.end(result(transfer), in: multi)
    }
    while true {
      for command in takeCommands() {
        switch command {
        case .start(let id, let request, let receiver):
          let agent = userAgents.agent(for: request.url)
          transfers[id] = CurlTransfer.begin(request, as: agent, id: id, receiver: receiver, in: multi)
        case .cancel(let id):
          end(id) { _ in .failure(.cancelled) }
        case .resume(let id):
          if let result = transfers[id]?.unpause() { end(id) { _ in result } }
        case .stop:
          for transfer in transfers.values { transfer.end(.failure(.cancelled), in: multi) }
          multi.free()
          return
        }
      }
      let someMayBeForgotten = transfers.values.contains(where: \.mayBeForgotten)
      multi.step(atMost: someMayBeForgotten ? CInt(CurlTransfer.firstSilence / .milliseconds(1)) : .max)
      if someMayBeForgotten {
        for (id, result) in readSilent(transfers, &readAt) { end(id) { _ in result } }
      }
      while let (id, code) = multi.nextFinished() { end(id) { $0.verdict(code) } }
      if !hosts.isEmpty {
        for transfer in transfers.values where hosts.contains(transfer.host) { transfer.renewTries() }
      }
      hosts = []
    }
  }

  /// Returns those that ended with that.
  private func readSilent(
    _ transfers: [UInt64: CurlTransfer], _ last: inout ContinuousClock.Instant
  ) -> [(UInt64, Result<HTTPHead, TransferError>)] {
    let now = ContinuousClock.now
    guard now - last >= CurlTransfer.firstSilence else { return [] }
    last = now
    return transfers.compactMap { id, transfer in transfer.readAgain(now: now).map { (id, $0) } }
  }

  private func takeCommands() -> [Command] {
    inbox.withLock { inbox in
      defer { inbox.commands = [] }
      return inbox.commands
    }
  }
}
