internal import Playback
internal import PodcastModel
internal import PodcastStore

/// What happens while an episode plays, and what of it is written.
extension Listener {
  func played(to position: Duration) async {
    let snapshot = player.snapshot
    let now = clock()
    session?.position = position
    session?.setbacks.overcome()
    session?.log?.played(
      to: position, at: now, speed: snapshot.sound.speed, savedByTrim: snapshot.timeSaved)
    await write(session?.recorder.played(to: position, at: now))
    await noticeChapter(at: position)
    obeyPlan(at: position)
    if let stopPosition, position >= stopPosition { want(.stop) }
    obeySleep(at: now, position)
    await keepLog(now)
    await prepareNext(at: position)
  }

  func moved(to position: Duration) async {
    session?.position = position
    session?.fadedFrom = session?.fadedFrom.map { min($0, position) }
    // Who leaves a chapter is awake, and it has not ended.
    session?.chapterIndex = session?.chapters.index(at: position)
    session?.plan.moved(to: position)
    session?.log?.jumped()
    await write(session?.recorder.moved(to: position, at: clock()))
    await prepareNext(at: position)
  }

  private func noticeChapter(at position: Duration) async {
    guard let session else { return }
    let index = session.chapters.index(at: position)
    let before = session.chapterIndex
    guard index != before else { return }
    session.chapterIndex = index
    guard index != nil else { return }
    // One that is only now known to be a chapter has not ended.
    if before != nil, sleep?.stopsAtChapter == true { return fallAsleep() }
    await write(session.recorder.happened(at: clock()))
    publishState(isTick: false)
  }

  private func obeyPlan(at position: Duration) {
    let duration = session?.duration
    switch session?.plan.played(to: position, duration: duration) {
    case .jump(let target)?: player.seek(to: target)
    case .finish?: want(.finish)
    case nil: break
    }
  }

  private func obeySleep(at now: Duration, _ position: Duration) {
    guard let sleep, let session else { return }
    place.note(sleepNote)
    switch sleep.action(at: now) {
    case .nothing: break
    case .fade(let factor):
      session.fadedFrom = session.fadedFrom ?? position
      player.fade(to: factor)
    case .stop: fallAsleep()
    }
  }

  private func fallAsleep() { want(.asleep) }

  func write(_ write: ProgressRecorder.Write?) async {
    guard let session else { return }
    if session.recorder.isTrusted { place.trust() }
    guard let write else { return }
    let byte = await approximateByte(at: write.position, of: session)
    guard session.settings.savesPosition else { return }
    let urgency: PositionUrgency = write.urgency == .tick ? .tick : .flush
    let id = session.entry.episode.id
    do {
      try await store.savePosition(write.position, of: id, byte: byte, urgency: urgency)
      if unsaved?.episode == id { unsaved = nil }
      if !session.isCurrent { await becomeCurrent(session.entry) }
      await payDebts()
    } catch {
      // Made up for by the next, or by the side file when podcli ends.
      unsaved = (id, write.position, byte)
    }
  }

  /// Noted before the library is asked: it may be locked, and the side file needs the guess, too.
  func approximateByte(at position: Duration, of session: Session) async -> Int64? {
    let byte = await session.medium.approximateByte(at: position)
    place.guess(byte.map { ApproximatePosition(position: position, byte: $0) })
    return byte
  }

  /// Twice a minute, and at the end: history may be a little behind, the place may not.
  func keepLog(_ now: Duration, isLast: Bool = false) async {
    guard let session, session.settings.savesPosition, var log = session.log else { return }
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
