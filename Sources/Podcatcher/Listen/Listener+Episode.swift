internal import Playback
internal import PodcastModel
internal import PodcastStore

/// One episode, from its loading to its end.
extension Listener {
  func hear(
    _ entry: EpisodeEntry, from start: Start, _ settings: Settings, _ events: PlaybackEvents, _ opened: Opened?
  ) async throws(ListenError) -> EndVerdict {
    let medium = if let opened { opened.medium } else { try await open(entry).openedAhead() }
    var plan = await plan(of: entry, settings)
    let begin = startPosition(
      of: entry, start, plan, settings, known: medium.position, pauses: await pauses(of: entry, start, settings))
    plan.add((try? await store.skips(of: entry.episode.id)) ?? [])
    session = Session(entry, start, settings, medium, plan, begin)
    if let moved = medium.moved { report(.fileChanged(moved)) }
    playing.set(entry, media: opened?.media, of: medium, from: begin.position, isKept: settings.savesPosition)
    setSound(settings.sound)
    session?.media = opened?.media
    await learnSound(opened)
    while true {
      // A request may have come before the loading.
      guard request == nil else { return try await finish(.stopped) }
      var reason = EndReason.reachedEnd
      if !isBehindToldEnd {
        if session?.media == nil { try load() }
        publishStatus(isTick: false)
        reason = await ending(events)
      }
      guard request == nil, await recover(from: reason) else { return try await finish(reason) }
    }
  }

  /// Changes by keys and control words since the settings of the last episode stay, also those that libmpv has not made yet.
  func setSound(_ sound: Sound) {
    player.changeSound { [soundSet] present in present = sound.keepingChanges(from: soundSet, to: present) }
    soundSet = sound
  }

  /// The media file is over before the position at which it is to start, and need not be loaded to know that.
  private var isBehindToldEnd: Bool {
    guard let session, session.media == nil else { return false }
    return session.medium.isBehindItsEnd(session.start)
  }

  /// Opens the media file, in a task that a request cancels: a silent server does not hold it up.
  func open(
    _ entry: EpisodeEntry, anew isNew: Bool = false, inOrder isInOrder: Bool = false
  ) async throws(ListenError) -> OpenedMedia {
    let task = Task { [library, say] () async -> Result<OpenedMedia, ListenError> in
      do throws(ListenError) {
        return .success(try await library.open(entry, anew: isNew, inOrder: isInOrder, say: say))
      } catch {
        return .failure(error)
      }
    }
    opening = task
    // It came while something else was waited for.
    if request != nil { task.cancel() }
    defer { opening = nil }
    return try await task.value.get()
  }

  /// Takes the notes of a media file whose bytes are waited for, on any thread.
  var say: @Sendable (MediaNote?) -> Void {
    { [playing, weak self] note in
      switch note {
      case .waiting?: playing.setNote("waiting for the network")
      case .waitingInOrder?: playing.setNote("waiting: this server sends files only from the start")
      case .searching?: playing.setNote("waiting: in this kind of MP3 a position is found by reading up to it")
      case .aligning?: playing.setNote("the file was changed: looking for your position in it")
      case nil: playing.setNote(nil)
      }
      playing.setWaiting(note != nil)
      playing.setWaitsForBytes(note != nil)
      Task { await self?.publishStatus(isTick: false) }
    }
  }

  /// Before the first sound: what is known of the sound by now.
  func learnSound(_ opened: Opened? = nil) async {
    guard let session else { return }
    let guide = SoundGuide(store: store)
    session.sounding = if let opened { opened.sounding } else { await guide.sounding(of: session.entry) }
    session.correction =
      if let opened { opened.correction } else {
        await guide.correction(of: session.entry, session.settings, session.sounding)
      }
    (session.found, session.ramp, session.soughtAt) = (nil, nil, clock())
    (session.part, session.partAsked, session.awaitsPart) = (nil, 0, false)
  }

  func load() throws(ListenError) {
    guard let session else { return }
    session.log?.loaded()
    // The entry is shown as it was read: what others changed of it shows again.
    session.dataVersion = nil
    let options = session.medium.options(
      from: session.start, isPaused: player.isPauseWanted, title: session.entry.episode.title, session.correction)
    do {
      let media = try player.load(session.medium.source, options)
      self.session?.media = media
      playing.set(
        session.entry, media: media, of: session.medium, from: session.start, isKept: session.settings.savesPosition)
      playing.setShownChapters(session.chapters)
      if session.recorder.isTrusted { playing.trust(above: session.recorder.floor) }
    } catch {
      throw .playback(error)
    }
  }

  /// Takes one event after the other until the episode has ended.
  private func ending(_ events: PlaybackEvents) async -> EndReason {
    for await event in events {
      await stopWhereLeft()
      if let end = Ends().take(event).first {
        if end.media == session?.media { return end.reason }
        if end.media == prepared?.opened.media { await forgetPrepared() }
      }
      if event == .closed { return .stopped }
      await take(event)
    }
    return .stopped
  }

  /// Without ranges that the user marked, at which playing may start.
  func plan(of entry: EpisodeEntry, _ settings: Settings) async -> SkipPlan {
    guard !settings.skipRepeats.isEmpty else { return SkipPlan(intro: settings.skipIntro, outro: settings.skipOutro) }
    let repeats = await RepeatSearch(store: store).repeats(of: entry)
    let pauses = await SoundGuide(store: store).sounding(of: entry)?.pauses ?? []
    return SkipPlan(
      intro: settings.skipIntro, outro: settings.skipOutro,
      ranges: repeats.filter { settings.skipRepeats.contains($0.kind) }.map { $0.skipped(beside: pauses) })
  }

  /// Empty where no sentence is looked for.
  func pauses(of entry: EpisodeEntry, _ start: Start, _ settings: Settings) async -> [Range<Double>] {
    guard case .resume = start, settings.rewinds else { return [] }
    return await SoundGuide(store: store).sounding(of: entry)?.pauses ?? []
  }

  func startPosition(
    of entry: EpisodeEntry, _ start: Start, _ plan: SkipPlan, _ settings: Settings, known: Duration? = nil,
    pauses: [Range<Double>] = []
  ) -> (position: Duration, kept: Duration?) {
    switch start {
    case .beginning: return (plan.start(.zero, duration: entry.duration), nil)
    case .at(let position): return (position, nil)
    case .resume:
      guard let kept = known ?? entry.status.lastListenTime, kept > .zero else {
        return (plan.start(.zero, duration: entry.duration), nil)
      }
      guard settings.rewinds else { return (kept, kept) }
      let rewound = Rewind.position(from: kept, lastPlayedAt: entry.status.lastPlayedAt, now: .now, pauses: pauses)
      return (plan.start(rewound, duration: entry.duration), kept)
    }
  }

  private func take(_ event: PlaybackEvent) async {
    switch event {
    case .position(let media, let position) where media == session?.media:
      await played(to: position)
      return publishStatus(isTick: true)
    case .ready(let media) where media == session?.media:
      await arrive()
      await started()
    case .seeked(let media, let position) where media == session?.media: await moved(to: position)
    case .duration(let media, let duration) where media == session?.media:
      // Behind a jump in a file that is shown by times, the engine may count on.
      if let session, session.medium.tellsItsLength,
        session.medium.length(told: duration, of: session.entry) == duration
      {
        self.session?.duration = min(duration, session.medium.toldLength ?? duration)
        // The last chapter has its end only now.
        planChapters()
      }
      await keepDuration()
    case .chapters(let media, let chapters) where media == session?.media && session?.log != nil:
      // On a busy machine libmpv tells them only after the first sound.
      if chapters != session?.embedded { learnChapters() }
    case .paused:
      // Before anything was heard of it, it is the current episode all the same.
      if player.isPauseWanted, let session, session.isAccepted, !session.recorder.isTrusted {
        await begin()
        await keepChosen(player.snapshot.position ?? session.start)
      }
      await write(session?.recorder.happened(at: clock()))
      keepSleepFromPause()
    case .sound: await write(session?.recorder.happened(at: clock()))
    default: break
    }
    publishStatus(isTick: false)
  }

  private func started() async {
    guard let session else { return }
    // Loaded once more: another file may have other chapters.
    guard session.log == nil else { return learnChapters() }
    let position = player.snapshot.position ?? .zero
    session.log = ListeningLog(startedAt: .now, from: position)
    // A start that is refused changes nothing. Heard after all, it is accepted with its first position.
    if endNear(session.start, session) == nil { await accept(at: position) }
  }

  /// The episode is heard where it was to start.
  func accept(at position: Duration) async {
    guard let session, !session.isAccepted else { return }
    session.isAccepted = true
    networkWait = nil
    report(.accepted(session.entry, session.wanted))
    // Without sound nothing is begun: there may be no audio device.
    if player.isPauseWanted || session.recorder.isTrusted { await begin() }
    if player.isPauseWanted { await keepChosen(position) }
    learnChapters()
  }

  /// The user chose the position, and may stop before anything is heard. A server may send the file from its start.
  private func keepChosen(_ position: Duration) async {
    guard let session, !session.recorder.isTrusted, case .at(let wanted) = session.wanted,
      position >= wanted - .milliseconds(500)
    else { return }
    await write(session.recorder.moved(to: max(position, wanted), at: clock()))
  }

  /// The library has it as the current episode from now on. One that is locked or full must not silence the episode; the
  /// position has its side file.
  func begin() async {
    guard let session, session.settings.savesPosition else { return }
    if !session.isCurrent { await becomeCurrent(session.entry) }
    await keepDuration()
  }

  func becomeCurrent(_ entry: EpisodeEntry) async {
    let isDone = (try? await store.startPlaying(entry.episode.id, at: .now)) != nil
    session?.isCurrent = isDone
    if isDone, let current = try? await store.episode(entry.episode.id) { playing.renew(current) }
  }

  /// Keeps the length of the media file for lists, once the episode has a status. The feed knows better than an estimate.
  private func keepDuration() async {
    guard let session, session.isCurrent, let duration = session.duration,
      !session.medium.isLengthEstimated || session.entry.episode.duration == nil,
      duration.components.seconds != session.keptDuration?.components.seconds
    else { return }
    session.keptDuration = duration
    try? await store.setMediaDuration(duration, of: session.entry.episode.id)
  }

  private func learnChapters() {
    guard let session else { return }
    session.embedded = player.snapshot.chapters
    Task { await learnChapters(of: session.entry, embedded: session.embedded) }
  }

  private func planChapters() {
    guard let session else { return }
    session.plan.setChapters(
      SkipPlan.ranges(of: session.chapters, titled: session.settings.skipChapters, duration: session.duration))
  }

  /// The media file may have to be loaded again meanwhile; its chapters are the same ones.
  private func learnChapters(of entry: EpisodeEntry, embedded: [MediaChapter]) async {
    let documents = library.sideDocuments
    let guide = ChapterGuide(store: store, documents: documents)
    guard let settings = session?.settings, session?.entry.episode.id == entry.episode.id else { return }
    let published = await guide.chapters(of: entry, embedded: embedded)
    // A feed's document may come later than the chapters that the media file has after all.
    guard session?.embedded == embedded else { return }
    if settings.savesPosition {
      await documents.keep(embedded: MediaFileChapters.chapters(embedded), of: entry.episode.id)
    }
    let chapters = await RepeatSearch(store: store).chapters(published, of: entry, duration: session?.duration)
    guard let session, session.entry.episode.id == entry.episode.id, session.embedded == embedded else { return }
    session.chapters = chapters
    session.chapterIndex = session.position.flatMap { chapters.index(at: $0) }
    planChapters()
    playing.setShownChapters(chapters)
    publishStatus(isTick: false)
    // The transcript is kept, so that it can be searched and read along.
    if session.settings.savesPosition {
      _ = try? await documents.transcript(of: entry.episode.id)
    }
  }
}
