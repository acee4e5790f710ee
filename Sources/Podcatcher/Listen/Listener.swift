package import Playback
package import PodcastModel
package import PodcastStore

/// Plays episodes, one after the other, and remembers the place in each.
///
/// The player's events are the only thing that moves it: each is looked at once, in order, and what is worth
/// keeping is written before the next. Keys and signals talk to the player, and come back as events.
package actor Listener {
  let store: PodcastStore
  let player: any Player
  let library: MediaLibrary
  let clock: @Sendable () -> Duration
  let report: @Sendable (Report) -> Void
  let place = PlayingState()
  private let settings: @Sendable (EpisodeEntry) async -> Settings
  private let publish: @Sendable (PlayerState) -> Void

  var session: Session?
  var sleep: SleepTimer?
  /// Where the episode that plays is to be left.
  var stopPosition: Duration?
  /// By the calendar, for those who look from elsewhere.
  var sleepAt: Timestamp?
  var wish: Request?
  /// The medium that is asked for, while nothing is known of it yet.
  var opening: Task<Result<Medium, ListenError>, Never>?
  /// Opened already, to follow without a gap.
  var prepared: Prepared?
  /// Heard to their end, which the library would not take yet.
  var owed: [EpisodeID] = []
  /// The last place that the library would not take.
  package internal(set) var unsaved: (episode: EpisodeID, position: Duration, byte: Int64?)?
  var heardBefore: [EpisodeEntry] = []
  /// Left with `next`: they stay in the queue, but do not come up again.
  var passedOver: Set<EpisodeID> = []
  private var publishedAt: Duration?

  /// How one episode is played.
  package struct Settings: Sendable {
    package var progressInterval = Duration.seconds(1)
    package var rewinds = true
    package var savesPosition = true
    package var sound = Sound()
    package var autoplay = Autoplay.next
    package var skipIntro = Duration.zero
    package var skipOutro = Duration.zero
    /// Words of chapter titles.
    package var skipChapters: [String] = []

    package init() {}
  }

  package enum Start: Hashable, Sendable {
    /// Where you stopped, a little before; from 0 when there is no place.
    case resume
    case at(Duration)
    case beginning
  }

  /// What the face may want to say.
  package enum Report: Sendable {
    case started(EpisodeEntry, Start)
    case finished(EpisodeEntry)
    /// The audio device went away; the place is kept, and tried again.
    case waitingForAudio
    /// What is missing of the file is gone; it goes on in the one that took its place.
    case fileChanged
    /// The kept place lies behind the end of a medium that has become shorter; it goes on at `from`.
    case behindItsEnd(kept: Duration, length: Duration, from: Duration)
    /// With the place that is kept.
    case asleep(Duration?)
    /// There is no episode to go on or back to.
    case nothingThere
  }

  enum Request { case next, previous, stop, finish, asleep }

  package init(
    store: PodcastStore, player: any Player, library: MediaLibrary,
    settings: @escaping @Sendable (EpisodeEntry) async -> Settings = { _ in Settings() },
    report: @escaping @Sendable (Report) -> Void = { _ in },
    publish: @escaping @Sendable (PlayerState) -> Void = { _ in },
    clock: @escaping @Sendable () -> Duration = Monotonic.now
  ) {
    self.store = store
    self.player = player
    self.library = library
    self.settings = settings
    self.report = report
    self.publish = publish
    self.clock = clock
  }

  /// What is playing, for whoever draws it or has to save it in a hurry. Never waits.
  package nonisolated var nowPlaying: NowPlaying? { place.read(player.snapshot) }

  /// Plays until there is nothing left to play, something fails, or it is stopped.
  package func listen(
    to first: EpisodeEntry, from start: Start, isPaused: Bool = false
  ) async throws(ListenError) -> EndVerdict {
    let events = player.events()
    var (entry, start, isPaused) = (first, start, isPaused)
    while true {
      let isPrepared = prepared?.entry.episode.id == entry.episode.id && start == .resume
      let settings = await settings(entry)
      report(.started(entry, start))
      let opened = isPrepared ? prepared?.opened : nil
      let verdict = try await hear(entry, from: start, isPaused: isPaused, settings, events, opened)
      guard let following = await following(verdict, entry, settings) else { return verdict }
      (entry, start, isPaused) = (following, .resume, false)
    }
  }

  /// Writes the place now, wherever it is. For signals: the first thing that happens.
  package func saveNow() async throws(StoreError) {
    guard let session, let now = nowPlaying, let position = now.position else { return }
    let byte = await approximateByte(at: position, of: session)
    try await store.savePosition(position, of: now.entry.episode.id, byte: byte, urgency: .flush)
  }

  func settings(of entry: EpisodeEntry) async -> Settings { await settings(entry) }

  /// Tells the other podclis; once a second, and whenever something changes.
  func publishState(isTick: Bool) {
    let now = clock()
    if isTick, let publishedAt, now - publishedAt < .milliseconds(950) { return }
    guard let playing = nowPlaying else { return }
    publishedAt = now
    publish(PlayerState(playing, sleepAt: sleepAt))
  }
}
