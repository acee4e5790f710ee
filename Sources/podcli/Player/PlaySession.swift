import Playback
import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// One playing of podcli at a terminal: the lock, the engines, the keys, the line, and the last words.
final class PlaySession: Sendable {
  /// What the command line says; nil leaves it to the settings.
  struct Options: Sendable {
    var isPaused = false
    var speed: Double?
    var volume: Double?
    var trim: Sound.Trim?
    var boost: Bool?
    var sleep: SleepTimer.Mode?
    var until: TimeExpression?
    var savesPosition = true
    var hasAutoplay = true
  }

  private let context: Context
  private let options: Options
  private let store: PodcastStore
  private let player: MPVPlayer
  private let lock: PlayerLock
  private let stateFile: PlayerStateFile
  private var console: Console { context.console }

  /// The player comes first: it loads libmpv while the library is opened and the medium is asked for.
  init(_ context: Context, _ options: Options) async throws(Failure) {
    self.context = context
    self.options = options
    let live = context.live
    if !context.console.isVerbose { StandardError.keepLibrariesQuiet() }
    player = live.player()
    store = try context.openStore(.readWrite)
    guard let lock = live.playerLock() else { throw await Self.alreadyPlaying(live, store) }
    self.lock = lock
    stateFile = live.playerStateFile()
  }

  private static func alreadyPlaying(_ live: Live, _ store: PodcastStore) async -> Failure {
    let holder = live.otherPlayer()
    var title = "something"
    if let id = holder?.episode, let entry = try? await store.episode(id) {
      title = "\(entry.podcast.title): \(entry.episode.title)"
    }
    let pid = holder.map { " (pid \($0.pid))" } ?? ""
    return Failure(
      .alreadyPlaying, "another podcli\(pid) is playing \(title)",
      hint: "stop it first, or use another library with --library DIR")
  }

  /// Plays what `choose` finds, and what follows, until it ends or is stopped.
  func run(_ choose: (PodcastStore) async throws -> (EpisodeEntry, Listener.Start)) async throws(Failure) {
    let config = try context.config()
    let (entry, start) = try await context.using(store, choose)
    let stop = try stopPosition(in: entry, from: start)
    await store.hurry()
    let face = PlayingView(console: console, player: player)
    let patience = Settings(config: config)[SettingKeys.networkPatience]
    let listener = context.live.listener(
      store: store, player: player, patience: patience, settings: settings(config)
    ) { [self] report in
      take(report, face)
    } publish: { [stateFile] state in
      stateFile.publish(state)
    }
    let shutdown = Shutdown(listener: listener, store: store, context) { [self] in
      stateFile.remove()
      lock.endWell()
    }
    if let sleep = options.sleep { await listener.setSleep(sleep) }
    if let stop { await listener.stop(at: stop) }
    face.start(listener)
    let result = await Self.result(of: listener, entry, start, isPaused: options.isPaused)
    if let place = await listener.unsaved { context.live.writeSideFile(place, store) }
    await shutdown.yieldToSignal()
    face.stop()
    stateFile.remove()
    await sayHowItEnded(result)
    _ = try? await context.live.mediaCare(store: store, config: config).trimCache()
    await store.close()
    lock.endWell()
    // It may have gone on from one to the next.
    try Self.check(result, about: listener.nowPlaying?.entry ?? entry)
  }

  /// Where it is to stop, in the episode that plays first.
  private func stopPosition(in entry: EpisodeEntry, from start: Listener.Start) throws(Failure) -> Duration? {
    guard let until = options.until else { return nil }
    let begin =
      switch start {
      case .beginning: Duration.zero
      case .resume: entry.status.lastListenTime ?? .zero
      case .at(let place): place
      }
    let stop = try until.position(in: entry, from: begin, example: "--until 41:07")
    guard stop > begin else {
      throw Failure(
        .usage, "it is to start at \(ClockText.short(begin)) and to stop at \(ClockText.short(stop))",
        hint: "give a later time, such as --until +10m")
    }
    return stop
  }

  private static func result(
    of listener: Listener, _ entry: EpisodeEntry, _ start: Listener.Start, isPaused: Bool
  ) async -> Result<EndVerdict, ListenError> {
    do throws(ListenError) {
      return .success(try await listener.listen(to: entry, from: start, isPaused: isPaused))
    } catch {
      return .failure(error)
    }
  }

  private static func check(_ result: Result<EndVerdict, ListenError>, about last: EpisodeEntry) throws(Failure) {
    switch result {
    case .failure(let error): throw Failure(error, about: last)
    case .success(.interrupted):
      throw Failure(
        .network, "the stream of \(last.episode.title) broke off before its end",
        hint: "your place is kept; go on with: podcli resume")
    case .success: break
    }
  }

  /// Flags over the podcast's settings over everybody's.
  private func settings(_ config: [String: String]) -> @Sendable (EpisodeEntry) async -> Listener.Settings {
    { [options, store] entry in
      // A library that is busy for a moment must not keep the episode from playing.
      let ofPodcast = (try? await store.settings(of: entry.podcast.id)) ?? [:]
      var settings = Listener.Settings(Settings(podcast: ofPodcast, config: config))
      settings.sound.speed = options.speed ?? settings.sound.speed
      settings.sound.volume = options.volume ?? settings.sound.volume
      settings.sound.trim = options.trim ?? settings.sound.trim
      settings.sound.boost = options.boost ?? settings.sound.boost
      settings.savesPosition = options.savesPosition
      if !options.hasAutoplay { settings.autoplay = .off }
      return settings
    }
  }

  // MARK: What is said

  private func take(_ report: Listener.Report, _ face: PlayingView) {
    switch report {
    case .started(let entry, let start):
      lock.announce(entry.episode.id)
      face.say(Self.announcement(entry, start))
    case .finished(let entry): face.say("Finished \(CleanText.line(entry.episode.title))")
    case .waitingForAudio: face.say("The audio device is gone; going on when it is back (q stops)")
    case .behindItsEnd(let kept, let length, let start):
      face.say(
        "The episode is over at \(ClockText.short(length)) now, before your place at \(ClockText.short(kept)), "
          + "which is a bookmark; playing from \(start > .zero ? ClockText.short(start) : "the start")")
    case .fileChanged: face.say("The publisher changed the file; going on in the new one, where your place may differ")
    case .nothingThere: face.say("There is no other episode to go to")
    case .asleep(let place):
      face.say("Good night." + (place.map { " Your place is kept: " + ClockText.short($0) } ?? ""))
    }
  }

  private static func announcement(_ entry: EpisodeEntry, _ start: Listener.Start) -> String {
    let title = entry.headline
    switch start {
    case .resume:
      guard let place = entry.status.lastListenTime, place > .zero else { return "Playing \(title)" }
      return "Resuming \(title) at \(ClockText.short(place))"
    case .at(let place): return "Playing \(title) from \(ClockText.short(place))"
    case .beginning: return "Playing \(title) from the start"
    }
  }

  private func sayHowItEnded(_ result: Result<EndVerdict, ListenError>) async {
    if case .success(.stopped) = result {
      await sayWhereItStopped()
    } else if case .success(.finished) = result, console.isJSON {
      await printLastPlayed()
    }
  }

  private func printLastPlayed() async {
    guard let last = try? await store.lastPlayed() else { return }
    context.printJSON(["state": "stopped", "episode": EpisodeJSON.document(last)])
  }

  private func sayWhereItStopped() async {
    guard let current = try? await store.current() else { return }
    if console.isJSON {
      context.printJSON([
        "state": "stopped", "episode": EpisodeJSON.document(current),
        "position": current.status.lastListenTime.map(EpisodeJSON.seconds),
      ])
    }
    let place = current.status.lastListenTime.map { " at " + ClockText.short($0) } ?? ""
    console.say("Stopped\(place); go on with: podcli resume")
  }
}
