package import Playback
package import PodcastModel
package import PodcastStore

/// Plays an episode and remembers the place.
///
/// The player's events are the only thing that moves it: each is looked at once, in order, and what is worth
/// keeping is written before the next. Keys and signals talk to the player, and come back as events.
package actor Listener {
  private let store: PodcastStore
  private let player: any Player
  private let finder: MediumFinder
  private let settings: Settings
  private let clock: @Sendable () -> Duration
  private let place = CurrentPlace()

  package struct Settings: Sendable {
    package var progressInterval = Duration.seconds(1)
    package var rewinds = true
    package var savesPlace = true
    package var sound = Sound()

    package init() {}
  }

  package init(
    store: PodcastStore, player: any Player, finder: MediumFinder, settings: Settings = Settings(),
    clock: @escaping @Sendable () -> Duration = Monotonic.now
  ) {
    self.store = store
    self.player = player
    self.finder = finder
    self.settings = settings
    self.clock = clock
  }

  package enum Start: Hashable, Sendable {
    /// Where you stopped, a little before; from 0 when there is no place.
    case resume
    case at(Duration)
    case beginning
  }

  /// What is playing, for whoever draws it or has to save it in a hurry. Never waits.
  package nonisolated var nowPlaying: NowPlaying? { place.read(player.snapshot) }

  /// Plays until it ends, fails or is stopped.
  package func listen(
    to entry: EpisodeEntry, from start: Start, isPaused: Bool = false
  ) async throws(ListenError) -> EndVerdict {
    let medium = try finder.medium(of: entry)
    let events = player.events()
    let begin = startPlace(of: entry, start)
    var session = Session(
      entry: entry, recorder: ProgressRecorder(every: settings.progressInterval, keptPlace: begin.kept))
    place.set(entry, media: nil)
    let options = LoadOptions(start: begin.place, isPaused: isPaused, title: entry.episode.title)
    player.setSound(settings.sound)
    do {
      session.media = try player.load(medium.source, options)
    } catch {
      throw .playback(error)
    }
    place.set(entry, media: session.media)
    for await event in events {
      if let reason = await take(event, &session) { return try await finish(session, reason, medium) }
    }
    return .stopped
  }

  /// Writes the place now, wherever it is. For signals: the first thing that happens.
  package func saveNow() async throws(StoreError) {
    guard settings.savesPlace, let now = nowPlaying, let position = now.position else { return }
    try await store.savePosition(position, of: now.entry.episode.id, urgency: .flush)
  }

  private struct Session {
    let entry: EpisodeEntry
    var recorder: ProgressRecorder
    var media: MediaID?
    var position: Duration?
    var duration: Duration?
  }

  private func startPlace(of entry: EpisodeEntry, _ start: Start) -> (place: Duration, kept: Duration?) {
    switch start {
    case .beginning: return (.zero, nil)
    case .at(let place): return (place, nil)
    case .resume:
      guard let kept = entry.status.lastListenTime, kept > .zero else { return (.zero, nil) }
      guard settings.rewinds else { return (kept, kept) }
      return (Rewind.place(from: kept, lastPlayedAt: entry.status.lastPlayedAt, now: .now), kept)
    }
  }

  /// Returns the reason once the episode has ended.
  private func take(_ event: PlaybackEvent, _ session: inout Session) async -> EndReason? {
    switch event {
    case .ready(let media) where media == session.media: await started(session)
    case .position(let media, let position) where media == session.media:
      session.position = position
      await write(session.recorder.played(to: position, at: clock()), session)
    case .seeked(let media, let position) where media == session.media:
      session.position = position
      await write(session.recorder.moved(to: position, at: clock()), session)
    case .duration(let media, let duration) where media == session.media: session.duration = duration
    case .paused, .sound, .chapter: await write(session.recorder.happened(at: clock()), session)
    case .ended(let media, let reason) where media == session.media: return reason
    case .closed: return .stopped
    default: break
    }
    return nil
  }

  private func started(_ session: Session) async {
    guard settings.savesPlace else { return }
    // A library that is locked or full must not silence the episode; the place has its side file.
    try? await store.startPlaying(session.entry.episode.id, at: .now)
  }

  private func write(_ write: ProgressRecorder.Write?, _ session: Session) async {
    if session.recorder.isTrusted { place.trust() }
    guard settings.savesPlace, let write else { return }
    let urgency: PodcastStore.Urgency = write.urgency == .tick ? .tick : .flush
    // A missed tick is made up for by the next; a missed flush by the side file when podcli ends.
    try? await store.savePosition(write.position, of: session.entry.episode.id, urgency: urgency)
  }

  private func finish(_ session: Session, _ reason: EndReason, _ medium: Medium) async throws(ListenError) -> EndVerdict
  {
    var session = session
    let evidence = EndVerdict.Evidence(
      reason, position: session.position, mediumDuration: session.duration,
      feedDuration: session.entry.episode.duration, isWholeMedium: medium.wasReadToItsEnd)
    let verdict = EndVerdict(evidence)
    if verdict == .finished {
      if settings.savesPlace { try? await store.markCompleted(session.entry.episode.id, at: .now) }
      place.clear()
    } else {
      await write(session.recorder.happened(at: clock()), session)
    }
    if case .failed(let error) = verdict {
      throw medium.fault.map { .media($0) } ?? .playback(error)
    }
    if verdict == .interrupted, let fault = medium.fault { throw .media(fault) }
    return verdict
  }
}
