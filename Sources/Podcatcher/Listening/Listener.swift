package import Playback
package import PodcastModel
package import PodcastStore
private import Transfer

/// Plays episodes, one after the other, and remembers the place in each.
///
/// The player's events are the only thing that moves it: each is looked at once, in order, and what is worth
/// keeping is written before the next. Keys and signals talk to the player, and come back as events.
package actor Listener {
  private let store: PodcastStore
  private let player: any Player
  private let library: MediaLibrary
  private let settings: @Sendable (EpisodeEntry) async -> Settings
  private let report: @Sendable (Report) -> Void
  private let clock: @Sendable () -> Duration
  private let place = CurrentPlace()

  private var session: Session?
  private var sleep: SleepTimer?
  private var wish: Wish?
  /// The last place that the library would not take.
  package private(set) var unsaved: (episode: EpisodeID, position: Duration)?
  private var heardBefore: [EpisodeEntry] = []
  /// Left with `next`: they stay in the queue, but do not come up again.
  private var passedOver: Set<EpisodeID> = []

  /// How one episode is played.
  package struct Settings: Sendable {
    package var progressInterval = Duration.seconds(1)
    package var rewinds = true
    package var savesPlace = true
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
    case asleep(Duration)
    /// There is no episode to go on or back to.
    case nothingThere
  }

  private enum Wish { case next, previous, stop, finish, asleep }

  package init(
    store: PodcastStore, player: any Player, library: MediaLibrary,
    settings: @escaping @Sendable (EpisodeEntry) async -> Settings = { _ in Settings() },
    report: @escaping @Sendable (Report) -> Void = { _ in }, clock: @escaping @Sendable () -> Duration = Monotonic.now
  ) {
    self.store = store
    self.player = player
    self.library = library
    self.settings = settings
    self.report = report
    self.clock = clock
  }

  /// What is playing, for whoever draws it or has to save it in a hurry. Never waits.
  package nonisolated var nowPlaying: NowPlaying? { place.read(player.snapshot) }

  /// Plays until there is nothing left to play, something fails, or it is stopped.
  package func listen(
    to first: EpisodeEntry, from start: Start, isPaused: Bool = false
  ) async throws(ListenError) -> EndVerdict {
    var (entry, start, isPaused) = (first, start, isPaused)
    while true {
      let settings = await settings(entry)
      report(.started(entry, start))
      let verdict = try await hear(entry, from: start, isPaused: isPaused, settings)
      guard let following = await following(verdict, entry, settings) else { return verdict }
      // Read again: its place may be newer than what was known when it was chosen.
      let fresh = try? await store.episode(following.episode.id)
      (entry, start, isPaused) = (fresh ?? following, .resume, false)
    }
  }

  /// Writes the place now, wherever it is. For signals: the first thing that happens.
  package func saveNow() async throws(StoreError) {
    guard session?.settings.savesPlace != false, let now = nowPlaying, let position = now.position else { return }
    try await store.savePosition(position, of: now.entry.episode.id, urgency: .flush)
  }
}

// MARK: - What the keys ask for

extension Listener {
  package func stop() { want(.stop) }

  package func next() async {
    guard let session, await wished(after: session.entry, session.settings) != nil else { return report(.nothingThere) }
    want(.next)
  }

  package func previous() {
    if heardBefore.isEmpty { report(.nothingThere) } else { want(.previous) }
  }

  private func want(_ wish: Wish) {
    self.wish = wish
    player.stop()
  }

  package func setSleep(_ mode: SleepTimer.Mode?) {
    player.fade(to: 1)
    sleep = mode.map { SleepTimer($0, now: clock()) }
    place.note(sleepNote)
  }

  package var sleepMode: SleepTimer.Mode? { sleep?.mode }

  /// `steps` chapters on; back leads first to the start of the one that plays.
  package func skipChapters(_ steps: Int) {
    guard let now = nowPlaying, let position = now.snapshot.position, let index = now.chapterIndex else { return }
    let isWellInside = position.inSeconds - now.chapters[index].start > 3
    let target = index + (steps < 0 && isWellInside ? steps + 1 : steps)
    guard now.chapters.indices.contains(max(0, target)) else { return }
    player.seek(to: .milliseconds(Int64(now.chapters[max(0, target)].start * 1000)))
  }

  /// Returns the place that was marked.
  package func bookmark(_ note: String? = nil) async -> Duration? {
    guard let now = nowPlaying, let position = now.position else { return nil }
    let bookmark = try? await store.addBookmark(at: position, note: note, in: now.entry.episode.id)
    return bookmark?.position
  }

  /// What the publisher says about the episode that plays, as HTML.
  package func notes() async -> String? {
    guard let id = session?.entry.episode.id, let details = try? await store.details(of: id) else { return nil }
    return details.notes ?? details.summary ?? details.subtitle
  }

  /// From here on, and for good, this range is passed over.
  package func addSkip(_ range: Range<Duration>) async {
    guard let entry = session?.entry else { return }
    session?.plan.add([range])
    try? await store.addSkip(range, in: entry.episode.id)
  }

  private var sleepNote: String? {
    switch sleep?.mode {
    case nil: nil
    case .after: sleep?.remaining(at: clock()).map { "sleep in \($0.components.seconds / 60 + 1) min" }
    case .endOfChapter: "sleep after this chapter"
    case .episodes(let count): count == 1 ? "sleep after this episode" : "sleep after \(count) episodes"
    }
  }
}

// MARK: - One episode

extension Listener {
  private struct Session {
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
    var start = Duration.zero
    var media: MediaID?
    var position: Duration?
    var duration: Duration?
    var chapters: [Chapter] = []
    var chapterIndex: Int?
  }

  private func hear(
    _ entry: EpisodeEntry, from start: Start, isPaused: Bool, _ settings: Settings
  ) async throws(ListenError) -> EndVerdict {
    let medium = try await library.medium(of: entry, say: say)
    let events = player.events()
    var plan = SkipPlan(intro: settings.skipIntro, outro: settings.skipOutro)
    plan.add((try? await store.skips(of: entry.episode.id)) ?? [])
    let begin = startPlace(of: entry, start, plan, settings)
    session = Session(
      entry: entry, settings: settings, medium: medium,
      recorder: ProgressRecorder(every: settings.progressInterval, keptPlace: begin.kept), plan: plan)
    place.set(entry, media: nil)
    player.setSound(settings.sound)
    var (from, isPaused) = (begin.place, isPaused)
    while true {
      // Somebody may have been quicker than the loading.
      guard wish == nil else { return try await finish(.stopped) }
      try load(from, isPaused: isPaused)
      let reason = await ending(events)
      if try await tookNewFile(entry) {
        report(.fileChanged)
      } else {
        guard isDeviceLost(reason), wish == nil else { return try await finish(reason) }
        await waitForDevice()
      }
      (from, isPaused) = (session?.position ?? from, false)
    }
  }

  /// The publisher has put another file in the place of the one that is here in part.
  private func tookNewFile(_ entry: EpisodeEntry) async throws(ListenError) -> Bool {
    guard wish == nil, let old = session?.medium, old.fault == .changed, !old.isNew else { return false }
    await write(session?.recorder.happened(at: clock()))
    await old.close()
    session?.medium = try await library.medium(of: entry, anew: true, say: say)
    return true
  }

  private var say: @Sendable (MediumNote?) -> Void {
    { [place] note in
      switch note {
      case .waiting?: place.note("waiting for the network")
      case .waitingInOrder?: place.note("waiting: this server sends files only from the start")
      case .searching?: place.note("waiting: in this kind of MP3 a place is found by reading up to it")
      case nil: place.note(nil)
      }
    }
  }

  private func load(_ start: Duration, isPaused: Bool) throws(ListenError) {
    guard let session else { return }
    let options = LoadOptions(
      start: start, isPaused: isPaused, title: session.entry.episode.title, isScalable: session.medium.isScalable)
    do {
      let media = try player.load(session.medium.source, options)
      self.session?.start = start
      self.session?.media = media
      place.set(session.entry, media: media)
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

  private func startPlace(
    of entry: EpisodeEntry, _ start: Start, _ plan: SkipPlan, _ settings: Settings
  ) -> (place: Duration, kept: Duration?) {
    switch start {
    case .beginning: return (plan.start(.zero), nil)
    case .at(let place): return (place, nil)
    case .resume:
      guard let kept = entry.status.lastListenTime, kept > .zero else { return (plan.start(.zero), nil) }
      guard settings.rewinds else { return (kept, kept) }
      return (plan.start(Rewind.place(from: kept, lastPlayedAt: entry.status.lastPlayedAt, now: .now)), kept)
    }
  }

  /// Returns the reason once the episode has ended.
  private func take(_ event: PlaybackEvent) async -> EndReason? {
    switch event {
    case .ready(let media) where media == session?.media: await started()
    case .position(let media, let position) where media == session?.media: await played(to: position)
    case .seeked(let media, let position) where media == session?.media: await moved(to: position)
    case .duration(let media, let duration) where media == session?.media: session?.duration = duration
    case .paused, .sound: await write(session?.recorder.happened(at: clock()))
    case .ended(let media, let reason) where media == session?.media: return reason
    case .closed: return .stopped
    default: break
    }
    return nil
  }

  private func started() async {
    guard let session, session.log == nil else { return }
    let position = player.snapshot.position ?? .zero
    self.session?.log = ListeningLog(startedAt: .now, from: position)
    if session.settings.savesPlace {
      // A library that is locked or full must not silence the episode; the place has its side file.
      await becomeCurrent(session.entry)
    }
    Task { await learnChapters(of: session.entry, media: session.media) }
  }

  private func becomeCurrent(_ entry: EpisodeEntry) async {
    let isDone = (try? await store.startPlaying(entry.episode.id, at: .now)) != nil
    session?.isCurrent = isDone
  }

  private func learnChapters(of entry: EpisodeEntry, media: MediaID?) async {
    let guide = ChapterGuide(store: store, client: library.client)
    let chapters = await guide.chapters(of: entry, embedded: player.snapshot.chapters)
    guard let session, session.media == media else { return }
    self.session?.chapters = chapters
    self.session?.plan.add(
      SkipPlan.ranges(of: chapters, titled: session.settings.skipChapters, duration: session.duration))
    place.guide(by: chapters)
  }

  private func played(to position: Duration) async {
    let snapshot = player.snapshot
    let now = clock()
    session?.position = position
    session?.log?.played(
      to: position, at: now, speed: snapshot.sound.speed, savedByTrim: snapshot.timeSaved)
    await write(session?.recorder.played(to: position, at: now))
    await noticeChapter(at: position)
    obeyPlan(at: position)
    obeySleep(at: now)
    await keepLog(now)
  }

  private func moved(to position: Duration) async {
    session?.position = position
    session?.plan.moved(to: position)
    session?.log?.jumped()
    await write(session?.recorder.moved(to: position, at: clock()))
  }

  private func noticeChapter(at position: Duration) async {
    guard let session else { return }
    let index = session.chapters.index(at: position)
    guard index != session.chapterIndex else { return }
    self.session?.chapterIndex = index
    guard session.chapterIndex != nil else { return }
    if sleep?.stopsAtChapter == true { return fallAsleep() }
    await write(self.session?.recorder.happened(at: clock()))
  }

  private func obeyPlan(at position: Duration) {
    let duration = session?.duration
    switch session?.plan.played(to: position, duration: duration) {
    case .jump(let target)?: player.seek(to: target)
    case .finish?: want(.finish)
    case nil: break
    }
  }

  private func obeySleep(at now: Duration) {
    guard let sleep else { return }
    place.note(sleepNote)
    switch sleep.action(at: now) {
    case .nothing: break
    case .fade(let factor): player.fade(to: factor)
    case .stop: fallAsleep()
    }
  }

  private func fallAsleep() { want(.asleep) }

  private func write(_ write: ProgressRecorder.Write?) async {
    guard let session else { return }
    if session.recorder.isTrusted { place.trust() }
    guard session.settings.savesPlace, let write else { return }
    let urgency: PodcastStore.Urgency = write.urgency == .tick ? .tick : .flush
    let id = session.entry.episode.id
    do {
      try await store.savePosition(write.position, of: id, urgency: urgency)
      if unsaved?.episode == id { unsaved = nil }
      if !session.isCurrent { await becomeCurrent(session.entry) }
    } catch {
      // Made up for by the next, or by the side file when podcli ends.
      unsaved = (id, write.position)
    }
  }

  /// Twice a minute, and at the end: history may be a little behind, the place may not.
  private func keepLog(_ now: Duration, isLast: Bool = false) async {
    guard let session, session.settings.savesPlace, var log = session.log else { return }
    guard isLast || now - session.loggedAt >= .seconds(30) else { return }
    self.session?.loggedAt = now
    if isLast { log.ended(at: .now) }
    guard log.session.listened > .zero else { return }
    if let id = session.logID {
      try? await store.update(id, to: log.session)
    } else if let id = try? await store.beginSession(log.session, of: session.entry.episode.id) {
      self.session?.logID = id
      try? await store.update(id, to: log.session)
    }
  }
}

// MARK: - Its end

extension Listener {
  /// The device failed after it had played: it may come back.
  private func isDeviceLost(_ reason: EndReason) -> Bool {
    guard case .failed(let error) = reason, error.code == .noAudioOutput else { return false }
    return session?.recorder.isTrusted == true
  }

  private func waitForDevice() async {
    await write(session?.recorder.happened(at: clock()))
    report(.waitingForAudio)
    place.note("waiting for the audio device")
    for _ in 0..<4 where wish == nil { try? await Task.sleep(for: .milliseconds(500)) }
    place.note(sleepNote)
  }

  private func finish(_ reason: EndReason) async throws(ListenError) -> EndVerdict {
    guard let session else { return .stopped }
    let verdict = verdict(reason, session)
    switch verdict {
    case .finished: await markFinished(session)
    default: await keepPlace(session)
    }
    await keepLog(clock(), isLast: true)
    let fault = session.medium.fault
    await session.medium.close()
    switch verdict {
    case .failed(let error):
      if error.code == .cannotDecode, let length = player.snapshot.duration, session.start >= length {
        throw .behindItsEnd(session.start, length: length)
      }
      throw fault.map { .media($0) } ?? .playback(error)
    case .interrupted: if let fault { throw .media(fault) }
    case .finished, .replaced, .stopped: break
    }
    return verdict
  }

  private func verdict(_ reason: EndReason, _ session: Session) -> EndVerdict {
    if case .finish? = wish {
      wish = nil
      return .finished
    }
    return EndVerdict(
      EndVerdict.Evidence(
        reason, position: session.position, mediumDuration: session.duration,
        feedDuration: session.entry.episode.duration, isWholeMedium: session.medium.wasReadToItsEnd,
        tail: max(EndVerdict.tail, session.settings.skipOutro)))
  }

  private func markFinished(_ session: Session) async {
    place.clear()
    guard session.settings.savesPlace else { return }
    if unsaved?.episode == session.entry.episode.id { unsaved = nil }
    try? await store.markCompleted(session.entry.episode.id, at: .now)
    try? await store.removeFromQueue([session.entry.episode.id])
    report(.finished(session.entry))
  }

  private func keepPlace(_ session: Session) async {
    guard case .asleep? = wish, let position = session.position else {
      return await write(self.session?.recorder.happened(at: clock()))
    }
    // What was faded out was not heard.
    let back = max(.zero, position - SleepTimer.fadeLength)
    await write(self.session?.recorder.moved(to: back, at: clock()))
    _ = try? await store.addBookmark(at: back, note: "sleep timer", in: session.entry.episode.id)
    report(.asleep(back))
  }

  private func following(
    _ verdict: EndVerdict, _ entry: EpisodeEntry, _ settings: Settings
  ) async -> EpisodeEntry? {
    let wish = wish
    self.wish = nil
    switch (wish, verdict) {
    case (.previous?, _): return heardBefore.popLast()
    case (.next?, _):
      heardBefore.append(entry)
      passedOver.insert(entry.episode.id)
      return await wished(after: entry, settings)
    case (_, .finished):
      heardBefore.append(entry)
      if sleep?.episodeEnded() == true { return nil }
      return try? await settings.autoplay.episode(after: entry, besides: passedOver, in: store)
    default: return nil
    }
  }

  /// What the listener goes on to by hand, also where nothing follows by itself.
  private func wished(after entry: EpisodeEntry, _ settings: Settings) async -> EpisodeEntry? {
    let autoplay = settings.autoplay == .off ? .queue : settings.autoplay
    return try? await autoplay.episode(after: entry, besides: passedOver, in: store)
  }
}
