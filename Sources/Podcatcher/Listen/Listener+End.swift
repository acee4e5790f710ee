internal import Playback
internal import PodcastModel
internal import PodcastStore

/// How an episode ends, and what follows.
extension Listener {
  func finish(_ reason: EndReason) async throws(ListenError) -> EndVerdict {
    guard let session else { return .stopped }
    var reason = reason
    // Who wants it to end does not mind how it does.
    if wish != nil, case .failed = reason { reason = .stopped }
    let verdict = verdict(reason, session)
    switch verdict {
    case .finished: await markFinished(session)
    default: await keepPlace(session)
    }
    await keepLog(clock(), isLast: true)
    let fault = session.medium.fault
    await session.medium.close()
    if verdict != .stopped, let length = endBefore(session.start, reason, session) {
      throw .behindItsEnd(session.start, length: length)
    }
    switch verdict {
    case .failed(let error): throw fault.map { .media($0) } ?? .playback(error)
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
    // What is over before the player tells of a position was heard from its start, once sound was on its way.
    let position = session.position ?? (session.log == nil ? nil : session.start)
    return EndVerdict(evidence(reason, at: position, session, isWhole: session.medium.wasReadToItsEnd))
  }

  func evidence(
    _ reason: EndReason, at position: Duration?, _ session: Session, isWhole: Bool = false
  ) -> EndVerdict.Evidence {
    EndVerdict.Evidence(
      reason, position: position, mediumDuration: session.duration, feedDuration: session.entry.episode.duration,
      isWholeMedium: isWhole, isPart: session.medium.isPart, tail: max(EndVerdict.tail, session.settings.skipOutro))
  }

  private func markFinished(_ session: Session) async {
    place.clear()
    guard session.settings.savesPosition else { return }
    let id = session.entry.episode.id
    if unsaved?.episode == id { unsaved = nil }
    owed.append(id)
    await payDebts()
    // With its last place kept, a library that stays locked has it finished by the next that resumes it.
    if owed.contains(id), let position = session.position { unsaved = (id, position, nil) }
    report(.finished(session.entry))
  }

  /// What the library would not take when it was due.
  func payDebts() async {
    for id in owed {
      guard (try? await store.markCompleted(id, at: .now)) != nil else { return }
      try? await store.removeFromQueue([id])
      owed.removeAll { $0 == id }
      if unsaved?.episode == id { unsaved = nil }
    }
  }

  private func keepPlace(_ session: Session) async {
    guard case .asleep? = wish, let position = session.position else {
      return await write(self.session?.recorder.happened(at: clock()))
    }
    // What was faded out was not heard.
    let place = session.fadedFrom ?? position
    await write(session.recorder.moved(to: place, at: clock()))
    if session.settings.savesPosition {
      _ = try? await store.addBookmark(at: place, note: "sleep timer", in: session.entry.episode.id)
    }
    report(.asleep(session.settings.savesPosition ? place : nil))
  }

  func following(_ verdict: EndVerdict, _ entry: EpisodeEntry, _ settings: Settings) async -> EpisodeEntry? {
    let chosen = await chosen(verdict, entry, settings)
    // Read again: its place may be newer than what was known when it was chosen.
    let following =
      if let chosen { (try? await store.episode(chosen.episode.id)) ?? chosen } else { EpisodeEntry?.none }
    if following?.episode.id != entry.episode.id { stopPosition = nil }
    if let prepared, prepared.entry.episode.id != following?.episode.id || verdict != .finished { await unprepare() }
    return following
  }

  private func chosen(_ verdict: EndVerdict, _ entry: EpisodeEntry, _ settings: Settings) async -> EpisodeEntry? {
    let wish = wish
    self.wish = nil
    switch (wish, verdict) {
    case (.previous?, _): return heardBefore.popLast()
    case (.next?, _):
      passedOver.insert(entry.episode.id)
      if let following = await wished(after: entry, settings) {
        heardBefore.append(entry)
        return following
      }
      // The key came while this one was being opened: it stays.
      passedOver.remove(entry.episode.id)
      report(.nothingThere)
      return entry
    case (_, .finished):
      heardBefore.append(entry)
      if sleep?.episodeEnded() == true { return nil }
      return try? await settings.autoplay.episode(after: entry, besides: passedOver, in: store)
    default: return nil
    }
  }

  /// What the listener goes on to by hand, also where nothing follows by itself.
  func wished(after entry: EpisodeEntry, _ settings: Settings) async -> EpisodeEntry? {
    let autoplay = settings.autoplay == .off ? .queue : settings.autoplay
    return try? await autoplay.episode(after: entry, besides: passedOver, in: store)
  }
}
