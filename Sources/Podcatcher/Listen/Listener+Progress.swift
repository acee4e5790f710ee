internal import Playback
internal import PodcastModel
internal import PodcastStore

/// A position, from the event to the library: the saving, the chapter, the skips, the sleep timer and the history.
extension Listener {
  func played(to position: Duration) async {
    let snapshot = player.snapshot
    let now = clock()
    session?.position = position
    session?.sounds(at: position)
    session?.setbacks.overcome()
    session?.log?.played(
      to: position, at: now, speed: snapshot.sound.speed, savedByTrim: snapshot.timeSaved)
    let change = session?.recorder.played(to: position, at: now)
    if session?.recorder.isTrusted == true {
      if session?.isAccepted == true, session?.isBegun == false { await begin() }
      await accept(at: position)
      session?.isBegun = true
    }
    await write(change)
    await correctSound(at: position)
    await noticeChapter(at: position)
    // The last position before an end that was asked for comes after it: that stands.
    if request == nil { obey(at: now, position) }
    await keepLog(now)
    await prepareNext(at: position)
  }

  /// Once a second, also where no position comes: in a pause, and while a server or the network is waited for.
  func watch() async {
    guard !hasLeft, request == nil else { return }
    if !player.isPauseWanted, sleep?.action(at: clock()) == .stop { fallAsleep() }
    await noticeChanges()
  }

  /// Shows what other processes have changed of the episode: its title, or a mark.
  private func noticeChanges() async {
    guard let session, let version = try? await store.dataVersion(), version != session.dataVersion else { return }
    session.dataVersion = version
    guard let current = try? await store.episode(session.entry.episode.id) else { return }
    playing.renew(current)
    publishStatus(isTick: false)
  }

  func moved(to position: Duration) async {
    session?.jumped(to: position)
    session?.position = position
    // A jump that was asked for is made awake.
    session?.fadedFrom = session?.fadedFrom.map { playing.isJumpAsked ? position : min($0, position) }
    // A seek is no end of a chapter: the listener is awake.
    session?.chapterStarts.moved(to: position)
    session?.heardAgainTo = nil
    session?.chapterIndex = session?.chapters.index(at: position)
    session?.plan.moved(to: position)
    session?.log?.jumped()
    session?.ramp?.jumped(at: clock())
    if playing.isJumpAsked { await hearAgain() }
    await write(session?.recorder.moved(to: position, at: clock()))
    await prepareNext(at: position)
  }

  private func noticeChapter(at position: Duration) async {
    guard let session else { return }
    let crossed = session.chapterStarts.played(to: position)
    let before = session.chapterIndex
    session.chapterIndex = session.chapters.index(at: position)
    guard !crossed.isEmpty else { return }
    // The part before the first chapter is none that could end. Nor is the chapter that ended before the stop, of which
    // the rewind repeats a little.
    let isHeardAgain = session.heardAgainTo.map { kept in crossed.allSatisfy { $0 <= kept + .seconds(1) } } ?? false
    if request == nil, before != nil, !isHeardAgain, sleep?.stopsAtChapter == true { return fallAsleep() }
    await write(session.recorder.happened(at: clock()))
    publishStatus(isTick: false)
  }

  private func obey(at now: Duration, _ position: Duration) {
    obeyPlan(at: position)
    if let stopPosition, position >= stopPosition { ask(for: .stop) }
    obeySleep(at: now, position)
  }

  private func obeyPlan(at position: Duration) {
    // The end of a file of estimated length is where it ends.
    let duration = session?.medium.isLengthEstimated == true ? nil : session?.duration
    switch session?.plan.played(to: position, duration: duration) {
    case .jump(let target)?:
      playing.setJumpAsked(false)
      player.seek(to: target)
    case .finish?: ask(for: session?.fadedFrom == nil ? .finish : .asleep)
    case nil: break
    }
  }

  private func obeySleep(at now: Duration, _ position: Duration) {
    guard let sleep, let session else { return }
    playing.setNote(sleepNote)
    switch sleep.action(at: now) {
    case .nothing: break
    case .fade(let factor):
      session.fadedFrom = session.fadedFrom ?? position
      player.fade(to: factor)
    case .stop: fallAsleep()
    }
  }

  private func fallAsleep() { ask(for: .asleep) }

  func write(_ write: ProgressRecorder.Write?) async {
    guard let session else { return }
    if session.recorder.isTrusted { playing.trust(above: session.recorder.floor) }
    guard let write else { return }
    let byte = await heardByte(at: write.position, of: session)
    guard session.settings.savesPosition else { return }
    unsaved.keep(
      .init(
        episode: session.entry.episode, position: write.position, byte: byte,
        urgency: write.urgency == .tick ? .tick : .flush))
    // The next write makes up for a failure, or the side file when podcli ends.
    try? await saveUnsaved()
    if !unsaved.all.isEmpty { saveAgain() }
  }

  /// In a pause no position follows that would make up for one that the library did not take.
  private func saveAgain() {
    guard savingAgain == nil else { return }
    savingAgain = Task { [weak self, unsaved] in
      var pause = Duration.seconds(1)
      while !unsaved.all.isEmpty {
        guard (try? await Task.sleep(for: pause)) != nil else { return }
        try? await self?.saveUnsaved()
        pause = min(pause * 2, .seconds(10))
      }
      await self?.endSavingAgain()
    }
  }

  private func endSavingAgain() {
    savingAgain = nil
    // A write may have failed meanwhile.
    if !unsaved.all.isEmpty { saveAgain() }
  }

  /// Writes the positions and ends that the library has not, the oldest first. One that does not fit on a full disk keeps no
  /// other episode's from being written.
  func saveUnsaved() async throws(StoreError) {
    await stopWhereLeft()
    var failed: [EpisodeID: StoreError] = [:]
    // A later position may have taken the place of one meanwhile.
    for item in unsaved.all where unsaved.contains(item) && failed[item.episode.id] == nil {
      let id = item.episode.id
      do throws(StoreError) {
        if item.isEnd {
          try await store.markCompleted(id, at: item.heardAt)
        } else {
          try await store.savePosition(
            item.position, of: id, byte: item.byte, urgency: isOld(item) ? .flush : item.urgency,
            at: item.heardAt)
          if let session, session.entry.episode.id == id, !session.isCurrent { await becomeCurrent(session.entry) }
        }
      } catch {
        if case .busy = error.code { throw error }
        // An episode whose podcast was deleted has nothing to keep.
        if error.code != .notFound { failed[id] = error }
      }
      if failed[id] == nil { unsaved.remove(item) }
    }
    if let error = failed.values.first { throw error }
  }

  private func isOld(_ item: UnsavedProgress.Item) -> Bool { item.episode.id != session?.entry.episode.id }

  /// Noted before the library is called: it may be locked, and the side file needs the byte, too.
  func heardByte(at position: Duration, of session: Session) async -> HeardByte? {
    let byte = await session.medium.heardByte(at: position)
    playing.setHeardPosition(byte.map { HeardPosition(position: position, byte: $0) })
    return byte
  }

  /// Writes the history at the beginning, after one second, two, four and eight, every ten seconds, and at the end: a kill
  /// costs no more of it.
  func keepLog(_ now: Duration, isLast: Bool = false) async {
    guard let session, session.settings.savesPosition, var log = session.log else { return }
    guard isLast || now >= session.logDue else { return }
    if isLast { log.ended(at: .now) }
    guard log.session.listened > .zero else { return }
    session.logDue = now + min(.seconds(10), max(.seconds(1), log.session.listened))
    if let id = session.logID {
      try? await store.update(id, to: log.session)
    } else if let id = try? await store.beginSession(log.session, of: session.entry.episode.id) {
      self.session?.logID = id
      try? await store.update(id, to: log.session)
    }
  }
}
