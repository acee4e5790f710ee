import CommandKit
import Glibc
import PodcastModel
import PodcastStore
import Podcatcher
import Synchronization
import Text

/// A play journey at a terminal: the choice of the episode, the line and the keys, and the words for how it ended.
struct PlaySession {
  private let context: Context
  private let invocation: Invocation
  private let view: PlayingView
  private let until: TimeExpression?
  private let unplayable: Unplayable
  private var console: Console { context.console }
  /// Called before the first sound.
  var onStart: @Sendable (Listener) -> Void = { _ in }

  typealias Choice = (PodcastStore) async throws -> (EpisodeEntry, Listener.Start)

  init(_ context: Context, _ invocation: Invocation, _ unplayable: Unplayable = Unplayable()) {
    self.unplayable = unplayable
    self.context = context
    self.invocation = invocation
    until = invocation[PlayOptions.until]
    view = PlayingView(console: context.console)
  }

  /// Plays what `choose` finds, here or in the background.
  static func start(
    _ context: Context, _ invocation: Invocation, _ unplayable: Unplayable = Unplayable(), _ choose: Choice
  ) async throws(Failure) {
    if invocation[PlayOptions.detach] { return try await BackgroundPlayer(context, invocation).start(choose) }
    try await PlaySession(context, invocation, unplayable).run(choose)
  }

  /// Plays what `choose` finds, and what follows, until it ends or is stopped.
  func run(_ choose: Choice) async throws(Failure) {
    if !console.isVerbose { StandardError.keepLibrariesQuiet() }
    // First, so that libcurl is loaded while the library is opened.
    let journey = context.live.playJourney(PlayOptions.read(invocation))
    let store = try openStore()
    guard try lock(journey) else { throw await alreadyPlaying(store) }
    let config = try context.config()
    let (entry, start) = try await chosen(choose, in: store)
    let stop = try await stopPosition(in: entry, from: start, store, config)
    let ending = await journey.play(entry, from: start, until: stop, in: store, config) { [self] report in
      take(report)
    } onStart: { listener, shutdown in
      watchSignals(shutdown)
      view.start(listener)
      onStart(listener)
    }
    view.stop()
    let sayEnd = await endReport(ending, store)
    let last = (try? await store.episode(ending.last.episode.id)) ?? ending.last
    let failure = failure(of: ending, last)
    await journey.letNextIn(
      store, after: ending, failure.map { .init(episode: last.episode.id, reason: Self.reason($0, of: last)) })
    sayEnd()
    await journey.close(store, context.live.mediaCare(store: store, config: config))
    if let failure { throw failure }
    if let partial = unplayable.failure { throw partial }
  }

  /// Episodes of a list that was asked for which were passed over.
  final class Unplayable: Sendable {
    private let entries = Mutex<[EpisodeEntry]>([])
    private let listed = Mutex<Set<EpisodeID>>([])

    func expect(_ ids: [EpisodeID]) { listed.withLock { $0.formUnion(ids) } }

    func add(_ entry: EpisodeEntry) {
      remove(entry)
      guard listed.withLock({ $0.contains(entry.episode.id) }) else { return }
      entries.withLock { $0.append(entry) }
    }

    /// It plays after all.
    func remove(_ entry: EpisodeEntry) { entries.withLock { $0.removeAll { $0.episode.id == entry.episode.id } } }

    var failure: Failure? {
      let entries = entries.withLock { $0 }
      guard let first = entries.first else { return nil }
      let others = entries.count == 1 ? "" : " and \(counted(entries.count - 1, "other"))"
      return Failure(
        .partial, "\(first.episode.title)\(others) could not be played",
        hint: entries.count == 1 ? "it stays in the queue" : "they stay in the queue")
    }
  }

  /// The episode and the start that `choose` finds, once the library has what other machines did.
  func chosen(_ choose: Choice, in store: PodcastStore) async throws(Failure) -> (EpisodeEntry, Listener.Start) {
    context.sayHowEpisodesCome(
      ofPodcasts: await context.live.syncer(store: store).runQuietly(atMost: .seconds(1)))
    let (entry, start) = try await context.using(store, choose)
    if start == .resume { await sayWhereHeard(entry, store) }
    return (entry, start)
  }

  /// An episode that goes on from another machine says so, and one that was further there.
  private func sayWhereHeard(_ entry: EpisodeEntry, _ store: PodcastStore) async {
    guard let heard = try? await store.heardElsewhere(entry.episode.id) else { return }
    for line in SyncText.lines(heard, from: entry.status.lastListenTime) { console.say(line) }
  }

  /// A playing that saves nothing needs no library that can be written.
  func openStore() throws(Failure) -> PodcastStore {
    do throws(StoreError) {
      return try context.openLibrary(.readWrite)
    } catch {
      guard invocation[PlayOptions.noSave], error.isAboutWriting else { throw Failure(error) }
      return try context.openStore(.readOnly)
    }
  }

  private func lock(_ journey: PlayJourney) throws(Failure) -> Bool {
    do throws(StoreError) {
      return try journey.takeLock()
    } catch {
      var failure = Failure(error)
      failure.hint = "without keeping the position: podcli play EPISODE --no-save"
      throw failure
    }
  }

  func alreadyPlaying(_ store: PodcastStore) async -> Failure {
    let holder = context.live.otherPlayer()
    if let pid = holder?.pid, Failure.isSuspended(pid) { return Failure(suspended: pid, .alreadyPlaying) }
    var title = "something"
    if let id = holder?.episode, let entry = try? await store.episode(id) {
      title = "\(entry.podcast.title): \(entry.episode.title)"
    }
    let pid = holder.map { " (pid \($0.pid))" } ?? ""
    let way = await wanted(store).map { "switch it with podcli open \($0)" } ?? "show it with podcli attach"
    return Failure(
      .alreadyPlaying, "another podcli\(pid) is playing \(title)",
      hint: way + ", end it with podcli stop, or use another library with --library DIR")
  }

  /// For `podcli open`, which takes the number of an episode.
  private func wanted(_ store: PodcastStore) async -> Int64? {
    guard let words = invocation[PlayOptions.episode], words != "-",
      let choice = try? await Selection(in: store).episode(words)
    else { return nil }
    return choice.entry.episode.id.rawValue
  }

  /// The position of `--until`, in the episode that plays first.
  private func stopPosition(
    in entry: EpisodeEntry, from start: Listener.Start, _ store: PodcastStore, _ config: [String: String]
  ) async throws(Failure) -> Duration? {
    guard let until else { return nil }
    let podcast = (try? await store.settings(of: entry.podcast.id)) ?? [:]
    let intro = Listener.start(of: entry, behind: Settings(podcast: podcast, config: config)[SettingKeys.skipIntro])
    let begin =
      switch start {
      case .beginning: intro
      case .resume: entry.status.lastListenTime.map { $0 > .zero ? $0 : intro } ?? intro
      case .at(let position): position
      }
    let stop = try until.position(in: entry, from: begin, example: "--until 41:07")
    guard stop > begin else {
      throw Failure(
        .usage, "it is to start at \(ClockText.short(begin)) and to stop at \(ClockText.short(stop))",
        hint: "give a later time, such as --until +10m")
    }
    return stop
  }

  // MARK: Signals

  /// A signal ends playing by the shutdown's order, and the process with 128 and its number.
  private func watchSignals(_ shutdown: Shutdown) {
    Signals.watchAlways(Signals.ending, on: shutdown.queue) { [console] signal in
      shutdown.begin(signal) { outcome in
        if SharedTerminal.leave() {
          switch outcome {
          // Where none is to be saved there is none to go on at.
          case .saved(nil): break
          case .saved(let position?): console.say(Self.stopped(at: position))
          case .lost(let lost): console.complain(Self.failure(lost))
          }
        }
        _exit(128 + signal)
      }
    }
  }

  // MARK: Reports

  private func take(_ report: Listener.Report) {
    if case .accepted(let entry, _) = report { unplayable.remove(entry) }
    switch report {
    // A position that was typed may lie behind the end: nothing is said of it before that is known.
    case .started(_, .at, _): break
    // The line would precede the document of a failure.
    case .accepted where console.isJSON, .started where console.isJSON: break
    case .accepted(let entry, .at(let position)):
      view.say("Playing \(entry.headline) from \(ClockText.short(position))")
    case .started(let entry, let start, let begin): view.say(Self.announcement(entry, start, begin))
    case .finished(let entry): view.say("Finished \(CleanText.line(entry.episode.title))")
    case .headphonesGone: view.say("Headphones gone: paused; space goes on")
    case .hookFailed(let failure): view.say(Failure(failure).line)
    case .waitingForAudio: view.say("The audio device is gone; going on when it is back (q stops)")
    case .behindItsEnd(let kept, let length, let start):
      view.say(
        "The episode is over at \(ClockText.short(length)) now, before your position at \(ClockText.short(kept)), "
          + "which is a bookmark; playing from \(start > .zero ? ClockText.short(start) : "the start")")
    case .startRefused(let position, let length):
      view.say("The episode is over at \(ClockText.short(length)), before \(ClockText.short(position))")
    case .jumpFailed(let entry, let error, let position):
      view.say(Failure(error, about: entry).line)
      view.say("Going on at \(ClockText.short(position))")
    case .fileChanged(let moved): view.say(MovedText.line(moved))
    case .nothingThere: view.say("There is no other episode to go to")
    case .cannotPlay(let entry, let error):
      unplayable.add(entry)
      view.say(Failure(error, about: entry).line)
    case .asleep(let kept):
      view.say("Good night." + (kept.map { " Your position is kept: " + ClockText.short($0) } ?? ""))
    case .sound(let volume, let trim, let boost):
      view.hint(PlayingLine.soundText(volume: volume, trim: trim, boost: boost))
    case .noSocket(let reason):
      if console.isVerbose {
        view.say("Other programs cannot control this player: its socket cannot be made: \(reason)")
      }
    default: answer(report)
    }
  }

  /// The answers to keys.
  private func answer(_ report: Listener.Report) {
    switch report {
    case .bookmarked(let position?): view.say("Bookmarked \(ClockText.short(position))")
    case .bookmarked(nil): view.say("No bookmark could be made; try again")
    case .skipHasNoStart: view.say("Mark where it begins first, with {")
    case .skipIsTooShort: view.say("That is less than a second: mark it anew, with { and }")
    case .skipAdded(let skip, let isKept):
      let range = "\(ClockText.short(skip.lowerBound)) to \(ClockText.short(skip.upperBound))"
      view.say(
        isKept ? "\(range) will be skipped next time" : "\(range) is skipped now; the library would not keep it")
    case .chapters(let chapters, let playing):
      PlayingPages.chapters(chapters, playing: playing).forEach(view.say)
    case .notes(let details): view.say(PlayingPages.notes(details))
    default: break
    }
  }

  private static func announcement(_ entry: EpisodeEntry, _ start: Listener.Start, _ begin: Duration) -> String {
    let title = entry.headline
    guard start == .resume else { return "Playing \(title) from the start" }
    guard let kept = entry.status.lastListenTime, kept > .zero else { return "Playing \(title)" }
    return "Resuming \(title) at \(ClockText.short(begin))"
  }

  // MARK: The end

  /// Reads what is to be said, and returns what says it.
  private func endReport(_ ending: PlayJourney.Ending, _ store: PodcastStore) async -> () -> Void {
    // The failure that the command ends with says more.
    guard ending.lost == nil, case .success(let verdict) = ending.result else { return {} }
    switch verdict {
    case .stopped where invocation[PlayOptions.noSave]:
      return { tell(ending.last, at: nil, "Stopped") }
    case .stopped:
      let current = try? await store.current()
      // One that was stopped before its first sound is not the current one.
      guard let last = ending.waiting == nil ? current : ending.last, last.episode.id == ending.last.episode.id else {
        return { tell(ending.last, at: nil, "Stopped; go on with: podcli play \(ending.last.episode.id.rawValue)") }
      }
      let position = ending.waiting ?? last.status.lastListenTime
      return { tell(last, at: position, position.map(Self.stopped) ?? "Stopped; go on with: podcli resume") }
    case .finished:
      let last = invocation[PlayOptions.noSave] ? ending.last : try? await store.lastPlayed()
      return { if let last { tell(last, at: nil, nil) } }
    case .interrupted, .failed, .replaced: return {}
    }
  }

  private func tell(_ entry: EpisodeEntry, at position: Duration?, _ text: String?) {
    if console.isJSON {
      context.printJSON([
        "state": "stopped", "episode": EpisodeJSON.document(entry), "position": position.map(EpisodeJSON.seconds),
      ])
    }
    if let text { console.say(text) }
  }

  private static func stopped(at position: Duration) -> String {
    "Stopped at \(ClockText.short(position)); go on with: podcli resume"
  }

  private static func failure(_ lost: LostProgress) -> Failure {
    let facts = lost.items.map { item in
      let title = CleanText.line(item.episode.title)
      return item.position.map { "the position \(ClockText.short($0)) in \(title)" } ?? "the end of \(title)"
    }
    let again = lost.items.map { item in
      let id = item.episode.id.rawValue
      return item.position.map { "podcli play \(id) --start \(ClockText.short($0))" } ?? "podcli mark played \(id)"
    }
    return Failure(
      lost.isDiskFull ? .diskFull : .library,
      "\(facts.joined(separator: " and ")) could not be saved: the library cannot be written, nor a file beside it: "
        + lost.reason, hint: "later: " + again.joined(separator: ", and "))
  }

  private static func title(_ entry: EpisodeEntry) -> String { "\(entry.podcast.title): \(entry.episode.title)" }

  /// Without the title, which stands beside it.
  private static func reason(_ failure: Failure, of entry: EpisodeEntry) -> String {
    let message = entry.episode.title.isEmpty ? failure.message : failure.message.replacing(title(entry), with: "it")
    return CleanText.line(message, limit: 300)
  }

  /// `last`: as the library has it by now.
  private func failure(of ending: PlayJourney.Ending, _ last: EpisodeEntry) -> Failure? {
    if let lost = ending.lost { return Self.failure(lost) }
    switch ending.result {
    case .failure(let error): return Failure(error, about: last)
    case .success(.interrupted):
      return Failure(
        .network, "the stream of \(Self.title(last)) broke off before its end", hint: Failure.goingOn(with: last))
    case .success: return nil
    }
  }
}
