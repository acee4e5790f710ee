private import CMPV
private import Synchronization
internal import System

/// The one thread that owns a libmpv handle: it loads libmpv, makes every call and waits for every event.
///
/// Other threads send it commands: they are queued under a lock, and `mpv_wakeup`, which libmpv allows from any
/// thread, wakes the loop. So no caller ever waits for a library that is still being loaded or a core that is stuck on
/// a device, and none can reach a handle that is freed: closing is the last command accepted. A handle that breaks down
/// is freed and replaced; the observers stay, and receive the end of the media file. libmpv is loaded at `prepare` or with
/// the first media file.
final class MPVLoop: Sendable {
  enum Command: Sendable {
    case load(MediaID, MediaSource, LoadOptions)
    case queue(MediaID, MediaSource, LoadOptions)
    case unqueue(MediaID)
    case command([String])
    case seek(Duration)
    case seekBy(Duration)
    case pause(Bool)
    case sound(@Sendable (inout Sound) -> Void)
    case fade(Double)
    case correct(MediaID, SoundCorrection)
    case close
  }

  private struct Inbox {
    var commands: [Command] = []
    /// Why no more commands are accepted.
    var refusal: PlaybackError?
    /// As the last command said.
    var isPauseWanted = false
    var isHandleWanted = false
    /// To be woken; present from libmpv's start until it is freed.
    var handle: MPVHandle?

    mutating func accept(_ command: Command) {
      switch command {
      case .close: refusal = PlaybackError(.closed, "the player is closed")
      case .pause(let isPaused): isPauseWanted = isPaused
      case .load(_, _, let options):
        isPauseWanted = options.isPaused
        isHandleWanted = true
      case .queue: isHandleWanted = true
      default: break
      }
      commands.append(command)
      handle?.wake()
    }
  }

  /// Why a handle is no longer used.
  private enum End { case closed, lost }

  private let inbox = WaitableState(Inbox())
  private let latest = Mutex(PlaybackSnapshot())
  private let options: [(name: String, value: String)]
  private let observers: ObserverList
  /// Limits the replacing of handles that are lost before they have played anything.
  private static let mostReplacements = 3

  init(audioOutput: String?, observers: ObserverList, first: @escaping @Sendable () -> Void) {
    options = MPVOptions.fixed + MPVOptions.audioOutput(audioOutput)
    self.observers = observers
    onThread { [self] in
      first()
      let isWanted = inbox.wait { $0.isHandleWanted ? true : $0.refusal == nil ? nil : false }
      if isWanted == true { run() } else { observers.send(.closed) }
    }
  }

  /// Loads libmpv, unless it is being loaded already.
  func prepare() { inbox.change { $0.isHandleWanted = $0.isHandleWanted || $0.refusal == nil } }

  var snapshot: PlaybackSnapshot { latest.withLock { $0 } }

  /// Returns why the command is refused, after `close` or when there is no libmpv. Waking happens under the lock, so
  /// that it never reaches a freed handle.
  @discardableResult
  func send(_ command: Command) -> PlaybackError? {
    inbox.change { inbox in
      if let refusal = inbox.refusal { return refusal }
      inbox.accept(command)
      return nil
    }
  }

  var isPauseWanted: Bool { inbox.withLock(\.isPauseWanted) }

  func togglePause() {
    inbox.change { inbox in
      if inbox.refusal == nil { inbox.accept(.pause(!inbox.isPauseWanted)) }
    }
  }
}

// MARK: - Its life

extension MPVLoop {
  private func run() {
    var reducer = EventReducer()
    var replacements = 0
    while true {
      let handle: MPVHandle
      do throws(PlaybackError) {
        handle = try MPVHandle(options: options)
      } catch {
        return giveUp(error, &reducer)
      }
      inbox.withLock { $0.handle = handle }
      // The new handle sounds as the one before did.
      if replacements > 0 {
        handle.apply(&reducer)
        handle.set("pause", isPauseWanted ? "yes" : "no")
      }
      let end = serve(handle, &reducer)
      inbox.withLock { $0.handle = nil }
      handle.free()
      if case .closed = end { return observers.send(.closed) }
      replacements = reducer.hasPlayed ? 1 : replacements + 1
      let error = PlaybackError(.engineLost, "the engine broke down")
      guard replacements <= Self.mostReplacements else { return giveUp(error, &reducer) }
      publish(reducer.lost(error), reducer.snapshot)
    }
  }

  /// libmpv cannot be started: every media file that waits ends with the error, and no more commands are accepted.
  private func giveUp(_ error: PlaybackError, _ reducer: inout EventReducer) {
    let left = inbox.withLock { inbox in
      inbox.refusal = error
      defer { inbox.commands = [] }
      return inbox.commands
    }
    publish(reducer.lost(error), reducer.snapshot)
    for command in left {
      switch command {
      case .load(let id, _, _), .queue(let id, _, _): observers.send(.ended(id, .failed(error)))
      default: break
      }
    }
    observers.send(.closed)
  }

  private func serve(_ handle: MPVHandle, _ reducer: inout EventReducer) -> End {
    while true {
      for command in takeCommands() {
        if case .close = command { return .closed }
        obey(command, handle, &reducer)
      }
      // Each file has its own cuts and gain.
      guard let event = handle.nextEvent(prepare: { handle.apply(&reducer) }) else { continue }
      if event == .shutdown { return .lost }
      let speed = reducer.speed
      publish(reducer.take(event), reducer.snapshot)
      if reducer.speed != speed { handle.setSpeed(reducer.speed, &reducer) }
    }
  }

  private func obey(_ command: Command, _ handle: MPVHandle, _ reducer: inout EventReducer) {
    switch command {
    case .load(let id, let media, let options):
      add(id, handle.load(media, options), options, &reducer) { publish($0.expect(id, asEntry: $1), $0.snapshot) }
    case .queue(let id, let media, let options):
      add(id, handle.queue(media, options), options, &reducer) { $0.queue(id, asEntry: $1) }
    case .unqueue(let media):
      guard let entry = reducer.entry(of: media) else { return }
      handle.command(["playlist-clear"])
      // The event of its beginning may not have been read yet.
      if handle.firstEntry == entry { handle.command(["stop"]) }
      publish(reducer.unqueue(media), reducer.snapshot)
    case .command(let words):
      handle.command(words)
      if words == ["stop"] { publish(reducer.stopped(), reducer.snapshot) }
    case .seek(let position):
      reducer.aim(at: position)
      publish([], reducer.snapshot)
      handle.seek(to: position)
    case .seekBy(let offset):
      let target = reducer.aim(by: offset)
      publish([], reducer.snapshot)
      if let target { handle.seek(to: target) } else { handle.seek(by: offset) }
    case .pause(let isPaused): handle.set("pause", isPaused ? "yes" : "no")
    case .sound(let change):
      var sound = reducer.snapshot.sound
      change(&sound)
      let events = reducer.change(sound)
      takeTagGain(handle, &reducer)
      handle.apply(&reducer)
      publish(events, reducer.snapshot)
    case .fade(let factor):
      reducer.fade = factor
      handle.set("volume", String(reducer.volume))
    case .correct(let media, let correction):
      let chain = reducer.filterChain
      reducer.correct(media, correction)
      takeTagGain(handle, &reducer)
      // A chain that is made anew is a gap; a gain needs none.
      if reducer.filterChain != chain { handle.apply(&reducer) } else { handle.set("volume", String(reducer.volume)) }
      publish([], reducer.snapshot)
    case .close: break
    }
  }

  /// Once for a file: the option is the file's own, and the next one may have begun.
  private func takeTagGain(_ handle: MPVHandle, _ reducer: inout EventReducer) {
    if reducer.takesTagGain() { handle.set("replaygain", "no") }
  }

  private func add(
    _ id: MediaID, _ entry: Result<Int64, PlaybackError>, _ options: LoadOptions, _ reducer: inout EventReducer,
    _ note: (inout EventReducer, Int64) -> Void
  ) {
    switch entry {
    case .success(let entry):
      note(&reducer, entry)
      reducer.begin(id, at: options.start)
      reducer.correct(id, options.correction)
    case .failure(let error): publish([.ended(id, .failed(error))], reducer.snapshot)
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
