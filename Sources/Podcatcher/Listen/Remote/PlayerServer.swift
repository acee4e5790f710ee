private import Glibc
private import Synchronization
internal import System
internal import Text

/// The player's socket: takes requests from other processes of this user, and tells them the status. `podcli help remote`
/// is its protocol.
///
/// One thread owns every connection and waits for all of them at once. It never waits for the player: a request is
/// carried out by a task, whose answer comes back through the inbox.
final class PlayerServer: Sendable {
  /// The player behind the socket.
  struct Target: Sendable {
    /// The document of `status --json`. Never waits.
    var status: @Sendable () -> JSON
    var isPaused: @Sendable () -> Bool
    /// Returns when the command is done, or cannot be.
    var carryOut: @Sendable (PlayerCommand) async -> ControlError?
    /// The object of a failure, as `--json` prints it.
    var words: @Sendable (ControlError) -> JSON
  }

  /// Values that differ from player to player.
  struct Options: Sendable {
    var version = ""
    /// Paused and without a client for so long, the player is stopped.
    var idleLimit: Duration?
    /// How long a request may take.
    var patience = Duration.seconds(2)
    var clock: @Sendable () -> Duration = Monotonic.now
  }

  enum Message: Sendable {
    case answer(client: Int, request: Int, ControlError?)
    case changed(JSON)
    case end(JSON, done: @Sendable () -> Void)
  }

  private let inbox = Mutex<[Message]>([])
  private let socket: LocalSocket.Listening
  private let wakeup: WakePipe
  private let isWatched = Atomic(false)
  private let target: Target
  private let options: Options

  /// Nil, with `errno`, when there can be no socket at this path. The caller holds the player lock.
  init?(at path: String, _ target: Target, _ options: Options = Options()) {
    guard let wakeup = WakePipe(), let socket = LocalSocket.listen(at: path) else { return nil }
    self.wakeup = wakeup
    self.socket = socket
    var shortening = target
    shortening.status = { target.status().shortened }
    self.target = shortening
    self.options = options
    onThread { [self] in run() }
  }

  /// The status is another one. From any thread. It is read here and now, so that none is missed in a quick succession.
  func statusChanged() {
    guard options.idleLimit != nil || isWatched.load(ordering: .sequentiallyConsistent) else { return }
    send(.changed(target.status()))
  }

  /// Removes the socket's file. It must be gone before the player lock is let go.
  func removeFile() { socket.removeFile() }

  /// Gives every request that waits, and every client that watches, the last status, and ends the thread. Waits for that,
  /// but only a moment.
  func end(_ last: JSON) {
    let isDone = WaitableState(false)
    send(.end(last.shortened) { isDone.change { $0 = true } })
    _ = isDone.wait(atMost: .milliseconds(300)) { $0 ? true : nil }
  }

  private func send(_ message: Message) {
    let isFirst = inbox.withLock { inbox in
      inbox.append(message)
      return inbox.count == 1
    }
    if isFirst { wakeup.wake() }
  }

  // MARK: The thread

  private func run() {
    var room = ClientRoom(target, options, wakeup: wakeup.descriptor) { [weak self] in
      self?.send($0)
    } watched: { [weak self] isWatched in
      self?.isWatched.store(isWatched, ordering: .sequentiallyConsistent)
    }
    var isOpen = true
    while isOpen {
      room.wait(listening: socket.descriptor)
      for message in takeMessages() {
        switch message {
        case .answer(let client, let request, let error): room.answer(client, request, error)
        case .changed(let status): room.tellChange(status)
        case .end(let last, let done):
          room.end(last)
          done()
          isOpen = false
        }
      }
    }
    close(socket.descriptor)
  }

  private func takeMessages() -> [Message] {
    wakeup.reset()
    return inbox.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}

extension JSON {
  /// Without texts of more than 4 KiB: a feed may have titles of megabytes, and no client would read the line.
  fileprivate var shortened: JSON {
    switch self {
    case .string(let text) where text.utf8.count > 4 << 10:
      // One character may have any number of scalars.
      .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(1 << 10))) + "…")
    case .array(let values): .array(values.map(\.shortened))
    case .object(let members): JSON(members: members.map { ($0.name, $0.value.shortened) })
    default: self
    }
  }
}
