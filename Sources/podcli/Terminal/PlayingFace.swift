import Dispatch
import Glibc
import Playback
import PodcastModel
import Podcatcher
import Synchronization

/// The line and the keys while an episode plays. Everything happens on one queue of its own.
final class PlayingFace: Sendable {
  private struct State {
    var timer: (any DispatchSourceTimer)?
    var keys: (any DispatchSourceRead)?
    var stops: [any DispatchSourceSignal] = []
    var decoder = KeyDecoder()
    var drawn = ""
  }

  private let console: Console
  private let player: MPVPlayer
  private let listener: Listener
  private let queue = DispatchQueue(label: "podcli.face")
  private let state = Mutex(State())
  private let draws: Bool
  /// Whether there is a line to be wiped out, for whoever ends the process.
  private static let isLineDrawn = Atomic(false)

  init(console: Console, player: MPVPlayer, listener: Listener) {
    self.console = console
    self.player = player
    self.listener = listener
    draws = console.isTalkTerminal && !console.isQuiet
  }

  func start() {
    let hasKeys = isatty(0) == 1 && tcgetpgrp(0) == getpgrp() && RawMode.enter()
    state.withLock { state in
      if hasKeys { state.keys = makeKeys() }
      if draws { state.timer = makeTimer() }
      if hasKeys || draws { state.stops = makeStops() }
    }
  }

  func stop() {
    queue.sync {
      state.withLock { state in
        state.timer?.cancel()
        state.keys?.cancel()
        state = State()
      }
      Self.clearLine()
      RawMode.restore()
    }
  }

  static func clearLine() {
    if isLineDrawn.exchange(false, ordering: .relaxed) { _ = Console.put("\r\u{1B}[K", on: Talk.descriptor) }
  }

  // MARK: The line

  private func makeTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .milliseconds(250), leeway: .milliseconds(20))
    timer.setEventHandler { [self] in draw() }
    timer.resume()
    return timer
  }

  private func draw() {
    guard let now = listener.nowPlaying else { return }
    // The last column stays empty: some terminals wrap as soon as it is written.
    let line = Self.line(now).rendered(width: Console.columns() - 1)
    let isNew = state.withLock { state in
      defer { state.drawn = line }
      return state.drawn != line
    }
    guard isNew else { return }
    Self.isLineDrawn.store(true, ordering: .relaxed)
    _ = Console.put("\r\(line)\u{1B}[K", on: Talk.descriptor)
  }

  static func line(_ now: NowPlaying) -> PlayingLine {
    let snapshot = now.snapshot
    var line = PlayingLine(title: "\(now.entry.podcast.title): \(now.entry.episode.title)")
    line.position = snapshot.position ?? now.entry.status.lastListenTime ?? .zero
    line.duration = snapshot.duration ?? now.entry.episode.duration
    line.speed = snapshot.sound.speed
    line.mode =
      if snapshot.position == nil { .opening } else if snapshot.isPaused { .paused } else if snapshot.isBuffering {
        .buffering
      } else { .playing }
    if let index = snapshot.chapter, snapshot.chapters.indices.contains(index) {
      line.chapter = .init(index: index, count: snapshot.chapters.count, title: snapshot.chapters[index].title)
    }
    return line
  }

  // MARK: Keys

  private func makeKeys() -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: queue)
    source.setEventHandler { [self] in readKeys() }
    source.resume()
    return source
  }

  private func readKeys() {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(0, &bytes, bytes.count)
    // The terminal is gone; the signal that says so is on its way.
    guard count > 0 else { return state.withLock { $0.keys?.cancel() } }
    let keys = state.withLock { $0.decoder.take(bytes[..<count]) }
    for key in keys { press(key) }
  }

  private func press(_ key: Key) {
    let snapshot = player.snapshot
    switch key {
    case .character(" "): player.setPaused(!snapshot.isPaused)
    case .left: player.seek(by: .seconds(-10))
    case .right: player.seek(by: .seconds(30))
    case .up: player.seek(by: .seconds(60))
    case .down: player.seek(by: .seconds(-60))
    case .character(","): player.skipChapters(-1)
    case .character("."): player.skipChapters(1)
    case .character("["): change { $0.speed = max(Sound.speeds.lowerBound, $0.speed - 0.1) }
    case .character("]"): change { $0.speed = min(Sound.speeds.upperBound, $0.speed + 0.1) }
    case .character("="): change { $0.speed = 1 }
    case .character("-"): change { $0.volume = max(Sound.volumes.lowerBound, $0.volume - 5) }
    case .character("+"): change { $0.volume = min(Sound.volumes.upperBound, $0.volume + 5) }
    case .character("t"): change { $0.trim = $0.trim.next }
    case .character("b"): change { $0.boost.toggle() }
    case .character("q"): player.stop()
    default: break
    }
  }

  private func change(_ change: (inout Sound) -> Void) {
    var sound = player.snapshot.sound
    change(&sound)
    player.setSound(sound)
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
    Self.clearLine()
    RawMode.restore()
    kill(getpid(), SIGSTOP)
    if state.withLock({ $0.keys != nil }) { _ = RawMode.enter() }
    state.withLock { $0.drawn = "" }
    player.setPaused(wasPaused)
  }
}

extension Sound.Trim {
  /// The level after this one, and from the last to the first.
  fileprivate var next: Self {
    let all = Self.allCases
    let index = all.firstIndex(of: self).map { all.index(after: $0) } ?? all.startIndex
    return all.indices.contains(index) ? all[index] : all[all.startIndex]
  }
}
