import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit
import System
import Text

/// `podcli` alone on a terminal: the full screen, from the first frame to the last line below it.
final class FullScreen {
  private let context: Context
  private let terminal: ScreenTerminal
  private let happenings: AsyncStream<ScreenHappening>
  private let send: @Sendable (ScreenHappening) -> Void
  private var state: ScreenState
  private let isPlainTerminal: Bool
  private var transcriptLines: TranscriptLines?
  private var work: ScreenWork?
  /// Asked for before the library was open.
  private var held: [ScreenEffect] = []
  /// Why the library cannot be opened. Other podclis run all the same: they tell more about it, and mend it.
  private var libraryFailure: Failure?
  private let programs: ScreenPrograms

  /// On a terminal that can place its cursor. `--json`, `--quiet` and `--verbose` are for commands.
  static func isWanted(_ invocation: Invocation, _ environment: Environment) -> Bool {
    let isForCommand =
      invocation[GlobalOptions.json] || invocation[GlobalOptions.quiet] || invocation[GlobalOptions.verbose]
    let terminal = environment["TERM"] ?? "dumb"
    return !isForCommand && isatty(0) == 1 && isatty(1) == 1 && terminal != "dumb"
  }

  /// `options`: those that every podcli started from here gets, too.
  init(
    _ program: @escaping @Sendable () -> Program, _ context: Context, _ environment: Environment, options: [String]
  ) {
    self.context = context
    let (stream, continuation) = AsyncStream.makeStream(of: ScreenHappening.self)
    happenings = stream
    send = { continuation.yield($0) }
    programs = ScreenPrograms(options: options) { continuation.yield(.event($0)) }
    isPlainTerminal = environment["TERM"] == "linux"
    let config = (try? context.live.config.values()) ?? [:]
    let mouse = Settings(config: config)[SettingKeys.mouse]
    terminal = ScreenTerminal(usesColor: context.console.usesColor, mouse: mouse, send: send)
    state = ScreenState(program, size: ScreenSession.size ?? Size(columns: 80, rows: 24), now: .now)
    if context.console.usesColor { state.pictureKind = PictureTerminal.kind(in: environment) }
  }

  func run() async throws(Failure) {
    await readFirst()
    guard terminal.begin(with: cells()) else {
      throw Failure(.failed, "the terminal cannot be used", hint: "podcli help shows the commands")
    }
    terminal.watchSignals()
    terminal.listen()
    openLibrary()
    perform(ScreenUpdate.first)
    for await happening in happenings {
      if let end = await take(happening) { return try await leave(end) }
    }
  }

  // MARK: The first frame

  /// Reads only what it shows, on this thread: starting another takes longer.
  private func readFirst() async {
    do throws(StoreError) {
      let store = try context.live.store(.readOnly, on: MainThread.executor)
      let home = try await ScreenLibrary.home(store, at: .start, count: max(20, state.size.rows), brief: true)
      let status = try await PlayerStatus.current(store, context.live.paths, known: home.begun.first)
      held += ScreenUpdate.update(&state, .home(home)) + ScreenUpdate.update(&state, .status(status))
      await store.close()
    } catch {
      held += ScreenUpdate.update(&state, .failed(.home, Failure(error).text))
    }
  }

  /// On a thread of its own: it may have to wait for another podcli.
  private func openLibrary() {
    onThread { [live = context.live, send] in
      var opening = ScreenLibraryOpening()
      do throws(StoreError) {
        opening.store = try live.store(.readWrite)
      } catch {
        opening.failure = Failure(error)
        opening.store = try? live.store(.readOnly)
      }
      send(.opened(opening))
    }
  }

  // MARK: Happenings

  /// The way to leave, where this was the last.
  private func take(_ happening: ScreenHappening) async -> ScreenEnd? {
    switch happening {
    case .event(let event): return update(event)
    case .bytes(let bytes): return update(terminal.inputs(in: bytes))
    case .silence(let number): return update(terminal.inputs(afterSilence: number))
    case .frame: terminal.frameIsDue()
    case .writable: terminal.flush()
    case .opened(let opening): if let end = await take(opening) { return end }
    case .finished: break
    case .signal(let number): return takeSignal(number)
    }
    draw()
    return nil
  }

  private func update(_ inputs: [Input]) -> ScreenEnd? {
    for input in inputs {
      if let end = update(.input(input)) { return end }
    }
    return nil
  }

  private func update(_ event: ScreenEvent) -> ScreenEnd? {
    state.now = .now
    let before = state
    let effects = ScreenUpdate.update(&state, event)
    if case .libraryChanged = event {
      work?.lookForPlayer()
      if work == nil, libraryFailure != nil { openLibrary() }
    }
    let end = perform(effects)
    if end == nil, mayShow(event, after: before) { draw() }
    return end
  }

  /// False where nothing that is drawn can have changed: while an episode plays, half of the events are such.
  private func mayShow(_ event: ScreenEvent, after before: ScreenState) -> Bool {
    switch event {
    case .libraryChanged, .podcastCount, .moved: false
    case .queue: state.queue != before.queue
    // The player's status may have told of the position before.
    case .reached: state.player.position != before.player.position
    // The last word may have told of this second.
    case .status: state.nextWord == nil || !isStill(since: before)
    default: true
    }
  }

  /// Whether only the position has changed, within the same second and word.
  private func isStill(since before: ScreenState) -> Bool {
    var player = before.player
    player.position = state.player.position
    return player == state.player && state.message == before.message && state.nextWord == before.nextWord
      && state.transcript.selected == before.transcript.selected && PlayerBar(state).text == PlayerBar(before).text
  }

  private func take(_ opening: ScreenLibraryOpening) async -> ScreenEnd? {
    guard let store = opening.store else {
      libraryFailure = opening.failure
      let effects = held
      held = []
      return perform([.loadHome(.start)] + effects)
    }
    work = ScreenWork(store, context.live, programs) { [send] in send(.event($0)) }
    work?.watch()
    if let failure = opening.failure {
      _ = update(.said(.init(failure: failure.text)))
    } else {
      work?.sync()
    }
    let effects = held
    held = []
    perform(effects)
    if libraryFailure != nil { _ = update(.libraryChanged) }
    libraryFailure = nil
    // A library that came to be just now, or a window larger than that of the first frame.
    return perform([.loadHome(ScreenUpdate(state: state).anchor(of: .home))])
  }

  // MARK: Effects

  /// The end, where an effect is to leave.
  @discardableResult
  private func perform(_ effects: [ScreenEffect]) -> ScreenEnd? {
    for effect in effects {
      switch effect {
      case .redraw: terminal.forget()
      case .wait(let position, let delay): terminal.wait(delay, then: .event(.reached(position)))
      case .askTerminal: terminal.askAttributes()
      case .suspend: suspend()
      case .copy(let text):
        terminal.send("\u{1B}]52;c;" + String(decoding: Base64.encoded(Array(text.utf8)), as: UTF8.self) + "\u{7}")
        _ = ScreenUpdate.update(&state, .said(.init(text: "Copied: \(text)")))
      case .leave(let stops): return .key(stops: stops)
      default:
        if let work {
          work.perform(effect, width: state.size.columns - 2)
        } else if let libraryFailure {
          if let end = refuse(effect, libraryFailure) { return end }
        } else {
          held.append(effect)
        }
      }
    }
    return nil
  }

  /// Without a library only other programs can run.
  private func refuse(_ effect: ScreenEffect, _ failure: Failure) -> ScreenEnd? {
    guard !programs.perform(effect, width: state.size.columns - 2) else { return nil }
    let event: ScreenEvent? =
      switch effect {
      case .loadHome: .failed(.home, failure.text)
      case .loadQueue: .failed(.queue, failure.text)
      case .loadPodcasts: .failed(.podcasts, failure.text)
      case .countPodcasts, .loadPicture: nil
      default: .said(.init(failure: failure.text))
      }
    return event.flatMap { update($0) }
  }

  private func draw() { terminal.draw(cells) }

  private func cells() -> Cells {
    let cells = ScreenDrawing.draw(state, keeping: &transcriptLines)
    return isPlainTerminal ? cells.replacing(PlainGlyphs.table) : cells
  }

  // MARK: Signals

  private func takeSignal(_ number: Int32) -> ScreenEnd? {
    switch number {
    case SIGWINCH: if let size = ScreenSession.size { return update(.resized(size)) }
    case SIGTSTP: suspend()
    case SIGCONT: resume()
    default: return .signal(number)
    }
    return nil
  }

  /// Gives the terminal back to the shell, and stops this process until it is continued.
  private func suspend() {
    terminal.end()
    Signals.stopProcess()
    resume()
  }

  /// In the background the screen waits for the next `fg`.
  private func resume() {
    guard !terminal.isActive, SharedTerminal.isInForeground(0) else { return }
    if let size = ScreenSession.size { perform(ScreenUpdate.update(&state, .resized(size))) }
    if terminal.begin(with: cells()) { terminal.listen() }
  }

  // MARK: The end

  /// Leaving never stops the sound. A player that is paused in the background has none, and no face any more.
  private func leave(_ end: ScreenEnd) async throws(Failure) {
    terminal.end()
    programs.end(.watching)
    // A start that Q finds under way is given up, and one that waits for the library never begins.
    var isStarting = work?.isStartingPlayer == true
    if case .key(stops: true) = end {
      if programs.endStarts() { isStarting = true }
      held.removeAll { if case .play = $0 { true } else { false } }
    }
    if case .key = end { await finishWork() }
    // It may have begun only now.
    if case .key(stops: true) = end, programs.endStarts() { isStarting = true }
    let isPlaying = state.player.state == .playing || state.player.state == .buffering
    switch end {
    case .key(let stops):
      if stops && isStarting || state.player.state != .stopped && (stops || !isPlaying && state.player.isDetached) {
        if let failure = work?.stopPlayer() { throw failure }
        context.console.say("Stopped; go on with: podcli resume")
      } else if isPlaying {
        let title = state.player.entry.map { CleanText.line($0.distinctTitle) } ?? "an episode"
        context.console.say("Still playing \(title): podcli comes back, podcli stop ends it")
      }
      switch programs.underWay {
      case "download"?: context.console.say("Still downloading: podcli downloads shows how far it is")
      case "refresh"?: context.console.say("Still refreshing: podcli shows what came")
      default: break
      }
    case .signal(let number): _exit(128 + number)
    }
  }

  /// Longer than another process may hold the library.
  private static let longestEnd = Duration.seconds(8)

  /// Carries out all that keys asked for before podcli ends: marks, moves in the queue, words to the player. A failure is
  /// told below the screen. A signal ends the waiting.
  private func finishWork() async {
    guard work != nil || libraryFailure == nil else { return }
    if work != nil { finishEffects() }
    MainThread.executor.call(after: Self.longestEnd) { [send] in send(.finished(isWhole: false)) }
    for await happening in happenings {
      switch happening {
      case .finished(let isWhole):
        if !isWhole, work != nil {
          context.console.complain("podcli ended before all was done: the last changes may be missing")
        }
        return
      case .event(.said(let message)) where message.isError: context.console.complain(message.text)
      // The player's status decides how the screen is left.
      case .event(let event): _ = ScreenUpdate.update(&state, event)
      case .opened(let opening):
        if opening.store == nil, !held.isEmpty, let failure = opening.failure { context.console.complain(failure.text) }
        _ = await take(opening)
        guard work != nil else { return }
        finishEffects()
      case .signal(let number) where Signals.ending.contains(number): _exit(128 + number)
      default: break
      }
    }
  }

  private func finishEffects() {
    Task { [work, send] in
      await work?.finish()
      send(.finished(isWhole: true))
    }
  }
}

/// The way in which the screen is left.
enum ScreenEnd: Sendable {
  case key(stops: Bool)
  case signal(Int32)
}

/// The library once it is open for writing, or the reason why it is not.
struct ScreenLibraryOpening: Sendable {
  var store: PodcastStore?
  var failure: Failure?
}

/// Glyphs that the Linux console's fonts lack, and those that stand for them.
enum PlainGlyphs {
  static let table: [Character: Character] = [
    "▌": ">", "━": "=", "╸": "-", "─": "-", "●": "*", "◐": "o", "✓": "x", "★": "+", "▶": ">", "⏸": "|", "■": "#",
    "…": "~",
    "↻": "@", "↓": "v", "↑": "^", "←": "<", "→": ">", "›": ">",
  ]
}
