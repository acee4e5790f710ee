import Dispatch
import Glibc
import Playback
import PodcastModel
import Podcatcher
import Synchronization

/// The line and the keys while an episode plays. Everything happens on one queue of its own.
final class PlayingFace: Sendable {
  private struct State {
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

  private let console: Console
  private let player: MPVPlayer
  private let queue = DispatchQueue(label: "podcli.face")
  private let state = Mutex(State())
  private let draws: Bool
  /// Whether there is a line to be wiped out, for whoever ends the process.
  private static let isLineDrawn = Atomic(false)

  init(console: Console, player: MPVPlayer) {
    self.console = console
    self.player = player
    draws = console.isTalkTerminal && !console.isQuiet
  }

  func start(_ listener: Listener) {
    let hasKeys = isatty(0) == 1 && tcgetpgrp(0) == getpgrp() && RawMode.enter()
    state.withLock { state in
      state.listener = listener
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

  /// A line of its own above the one that is redrawn.
  func say(_ text: String) {
    queue.async { [self] in
      Self.clearLine()
      state.withLock { $0.drawn = "" }
      console.say(text)
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
    Self.isLineDrawn.store(true, ordering: .relaxed)
    _ = Console.put("\r\(line)\u{1B}[K", on: Talk.descriptor)
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
    let (keys, listener) = state.withLock { ($0.decoder.take(bytes[..<count]), $0.listener) }
    guard let listener else { return }
    for key in keys { press(key, listener) }
  }

  private func press(_ key: Key, _ listener: Listener) {
    guard let action = PlayingKeys.action(for: key) else { return }
    switch action {
    case .pause: player.setPaused(!player.snapshot.isPaused)
    case .seek(let offset): player.seek(by: offset)
    case .change(let change):
      var sound = player.snapshot.sound
      change(&sound)
      player.setSound(sound)
      tell(sound)
    case .chapter(let steps): Task { await listener.skipChapters(steps) }
    case .next: Task { await listener.next() }
    case .previous: Task { await listener.previous() }
    case .sleep: Task { await cycleSleep(listener) }
    case .bookmark: Task { await bookmark(listener) }
    case .skipFrom: state.withLock { $0.skipStart = player.snapshot }
    case .skipTo: Task { await markSkip(listener) }
    case .showChapters: showChapters(listener)
    case .showNotes: Task { await showNotes(listener) }
    case .help: say(PlayingKeys.help)
    case .stop: Task { await listener.stop() }
    }
  }

  private func tell(_ sound: Sound) {
    let text = "volume \(Int(sound.volume)) %, trim \(sound.trim.rawValue), boost \(sound.boost ? "on" : "off")"
    state.withLock { $0.hint = (text, Monotonic.now() + .seconds(2)) }
    if draws { draw() }
  }

  private func showNotes(_ listener: Listener) async {
    guard let now = listener.nowPlaying else { return }
    let html = await listener.notes() ?? ""
    let text = PlainText.notes(html, baseURL: now.entry.episode.link).textWithLinks
    say(text.isEmpty ? "This episode has no notes" : CleanText.lines(text))
  }

  private func cycleSleep(_ listener: Listener) async {
    let modes: [SleepTimer.Mode?] = [
      .after(.seconds(900)), .after(.seconds(1800)), .after(.seconds(3600)), .endOfChapter, .episodes(1), nil,
    ]
    let index = modes.firstIndex(of: await listener.sleepMode) ?? modes.count - 1
    await listener.setSleep(modes[(index + 1) % modes.count])
  }

  private func bookmark(_ listener: Listener) async {
    if let place = await listener.bookmark() { say("Bookmarked \(ClockText.short(place))") }
  }

  private func markSkip(_ listener: Listener) async {
    let marked = state.withLock { state in
      defer { state.skipStart = nil }
      return state.skipStart
    }
    let now = player.snapshot
    guard let marked, marked.media == now.media, let start = marked.position, let end = now.position, end > start else {
      return say("Mark where it begins first, with {")
    }
    await listener.addSkip(start..<end)
    say("\(ClockText.short(start)) to \(ClockText.short(end)) will be skipped next time")
  }

  private func showChapters(_ listener: Listener) {
    guard let now = listener.nowPlaying, !now.chapters.isEmpty else { return say("This episode has no chapters") }
    for (index, chapter) in now.chapters.enumerated() {
      let mark = index == now.chapterIndex ? "▶" : " "
      say("\(mark) \(ClockText.short(.seconds(chapter.start)))  \(CleanText.line(chapter.title))")
    }
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

extension PlayingLine {
  init(_ now: NowPlaying) {
    let snapshot = now.snapshot
    self.init(title: now.entry.headline)
    position = snapshot.position ?? now.entry.status.lastListenTime ?? .zero
    duration = snapshot.duration ?? now.entry.episode.duration
    speed = snapshot.sound.speed
    note = now.note
    mode =
      if snapshot.position == nil { .opening } else if snapshot.isPaused { .paused } else if snapshot.isBuffering {
        .buffering
      } else { .playing }
    if let index = now.chapterIndex {
      chapter = Chapter(index: index, count: now.chapters.count, title: now.chapters[index].title)
    }
  }
}
