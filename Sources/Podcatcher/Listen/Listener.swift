internal import Playback
package import PodcastModel
package import PodcastStore
private import System

/// Plays episodes, one after the other, and saves the position in each.
///
/// Only the player's events move it: each is looked at once, in order, and what is worth saving is written before the
/// next. Commands go to the player, and come back as events.
///
/// - this file: `listen`, `status`, `saveNow`, and what the listener knows
/// - `Listener+Commands`: `perform`, the one way in for keys and other controls; the sleep timer, chapters, bookmarks
/// - `Listener+Remote`: the same for other processes, which wait for the effect
/// - `Listener+Episode`: one episode, from its loading to its end, event by event
/// - `Listener+Progress`: a position, from the event to the library; chapters, skips and the sleep timer on the way
/// - `Listener+Sound`: what was measured of the episode, also meanwhile
/// - `Listener+Recovery`: the setbacks that an episode survives: another file, a lost device, a core that breaks down
/// - `Listener+End`: how an episode ended, and which one follows
/// - `Listener+Instead`: the episode to play where one cannot be played; the wait for the network
/// - `Listener+Desktop`: headphones that are gone, a machine that goes to sleep
/// - `Listener+Handover`: the next episode, opened before the end of the one that plays
///
/// Decisions are values without side effects, in `Rules`; the values for whatever controls or shows the player are in
/// `Control`, and the socket in `Remote`. `PlayJourney` is the whole of a playing process: this, and what accompanies
/// it.
package actor Listener {
  let store: PodcastStore
  let player: Player
  let library: MediaLibrary
  let clock: @Sendable () -> Duration
  let report: @Sendable (Report) -> Void
  let playing = PlayingState()
  let unsaved = UnsavedProgress()
  /// Saves them while nothing else does.
  var savingAgain: Task<Void, Never>?
  private let settings: @Sendable (EpisodeEntry) async -> Settings
  private let publish: @Sendable (PlayerStatus, _ isTick: Bool) -> Void
  /// Has an episode measured by another process.
  let examine: @Sendable (EpisodeID, Measurable) -> Void

  var session: Session?
  var sleep: SleepTimer?
  /// The sound that the settings gave the last episode, before keys and control words changed it.
  var soundSet: Sound?
  /// The position at which the first episode is to be left.
  var stopPosition: Duration?
  var request: Request?
  /// A signal ends the process.
  var hasLeft = false
  /// The episode that is left for another one was paused.
  var wasPaused = false
  /// The media file that is being opened, while nothing is known of it yet.
  var opening: Task<Result<OpenedMedia, ListenError>, Never>?
  /// Opened already, to follow without a gap.
  var prepared: Prepared?
  /// The task that opens it.
  var lookAhead: Task<Void, Never>?
  var heardBefore: [EpisodeEntry] = []
  /// Left with `next`, or not to be played: they stay in the queue, but do not come up again.
  var passedOver: Set<EpisodeID> = []
  /// The episode that was tried last, which may not have begun.
  private(set) var last: EpisodeEntry?
  /// When the episode that plays or is opened was chosen.
  private(set) var followsSince = Duration.zero
  /// No episode that was to follow could be fetched.
  var networkWait: NetworkWait?
  /// The episode whose start was reported last.
  private var announced: EpisodeID?
  private var publishedAt: Duration?

  /// The beginning of an episode's playing.
  package enum Start: Hashable, Sendable {
    /// A little before the kept position; from 0 where there is none.
    case resume
    case at(Duration)
    case beginning
  }

  /// The position at which an episode begins whose first part is left out.
  package static func start(of entry: EpisodeEntry, behind intro: Duration) -> Duration {
    SkipPlan(intro: intro, outro: .zero).start(.zero, duration: entry.duration)
  }

  /// An event that the user may want to read about.
  package enum Report: Sendable {
    /// With the position at which it is to begin. The media file may turn out to end before it.
    case started(EpisodeEntry, Start, at: Duration)
    /// The media file is open, and the position lies inside it.
    case accepted(EpisodeEntry, Start)
    case finished(EpisodeEntry)
    /// The audio device went away; the position is kept, and playing tried again.
    case waitingForAudio
    /// The sound went elsewhere than to the headphones, so it is paused.
    case headphonesGone
    /// The user's program for events does not work.
    case hookFailed(HookFailure)
    /// The publisher's file is another one; the marks that were found in it. Nil where none was: playing goes on at the same time.
    case fileChanged(MovedMarks?)
    /// The kept position lies behind the end of a media file that has become shorter; playing goes on at `from`.
    case behindItsEnd(kept: Duration, length: Duration, from: Duration)
    /// An episode was asked for at a position behind its end; it plays from its kept position.
    case startRefused(Duration, length: Duration)
    /// A jump led to bytes that will not come; playing goes on where it was.
    case jumpFailed(EpisodeEntry, ListenError, from: Duration)
    /// With the position that is kept.
    case asleep(Duration?)
    /// There is no episode to go on or back to.
    case nothingThere
    /// A command changed volume, trimming or boost; the trimming by its name.
    case sound(volume: Double, trim: String, boost: Bool)
    /// With the position of the bookmark, where the library took it.
    case bookmarked(Duration?)
    /// Whether the library keeps the range.
    case skipAdded(Range<Duration>, isKept: Bool)
    /// The end of a range was marked before its beginning.
    case skipHasNoStart
    case skipIsTooShort
    /// It is passed over; what played before goes on, or another one follows.
    case cannotPlay(EpisodeEntry, ListenError)
    /// With the index of the chapter that plays.
    case chapters([Chapter], playing: Int?)
    /// The texts of the episode, with its notes.
    case notes(EpisodeDetails?)
    /// Other processes cannot control this player, for the system's reason.
    case noSocket(String)
  }

  enum Request {
    case next, previous, stop, finish, asleep
    case open(EpisodeEntry, Start)
  }

  init(
    store: PodcastStore, player: Player, library: MediaLibrary,
    settings: @escaping @Sendable (EpisodeEntry) async -> Settings = { _ in Settings() },
    report: @escaping @Sendable (Report) -> Void = { _ in },
    publish: @escaping @Sendable (PlayerStatus, _ isTick: Bool) -> Void = { _, _ in },
    examine: @escaping @Sendable (EpisodeID, Measurable) -> Void = { _, _ in },
    clock: @escaping @Sendable () -> Duration = Monotonic.now
  ) {
    self.store = store
    self.player = player
    self.library = library
    self.settings = settings
    self.report = report
    self.publish = publish
    self.examine = examine
    self.clock = clock
  }

  /// The status of the player. Never waits.
  package nonisolated var status: PlayerStatus? {
    guard let now = nowPlaying else { return playing.opening.map { PlayerStatus($0, stateOfOpening) } }
    var status = PlayerStatus(now)
    if status.position == nil { status.state = stateOfOpening }
    return status
  }

  /// An episode that is being opened begins as was asked for last.
  nonisolated var stateOfOpening: PlayerStatus.State { player.isPauseWanted ? .paused : .buffering }

  /// Whether a pause was asked for last; libmpv may not have done it yet. Never waits.
  package nonisolated var isPaused: Bool { player.isPauseWanted }

  nonisolated var nowPlaying: NowPlaying? { playing.read(player.snapshot) }

  /// Plays until there is nothing left to play, something fails, or it is stopped.
  func listen(
    to first: EpisodeEntry, from start: Start, isPaused: Bool = false
  ) async throws(ListenError) -> EndVerdict {
    playing.setOver(false)
    let watch = Task { [weak self] in
      while !Task.isCancelled {
        guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
        await self?.watch()
      }
    }
    defer {
      watch.cancel()
      playing.setOver(true)
      lookAhead?.cancel()
      savingAgain?.cancel()
    }
    let events = player.events()
    // A pause may have been asked for before.
    if isPaused { player.setPaused(true) }
    var (entry, start) = (first, start)
    var departure: Departure?
    while true {
      await stopWhereLeft()
      last = entry
      let settings = await settings(entry)
      // So a key that changes the sound while the first one is being opened changes this sound.
      if soundSet == nil { setSound(settings.sound) }
      let verdict: EndVerdict
      do throws(ListenError) {
        verdict = try await hear(entry, from: start, settings, events)
      } catch .behindItsEnd(let position, let length) where departure != nil && start != .resume {
        // Another episode was stopped for this one: it plays all the same.
        playing.refuseStart(length)
        report(.startRefused(position, length: length))
        start = .resume
        continue
      } catch {
        if request == nil, let other = await instead(of: entry, from: start, error, &departure, settings) {
          if other.entry.episode.id != entry.episode.id { followsSince = clock() }
          (entry, start) = (other.entry, other.start)
          if other.isPaused { player.setPaused(true) }
          continue
        }
        // A command may have come meanwhile.
        guard let request else { throw error }
        if case .asleep = request { report(.asleep(nil)) }
        verdict = .stopped
      }
      // The way back leads past an episode that was left before it could be heard, but to none that had ended.
      if departure.map({ $0.isOver && request != nil }) ?? true || hasBegun(entry) {
        departure = Departure(
          from: entry, at: hasBegun(entry) ? session?.position : nil, stop: stopPosition,
          isPaused: request == nil ? player.isPauseWanted : wasPaused, isOver: verdict == .finished)
      }
      departure?.asked = request
      guard let following = await following(verdict, entry, settings) else { return verdict }
      (entry, start) = following
      followsSince = clock()
    }
  }

  private func hear(
    _ entry: EpisodeEntry, from start: Start, _ settings: Settings, _ events: PlaybackEvents
  ) async throws(ListenError) -> EndVerdict {
    await endLookingAhead()
    let isPrepared = prepared?.entry.episode.id == entry.episode.id && start == .resume
    if !isPrepared { await unprepare() }
    try await library.check(entry)
    let plan = SkipPlan(intro: settings.skipIntro, outro: settings.skipOutro)
    let begin = startPosition(of: entry, start, plan, settings, pauses: await pauses(of: entry, start, settings))
    if networkWait == nil || announced != entry.episode.id { report(.started(entry, start, at: begin.position)) }
    announced = entry.episode.id
    // Taken here: a command that comes while the rest is looked up takes back what is still prepared.
    let opened = isPrepared ? prepared?.opened : nil
    prepared = nil
    opened?.notes.begin()
    if opened == nil {
      // Before the first one nothing is known of the sound.
      playing.open(entry, at: begin.position, session == nil ? nil : player.snapshot.sound)
      playing.setNote(sleepNote)
      publishStatus(isTick: false)
    }
    return try await hear(entry, from: start, settings, events, opened)
  }

  /// Writes the position now, wherever playing is, and those that the library did not take before. For signals: the first
  /// thing that happens.
  func saveNow() async throws(StoreError) {
    if let session, let now = nowPlaying, let position = now.position {
      let byte = await heardByte(at: position, of: session)
      unsaved.keep(.init(episode: now.entry.episode, position: position, byte: byte))
    }
    try await saveUnsaved()
  }

  /// Ends the session in the history. For signals, once the position is saved.
  func endLog() async { await keepLog(clock(), isLast: true) }

  func settings(of entry: EpisodeEntry) async -> Settings { await settings(entry) }

  /// Publishes the status for other processes; once a second, and whenever something changes.
  func publishStatus(isTick: Bool) {
    guard !hasLeft else { return }
    let now = clock()
    if isTick, let publishedAt, now - publishedAt < .milliseconds(950) { return }
    guard let status else { return }
    publishedAt = now
    publish(status, isTick)
  }
}
