import Dispatch
import Glibc
import Playback
import PodcastModel
import Podcatcher
import Synchronization

/// The line and the keys while an episode plays. Everything happens on one queue of its own.
///
/// The terminal is shared with the shell: keys are taken and the line is drawn only in the foreground.
final class PlayingView: Sendable {
  struct State {
    var listener: Listener?
    var timer: (any DispatchSourceTimer)?
    var keys: (any DispatchSourceRead)?
    var stops: [any DispatchSourceSignal] = []
    var decoder = KeyDecoder()
    var drawn = ""
    /// What a key has just changed, shown for a moment.
    var hint: (text: String, until: Duration)?
    /// Where a range to be skipped next time begins.
    var skipStart: PlaybackSnapshot?
  }

  let player: MPVPlayer
  let state = Mutex(State())
  private let console: Console
  private let queue = DispatchQueue(label: "podcli.face")
  /// Keys come from a terminal.
  private let hasKeys = isatty(0) == 1
  private let draws: Bool

  init(console: Console, player: MPVPlayer) {
    self.console = console
    self.player = player
    draws = console.isErrorTerminal && !console.isQuiet
  }

  func start(_ listener: Listener) {
    state.withLock { state in
      state.listener = listener
      guard hasKeys || draws else { return }
      state.timer = makeTimer()
      state.stops = makeStops()
    }
  }

  func stop() {
    queue.sync {
      state.withLock { state in
        state.timer?.cancel()
        state.keys?.cancel()
        state = State()
      }
      SharedTerminal.clearLine()
      RawMode.restore()
    }
  }

  /// A line of its own above the one that is redrawn.
  func say(_ text: String) {
    queue.async { [self] in
      SharedTerminal.clearLine()
      state.withLock { $0.drawn = "" }
      console.say(text)
    }
  }

  // MARK: The line

  private func makeTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(250), leeway: .milliseconds(20))
    timer.setEventHandler { [self] in
      holdKeys()
      if draws { draw() }
    }
    timer.resume()
    return timer
  }

  private func draw() {
    guard SharedTerminal.isInForeground(StandardError.descriptor) else { return }
    let (listener, hint) = state.withLock { ($0.listener, $0.hint) }
    guard var now = listener?.nowPlaying else { return }
    if let hint, Monotonic.now() < hint.until { now.note = hint.text }
    // The last column stays empty: some terminals wrap as soon as it is written.
    let line = PlayingLine(now).rendered(width: Console.columns() - 1)
    let isNew = state.withLock { state in
      defer { state.drawn = line }
      return state.drawn != line
    }
    guard isNew else { return }
    SharedTerminal.draw(line)
  }

  func tell(_ text: String) {
    state.withLock { $0.hint = (text, Monotonic.now() + .seconds(2)) }
    if draws { draw() }
  }

  // MARK: Keys

  /// Takes them when the shell gives up the terminal, and lets go of them in the background, where a read would stop
  /// the process.
  private func holdKeys() {
    let isOurs = hasKeys && SharedTerminal.isInForeground(0)
    let isHeld = state.withLock { $0.keys != nil }
    if isOurs, !isHeld, SharedTerminal.takeKeys() {
      state.withLock { state in
        state.keys = makeKeys()
        state.drawn = ""
      }
    } else if !isOurs, isHeld {
      letGoOfKeys()
      RawMode.forget()
    }
  }

  private func letGoOfKeys() {
    state.withLock { state in
      state.keys?.cancel()
      state.keys = nil
    }
  }

  private func makeKeys() -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: queue)
    source.setEventHandler { [self] in readKeys() }
    source.resume()
    return source
  }

  private func readKeys() {
    guard SharedTerminal.isInForeground(0) else { return holdKeys() }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(0, &bytes, bytes.count)
    // The terminal is gone; the signal that says so is on its way.
    guard count > 0 else { return state.withLock { $0.keys?.cancel() } }
    let (keys, listener) = state.withLock { ($0.decoder.take(bytes[..<count]), $0.listener) }
    guard let listener else { return }
    for key in keys { press(key, listener) }
  }

  // MARK: Being stopped by the shell

  private func makeStops() -> [any DispatchSourceSignal] {
    Signals.block([SIGTSTP])
    return Signals.watch([SIGTSTP], on: queue) { [self] _ in suspend() }
  }

  /// Ctrl-Z: silent, with the terminal as it was; brought back, everything goes on.
  private func suspend() {
    let wasPaused = player.snapshot.isPaused
    player.setPaused(true)
    SharedTerminal.clearLine()
    letGoOfKeys()
    RawMode.restore()
    kill(getpid(), SIGSTOP)
    holdKeys()
    state.withLock { $0.drawn = "" }
    player.setPaused(wasPaused)
  }
}

extension PlayingLine {
  init(_ now: NowPlaying) {
    let snapshot = now.snapshot
    self.init(title: now.entry.headline)
    position = snapshot.position ?? now.entry.status.lastListenTime ?? .zero
    duration = snapshot.duration ?? now.entry.episode.duration
    speed = snapshot.sound.speed
    note = now.note
    mode =
      if snapshot.position == nil { .opening } else if snapshot.isPaused { .paused } else if now.isWaiting {
        .buffering
      } else { .playing }
    if let index = now.chapterIndex {
      chapter = Chapter(index: index, count: now.chapters.count, title: now.chapters[index].title)
    }
  }
}
