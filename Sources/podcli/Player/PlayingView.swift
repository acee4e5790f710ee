import Dispatch
import Glibc
import PodcastModel
import Podcatcher
import ScreenKit
import Synchronization
import System

/// The line and the keys while an episode plays. All work is done on one queue of its own.
///
/// The terminal is shared with the shell: keys are taken and the line is drawn only in the foreground.
final class PlayingView: Sendable {
  /// The player that is shown, and that keys control.
  struct Player: Sendable {
    var status: @Sendable () -> PlayerStatus?
    var press: @Sendable (ControlWord.Key) -> Void
    var help = PlayingKeys.helpText()
    /// Set where the sound comes from this process, which Ctrl-Z stops.
    var listener: Listener?
  }

  private struct State {
    var player: Player?
    /// Standard input is a terminal. Known from the start of playing on: `-` reads a list from it before that.
    var hasKeys = false
    var timer: (any DispatchSourceTimer)?
    var keys: (any DispatchSourceRead)?
    /// Playing goes on after the next SIGCONT.
    var wasPlaying = false
    var decoder = InputDecoder()
    /// How often keys were read.
    var reads = 0
    var drawn = ""
    /// The change that a key has just made, shown for a moment.
    var hint: (text: String, until: Duration)?
  }

  private let state = Mutex(State())
  private let console: Console
  private let queue = DispatchQueue(label: "podcli.line")
  private let draws: Bool
  private let catchesStops = Atomic(false)

  init(console: Console) {
    self.console = console
    draws = console.isErrorTerminal && !console.isQuiet
  }

  func start(_ listener: Listener) {
    start(Player(status: { listener.status }, press: { listener.perform($0.command) }, listener: listener))
  }

  func start(_ player: Player) {
    state.withLock { state in
      state.player = player
      state.hasKeys = isatty(0) == 1
      guard state.hasKeys || draws else { return }
      state.timer = makeTimer()
    }
    if !catchesStops.exchange(true, ordering: .relaxed) { catchStops() }
  }

  /// Does not wait long for a terminal that takes nothing.
  func stop() {
    let isDone = DispatchSemaphore(value: 0)
    queue.async { [self] in
      state.withLock { state in
        state.timer?.cancel()
        state.keys?.cancel()
        state = State()
      }
      SharedTerminal.clearLine()
      RawMode.restore()
      isDone.signal()
    }
    if isDone.wait(timeout: .now() + .milliseconds(200)) == .timedOut { _ = SharedTerminal.leave() }
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
    let (player, hint) = state.withLock { ($0.player, $0.hint) }
    guard let status = player?.status(), var shown = PlayingLine(status) else { return }
    if status.position == nil, status.state != .paused { shown.mode = .opening }
    if let hint, Monotonic.now() < hint.until { shown.note = hint.text }
    // The last column stays empty: some terminals wrap as soon as it is written.
    let line = shown.rendered(width: Console.columns() - 1)
    let isNew = state.withLock { state in
      defer { state.drawn = line }
      return state.drawn != line
    }
    guard isNew else { return }
    SharedTerminal.draw(line)
  }

  /// Shows a text in the line for two seconds.
  func hint(_ text: String) {
    state.withLock { $0.hint = (text, Monotonic.now() + .seconds(2)) }
    // The caller does not wait for a terminal that takes nothing.
    if draws { queue.async { [self] in draw() } }
  }

  // MARK: Keys

  /// Reads keys while podcli is in the terminal's foreground, and stops reading in the background, where a read would
  /// stop the process.
  private func holdKeys() {
    let (hasKeys, isHeld) = state.withLock { ($0.hasKeys, $0.keys != nil) }
    let isOurs = hasKeys && SharedTerminal.isInForeground(0)
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
    // The terminal is closed; SIGHUP is on its way.
    guard count > 0 else { return state.withLock { $0.keys?.cancel() } }
    press(state.withLock { $0.decoder.take(bytes[..<count]) })
    waitForSequence()
  }

  /// Without a byte that follows soon, Escape was a key, and no sequence has begun. The rest of a terminal's answer may
  /// take longer.
  private func waitForSequence() {
    let (reads, isKey, isOpen) = state.withLock { state in
      state.reads += 1
      return (state.reads, state.decoder.isWaiting, state.decoder.isWaiting || state.decoder.isInString)
    }
    guard isOpen else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(isKey ? 25 : 1000)) { [self] in
      press(
        state.withLock { state in
          guard state.reads == reads else { return [] }
          defer { state.decoder.leaveString() }
          return state.decoder.flush()
        })
    }
  }

  private func press(_ inputs: [Input]) {
    guard let player = state.withLock({ $0.player }) else { return }
    for case .key(let key) in inputs { press(key, player) }
  }

  private func press(_ key: Key, _ player: Player) {
    if key == PlayingKeys.help { return say(player.help) }
    if let key = PlayerCommandTable.key(named: key.name) { player.press(key) }
  }

  // MARK: Ctrl-Z

  private func catchStops() {
    Signals.catchAlways([SIGTSTP, SIGCONT], on: queue) { [self] number in
      if number == SIGTSTP { suspend() } else { goOn() }
    }
  }

  /// Stops the process, paused and with the terminal as it was before.
  private func suspend() {
    let listener = state.withLock { $0.player?.listener }
    let wasPaused = listener?.isPaused == true
    SharedTerminal.clearLine()
    letGoOfKeys()
    RawMode.restore()
    if let listener { Self.pauseAndSave(listener) }
    state.withLock { $0.wasPlaying = !wasPaused }
    Signals.stopProcess()
    goOn()
  }

  /// A stopped process saves nothing, and tells no other what it does. The shell does not wait for a locked library.
  private static func pauseAndSave(_ listener: Listener) {
    let isDone = DispatchSemaphore(value: 0)
    Task {
      await listener.pauseAndSave()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + .seconds(1))
  }

  /// In the foreground again, keys are read as before, whatever the shell has set; what played goes on.
  private func goOn() {
    let isHeld = state.withLock { $0.keys != nil }
    if isHeld, SharedTerminal.isInForeground(0) { _ = SharedTerminal.takeKeys() } else { holdKeys() }
    let listener = state.withLock { state in
      defer { state.wasPlaying = false }
      state.drawn = ""
      return state.wasPlaying ? state.player?.listener : nil
    }
    listener?.perform(.play)
  }
}
