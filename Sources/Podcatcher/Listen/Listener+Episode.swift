internal import Playback
internal import PodcastModel
internal import PodcastStore

/// One episode, from its loading to its end.
extension Listener {
  /// Never leaves the listener, and is looked at many times a second: so it is not copied.
  final class Session {
    let entry: EpisodeEntry
    let settings: Settings
    var medium: Medium
    var recorder: ProgressRecorder
    var plan: SkipPlan
    var log: ListeningLog?
    var logID: SessionID?
    var loggedAt = Duration.zero
    /// The library knows that it plays.
    var isCurrent = false
    /// Where it was last loaded to start.
    var start: Duration
    /// The place kept from before, until it is known to be one.
    var keptPosition: Duration?
    var media: MediaID?
    var position: Duration?
    var duration: Duration?
    var chapters: [Chapter] = []
    var chapterIndex: Int?
    /// Where it began to get quieter.
    var fadedFrom: Duration?
    var setbacks = Setbacks()
    /// What follows it was looked for.
    var hasLookedAhead = false

    init(
      _ entry: EpisodeEntry, _ settings: Settings, _ medium: Medium, _ plan: SkipPlan,
      _ begin: (place: Duration, kept: Duration?)
    ) {
      self.entry = entry
      self.settings = settings
      self.medium = medium
      self.plan = plan
      recorder = ProgressRecorder(every: settings.progressInterval, keptPosition: begin.kept, start: begin.place)
      start = begin.place
      keptPosition = begin.kept
    }

    /// As far as it was heard, or where it was to start.
    var reached: Duration { recorder.isTrusted ? position ?? start : start }

    /// It is to be loaded once more.
    func reload(from place: Duration) {
      start = place
      media = nil
      guard !recorder.isTrusted else { return }
      // Nothing was heard of it yet, whatever the engine told.
      recorder = ProgressRecorder(every: settings.progressInterval, keptPosition: keptPosition, start: place)
      (position, log) = (nil, nil)
    }
  }

  func hear(
    _ entry: EpisodeEntry, from start: Start, isPaused: Bool, _ settings: Settings, _ events: PlaybackEvents,
    _ opened: Opened?
  ) async throws(ListenError) -> EndVerdict {
    let medium = if let opened { opened.medium } else { try await open(entry).openedAhead() }
    var plan = SkipPlan(intro: settings.skipIntro, outro: settings.skipOutro)
    let begin = startPosition(of: entry, start, plan, settings, medium)
    plan.add((try? await store.skips(of: entry.episode.id)) ?? [])
    prepared = nil
    session = Session(entry, settings, medium, plan, begin)
    place.set(entry, media: opened?.media, of: medium, isKept: settings.savesPosition)
    player.setSound(settings.sound)
    session?.media = opened?.media
    var isPaused = isPaused
    while true {
      // Somebody may have been quicker than the loading.
      guard wish == nil else { return try await finish(.stopped) }
      if session?.media == nil { try load(isPaused: isPaused) }
      publishState(isTick: false)
      let reason = await ending(events)
      guard wish == nil, await recover(from: reason) else { return try await finish(reason) }
      isPaused = player.snapshot.isPaused
    }
  }

  /// A server that is silent keeps nobody who wants something else.
  func open(_ entry: EpisodeEntry, anew isNew: Bool = false) async throws(ListenError) -> Medium {
    let task = Task { [library, say] () async -> Result<Medium, ListenError> in
      do throws(ListenError) {
        return .success(try await library.medium(of: entry, anew: isNew, say: say))
      } catch {
        return .failure(error)
      }
    }
    opening = task
    defer { opening = nil }
    return try await task.value.get()
  }

  /// What the bytes have to say, from whichever thread waits for them.
  var say: @Sendable (MediumNote?) -> Void {
    { [place, weak self] note in
      switch note {
      case .waiting?: place.note("waiting for the network")
      case .waitingInOrder?: place.note("waiting: this server sends files only from the start")
      case .searching?: place.note("waiting: in this kind of MP3 a place is found by reading up to it")
      case nil: place.note(nil)
      }
      place.wait(note != nil)
      Task { await self?.publishState(isTick: false) }
    }
  }

  private func load(isPaused: Bool) throws(ListenError) {
    guard let session else { return }
    let options = session.medium.options(
      from: session.start, isPaused: isPaused, title: session.entry.episode.title)
    do {
      let media = try player.load(session.medium.source, options)
      self.session?.media = media
      place.set(session.entry, media: media, of: session.medium, isKept: session.settings.savesPosition)
      place.guide(by: session.chapters)
      if session.recorder.isTrusted { place.trust() }
    } catch {
      throw .playback(error)
    }
  }

  private func ending(_ events: PlaybackEvents) async -> EndReason {
    for await event in events {
      if let reason = await take(event) { return reason }
    }
    return .stopped
  }

  func startPosition(
    of entry: EpisodeEntry, _ start: Start, _ plan: SkipPlan, _ settings: Settings, _ medium: Medium
  ) -> (place: Duration, kept: Duration?) {
    switch start {
    case .beginning: return (plan.start(.zero), nil)
    case .at(let place): return (place, nil)
    case .resume:
      guard let kept = medium.place ?? entry.status.lastListenTime, kept > .zero else {
        return (plan.start(.zero), nil)
      }
      guard settings.rewinds else { return (kept, kept) }
      return (plan.start(Rewind.place(from: kept, lastPlayedAt: entry.status.lastPlayedAt, now: .now)), kept)
    }
  }

  /// Returns the reason once the episode has ended.
  private func take(_ event: PlaybackEvent) async -> EndReason? {
    switch event {
    case .ready(let media) where media == session?.media: await started()
    case .position(let media, let position) where media == session?.media:
      await played(to: position)
      publishState(isTick: true)
      return nil
    case .seeked(let media, let position) where media == session?.media: await moved(to: position)
    case .duration(let media, let duration) where media == session?.media:
      if session?.medium.tellsItsLength == true { session?.duration = duration }
    case .paused, .sound: await write(session?.recorder.happened(at: clock()))
    case .ended(let media, let reason) where media == session?.media: return reason
    case .ended(let media, _) where media == prepared?.opened.media: await forgetPrepared()
    case .closed: return .stopped
    default: break
    }
    publishState(isTick: false)
    return nil
  }

  private func started() async {
    guard let session, session.log == nil else { return }
    let position = player.snapshot.position ?? .zero
    self.session?.log = ListeningLog(startedAt: .now, from: position)
    if session.settings.savesPosition {
      // A library that is locked or full must not silence the episode; the place has its side file.
      await becomeCurrent(session.entry)
    }
    Task { await learnChapters(of: session.entry) }
  }

  func becomeCurrent(_ entry: EpisodeEntry) async {
    let isDone = (try? await store.startPlaying(entry.episode.id, at: .now)) != nil
    session?.isCurrent = isDone
  }

  /// The engine may have to load the medium again meanwhile; its chapters are the same ones.
  private func learnChapters(of entry: EpisodeEntry) async {
    let documents = SideDocuments(store: store, client: library.client)
    let guide = ChapterGuide(store: store, documents: documents)
    let chapters = await guide.chapters(of: entry, embedded: player.snapshot.chapters)
    guard let session, session.entry.episode.id == entry.episode.id else { return }
    self.session?.chapters = chapters
    self.session?.plan.add(
      SkipPlan.ranges(of: chapters, titled: session.settings.skipChapters, duration: session.duration))
    place.guide(by: chapters)
    publishState(isTick: false)
    // Kept, so that it can be searched and read along.
    if session.settings.savesPosition {
      _ = try? await documents.transcript(of: entry.episode.id)
    }
  }
}
