private import CMPV
private import Glibc
private import Synchronization

/// The one thread that owns a libmpv handle: it makes every call and waits for every event.
///
/// Others talk to it by commands: they are queued under a lock, and `mpv_wakeup`, which libmpv allows from any
/// thread, makes the loop look. So no caller ever waits for a core that is stuck on a device, and none can reach
/// a handle that is gone: closing is the last command let in.
final class MPVLoop: Sendable {
  enum Command: Sendable {
    case load(MediaID, MediaSource, LoadOptions)
    case command([String])
    case set(String, String)
    case sound(Sound)
    case fade(Double)
    case close
  }

  private struct Inbox {
    var commands: [Command] = []
    var isClosed = false
  }

  private let inbox = Mutex(Inbox())
  private let latest = Mutex(PlaybackSnapshot())
  private let handle: MPVHandle
  private let observers: ObserverList

  init(audioOutput: String?, observers: ObserverList) throws(PlaybackError) {
    handle = try MPVHandle(options: MPVOptions.fixed + MPVOptions.audioOutput(audioOutput))
    self.observers = observers
    startThread()
  }

  var snapshot: PlaybackSnapshot { latest.withLock { $0 } }

  /// Refused after `close`. Waking is part of the lock, so that it never meets a freed handle.
  @discardableResult
  func send(_ command: Command) -> Bool {
    inbox.withLock { inbox in
      guard !inbox.isClosed else { return false }
      if case .close = command { inbox.isClosed = true }
      inbox.commands.append(command)
      handle.wake()
      return true
    }
  }

  func close() { send(.close) }

  private func startThread() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { context in
        Unmanaged<MPVLoop>.fromOpaque(context!).takeRetainedValue().run()
        return nil
      }, context)
    precondition(code == 0, "the system gives no thread")
    pthread_detach(thread)
  }

  private func run() {
    var reducer = EventReducer()
    while true {
      for command in takeCommands() {
        if case .close = command {
          handle.free()
          observers.send(.closed)
          return
        }
        obey(command, &reducer)
      }
      guard let event = handle.nextEvent() else { continue }
      let speed = reducer.speed
      publish(reducer.take(event), reducer.snapshot)
      if reducer.speed != speed { handle.set("speed", String(reducer.speed)) }
    }
  }

  private func obey(_ command: Command, _ reducer: inout EventReducer) {
    switch command {
    case .load(let id, let media, let options):
      switch handle.load(media, options) {
      case .success(let entry): reducer.expect(id, asEntry: entry)
      case .failure(let error): publish([.ended(id, .failed(error))], reducer.snapshot)
      }
    case .command(let words):
      handle.command(words)
      if words == ["stop"] { publish(reducer.stopped(), reducer.snapshot) }
    case .set(let name, let value): handle.set(name, value)
    case .sound(let sound):
      let events = reducer.change(sound)
      handle.apply(sound)
      publish(events, reducer.snapshot)
    case .fade(let factor): handle.set("volume", String(reducer.snapshot.sound.volume * factor))
    case .close: break
    }
  }

  private func publish(_ events: [PlaybackEvent], _ snapshot: PlaybackSnapshot) {
    latest.withLock { $0 = snapshot }
    for event in events { observers.send(event) }
  }

  private func takeCommands() -> [Command] {
    inbox.withLock { inbox in
      defer { inbox.commands = [] }
      return inbox.commands
    }
  }
}
