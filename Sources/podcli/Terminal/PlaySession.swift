import Dispatch
import Glibc
import Playback
import PodcastModel
import PodcastStore
import Podcatcher

/// One playing of podcli at a terminal: the lock, the engines, the keys, the line, and the last words.
final class PlaySession: Sendable {
  struct Options: Sendable {
    var isPaused = false
    var sound = Sound()
    var savesPlace = true
  }

  private let context: Context
  private let options: Options
  private let store: PodcastStore
  private let player: MPVPlayer
  private let lock: PlayerLock
  private var console: Console { context.console }

  /// Opens the library while libmpv is still being loaded.
  init(_ context: Context, _ options: Options) async throws(Failure) {
    self.context = context
    self.options = options
    let live = context.live
    if !context.console.isVerbose { Talk.keepLibrariesQuiet() }
    async let loading = Self.loadPlayer(live)
    store = try Self.openStore(live)
    guard let lock = live.playerLock() else { throw await Self.alreadyPlaying(live, store) }
    self.lock = lock
    player = try await loading.get()
  }

  private static func loadPlayer(_ live: Live) async -> Result<MPVPlayer, Failure> {
    Result { () throws(PlaybackError) in try live.player() }.mapError { Failure($0, about: "podcli") }
  }

  private static func openStore(_ live: Live) throws(Failure) -> PodcastStore {
    do throws(StoreError) {
      return try live.store(.readWrite)
    } catch {
      throw Failure(error)
    }
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

  /// Plays what `choose` finds, until it ends or is stopped.
  func run(_ choose: (PodcastStore) async throws -> (EpisodeEntry, Listener.Start)) async throws(Failure) {
    let (entry, start) = try await chosen(choose)
    lock.announce(entry.episode.id)
    let listener = context.live.listener(store: store, player: player, settings: settings)
    let lastWords = LastWords(listener: listener, player: player, store: store, context)
    let face = PlayingFace(console: console, player: player, listener: listener)
    announce(entry, start)
    face.start()
    let result = await Self.result(of: listener, entry, start, isPaused: options.isPaused)
    await lastWords.yieldToSignal()
    face.stop()
    if case .success(let verdict) = result, verdict != .interrupted { await report(verdict, entry) }
    await store.close()
    switch result {
    case .failure(let error): throw Failure(error, about: entry)
    case .success(.interrupted):
      throw Failure(
        .network, "the stream of \(entry.episode.title) broke off before its end",
        hint: "your place is kept; go on with: podcli resume")
    case .success: break
    }
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

  private var settings: Listener.Settings {
    var settings = Listener.Settings()
    settings.sound = options.sound
    settings.savesPlace = options.savesPlace
    return settings
  }

  private func chosen(
    _ choose: (PodcastStore) async throws -> (EpisodeEntry, Listener.Start)
  ) async throws(Failure) -> (EpisodeEntry, Listener.Start) {
    try await context.using(store, choose)
  }

  private func announce(_ entry: EpisodeEntry, _ start: Listener.Start) {
    let title = CleanText.line("\(entry.podcast.title): \(entry.episode.title)")
    switch start {
    case .resume:
      let place = entry.status.lastListenTime.map { " at " + ClockText.short($0) } ?? ""
      console.say((place.isEmpty ? "Playing " : "Resuming ") + title + place)
    case .at(let place): console.say("Playing \(title) from \(ClockText.short(place))")
    case .beginning: console.say("Playing \(title) from the start")
    }
  }

  private func report(_ verdict: EndVerdict, _ entry: EpisodeEntry) async {
    let kept = (try? await store.episode(entry.episode.id))??.status.lastListenTime
    if console.isJSON {
      context.printJSON([
        "state": JSON(verdict == .finished ? "finished" : "stopped"), "episode": EpisodeJSON.document(entry),
        "position": kept.map(EpisodeJSON.seconds),
      ])
    }
    switch verdict {
    case .finished: console.say("Finished \(CleanText.line(entry.episode.title))")
    default:
      let place = kept.map { " at " + ClockText.short($0) } ?? ""
      console.say("Stopped\(place); go on with: podcli resume")
    }
  }
}
