internal import Playback
internal import PodcastModel
internal import PodcastStore

/// How an episode ended, and which one follows.
extension Listener {
  func finish(_ reason: EndReason) async throws(ListenError) -> EndVerdict {
    guard let session else { return .stopped }
    var reason = reason
    // An end that was asked for is no failure, however it came.
    if request != nil, case .failed = reason { reason = .stopped }
    // An end while it gets quieter was not heard.
    if request == nil, session.fadedFrom != nil, reason == .reachedEnd {
      ask(for: .asleep)
      reason = .stopped
    }
    let verdict = await verdict(reason, session)
    await stopWhereLeft()
    let length = verdict == .stopped ? nil : endBefore(session.start, reason, session)
    switch verdict {
    case .finished where length == nil: await markFinished(session)
    default:
      await keepPosition(session)
      try? await saveUnsaved()
    }
    await keepLog(clock(), isLast: true)
    let fault = session.medium.fault
    await session.medium.close()
    if let length {
      throw .behindItsEnd(session.start, length: length)
    }
    switch verdict {
    case .failed(let error): throw fault.map { .media($0) } ?? .playback(error)
    case .interrupted: if let fault { throw .media(fault) }
    case .finished, .replaced, .stopped: break
    }
    return verdict
  }

  private func verdict(_ reason: EndReason, _ session: Session) async -> EndVerdict {
    if case .finish? = request {
      request = nil
      return .finished
    }
    // An episode that ends before its first position was heard from its start, if sound was on its way.
    let position = session.position ?? (session.log == nil ? nil : session.start)
    let verdict = EndVerdict(evidence(reason, at: position, session))
    guard verdict == .interrupted, position != nil else { return verdict }
    let announced = session.entry.episode.enclosure?.length
    let isWhole = await BlockingWork.run { [medium = session.medium] in medium.isWhole(announced: announced) }
    return EndVerdict(evidence(reason, at: position, session, isWhole: isWhole))
  }

  func evidence(
    _ reason: EndReason, at position: Duration?, _ session: Session, isWhole: Bool = false
  ) -> EndVerdict.Evidence {
    let isBroken = session.medium.fault != nil
    return EndVerdict.Evidence(
      reason, position: position,
      mediumDuration: isBroken && session.medium.isLengthEstimated ? nil : session.duration,
      feedDuration: session.entry.episode.duration, isWholeMedium: isWhole, isBroken: isBroken,
      share: session.medium.share(of: session.entry.episode.enclosure?.length),
      tail: max(EndVerdict.tail, session.settings.skipOutro))
  }

  private func markFinished(_ session: Session) async {
    playing.clear()
    guard session.settings.savesPosition else { return }
    await begin()
    // Where the library stays locked, the end waits for the next write or the side file.
    unsaved.keep(.init(episode: session.entry.episode, position: session.position ?? .zero, isEnd: true))
    try? await saveUnsaved()
    report(.finished(session.entry))
  }

  private func keepPosition(_ session: Session) async {
    // A jump that was asked for just before may have been made known only now.
    if leavesEpisode { playing.leave(player.snapshot) }
    let left = playing.end()
    guard case .asleep? = request, let position = session.position else {
      if case .asleep? = request { report(.asleep(nil)) }
      if let target = left {
        session.position = target
        return await write(session.recorder.moved(to: target, at: clock()))
      }
      return await write(session.recorder.happened(at: clock()))
    }
    // The faded part was not heard.
    let heard = session.fadedFrom ?? position
    await write(session.recorder.moved(to: heard, at: clock()))
    if session.settings.savesPosition {
      _ = try? await store.addBookmark(at: heard, note: "sleep timer", in: session.entry.episode.id)
    }
    report(.asleep(session.settings.savesPosition ? heard : nil))
  }

  func following(
    _ verdict: EndVerdict, _ entry: EpisodeEntry, _ settings: Settings
  ) async -> (entry: EpisodeEntry, start: Start)? {
    await endLookingAhead()
    // The request that `chosen` takes.
    let start: Start = if case .open(_, let start)? = request { start } else { .resume }
    let chosen = await chosen(verdict, entry, settings)
    let following = if let chosen { await upToDate(chosen) } else { EpisodeEntry?.none }
    if following?.episode.id != entry.episode.id { stopPosition = nil }
    if let prepared, prepared.entry.episode.id != following?.episode.id || verdict != .finished { await unprepare() }
    return following.map { ($0, start) }
  }

  /// Read again: its position may be newer than when it was chosen, and newer than in a library that is locked.
  func upToDate(_ entry: EpisodeEntry) async -> EpisodeEntry {
    var entry = (try? await store.episode(entry.episode.id)) ?? entry
    if let item = unsaved[entry.episode.id] { entry.status.lastListenTime = item.isEnd ? nil : item.position }
    return entry
  }

  func hasBegun(_ entry: EpisodeEntry) -> Bool {
    session?.entry.episode.id == entry.episode.id && session?.log != nil
  }

  private func chosen(_ verdict: EndVerdict, _ entry: EpisodeEntry, _ settings: Settings) async -> EpisodeEntry? {
    let request = request
    self.request = nil
    switch (request, verdict) {
    case (.previous?, _): return heardBefore.popLast()
    case (.next?, _):
      passedOver.insert(entry.episode.id)
      if let following = await requested(after: entry, settings) {
        if hasBegun(entry) { heardBefore.append(entry) }
        return following
      }
      // The key came while this one was being opened: it stays.
      passedOver.remove(entry.episode.id)
      report(.nothingThere)
      return entry
    case (.open(let other, _)?, _):
      if !hasBegun(entry) {
        // Back from an episode that was not heard.
        if heardBefore.last?.episode.id == other.episode.id { heardBefore.removeLast() }
      } else if other.episode.id != entry.episode.id {
        heardBefore.append(entry)
      }
      passedOver.remove(other.episode.id)
      return other
    case (_, .finished):
      heardBefore.append(entry)
      // It stays in the queue then.
      if !settings.savesPosition { passedOver.insert(entry.episode.id) }
      // Its end came before the position at which to stop, or together with the wish to stop.
      if sleep?.episodeEnded() == true || stopPosition != nil { return nil }
      if case .stop? = request { return nil }
      if case .asleep? = request { return nil }
      return try? await next(after: entry, settings.autoplay)
    default: return nil
    }
  }

  /// The episode that `next` leads to, also where nothing follows by itself.
  func requested(after entry: EpisodeEntry, _ settings: Settings) async -> EpisodeEntry? {
    let autoplay = settings.autoplay == .off ? .queue : settings.autoplay
    return try? await next(after: entry, autoplay)
  }

  /// An episode whose end the library has not taken yet is in the queue still. One that was passed over counts again once it
  /// has left the queue.
  func next(after entry: EpisodeEntry, _ autoplay: Autoplay) async throws(StoreError) -> EpisodeEntry? {
    if !passedOver.isEmpty { passedOver.formIntersection(try await store.queue().map(\.episode.id)) }
    return try await autoplay.episode(after: entry, besides: passedOver.union(unsaved.ends), in: store)
  }
}
