internal import Playback
internal import PodcastModel
private import Synchronization

/// Commands from other processes, which are told when they are done.
extension Listener {
  /// Carries out a command and returns when the status shows its effect; with an error when it has none, or none within
  /// `limit`.
  nonisolated func carryOut(_ command: PlayerCommand, within limit: Duration = .milliseconds(1_800)) async
    -> ControlError?
  {
    // Before the command, so that no event of its effect is missed.
    let events = player.events()
    switch command {
    case .speed, .volume, .trim, .boost:
      // The answer waits for what libmpv makes of it, also while the media file's host is still being looked up.
      player.prepare()
      let made = Mutex<Sound?>(nil)
      changeSound(by: command) { sound in made.withLock { $0 = sound } }
      // Another client's change may come before it.
      return await wait(limit, events) { event, _ in
        if case .sound(let sound)? = event { made.withLock { $0 == sound } } else { false }
      }
    case .pause, .play, .toggle:
      if playing.isOver { return .noPlayer }
      perform(command)
      // An episode that is being opened begins so.
      if nowPlaying?.snapshot.position == nil { return nil }
      // Another command may have come after it.
      let error = await wait(limit, events) { [player] _, now in now?.snapshot.isPaused == player.isPauseWanted }
      return nowPlaying?.snapshot.position == nil ? nil : error
    case .sleep(.to(let mode)):
      await setSleep(mode)
      return nil
    case .sleep(.next):
      await setNextSleep()
      return nil
    case .next, .previous, .open:
      if playing.isOver { return .noPlayer }
      let error = await changeEpisode(command, limit, events)
      return error == .late && playing.isOver ? .noPlayer : error
    case .stop:
      await stop()
      // The end of playing is the answer.
      try? await Task.sleep(for: limit)
      return .late
    default: return await carryOutWhenReady(command, limit, events)
    }
  }

  /// Carries out a command that needs the media file, once it is open: the player knows its length only then.
  private nonisolated func carryOutWhenReady(
    _ command: PlayerCommand, _ limit: Duration, _ events: PlaybackEvents
  ) async -> ControlError? {
    if let error = await wait(limit, events, { _, now in now?.snapshot.position != nil }) { return error }
    switch command {
    case .bookmark(let note): return await bookmark(note) ? nil : .notKept
    case .seek(let time):
      if let end = await end(before: time) { return .beyondEnd(end) }
      guard seek(time) else { return .noLength }
      return await waitForSeek(limit, events)
    case .chapter(let change):
      if let error = await goToChapter(change) { return error }
      return await waitForSeek(limit, events)
    default:
      perform(command)
      return nil
    }
  }

  /// The end of the episode that plays, where the time lies behind it.
  func end(before time: TimeExpression?) -> Duration? {
    guard case .at(let position)? = time, let end = nowPlaying?.snapshot.duration, let session else { return nil }
    let longest = max(end, session.entry.episode.duration ?? .zero)
    let isEstimated = session.medium.isLengthEstimated || session.medium.isSizeUntold
    let isBehind = isEstimated ? position > longest * Self.estimateSlack : position > end
    return isBehind ? end : nil
  }

  /// An episode may be so many times as long as was estimated.
  private static let estimateSlack = 4

  /// A seek behind the end ends the episode instead.
  private nonisolated func waitForSeek(_ limit: Duration, _ events: PlaybackEvents) async -> ControlError? {
    let error = await wait(limit, events) { event, _ in
      switch event {
      // Loaded anew, it is ready there.
      case .seeked?, .ready?, .ended?: true
      default: false
      }
    }
    // Its bytes may take longer than its turn; the status has the position that it leads to.
    let target = playing.aim?.position ?? player.snapshot.target
    return error == .late && target != nil && nowPlaying?.snapshot.position == target ? nil : error
  }

  private nonisolated func changeEpisode(
    _ command: PlayerCommand, _ limit: Duration, _ events: PlaybackEvents
  ) async -> ControlError? {
    // The first one may not be open yet, and nothing leads back then.
    if case .previous = command, await heardBefore.isEmpty,
      let error = await wait(limit, events, { _, now in now != nil })
    {
      return error
    }
    let shown = nowPlaying?.entry.episode.id
    // One that is being left for another one is not opened yet.
    let isLeft = if case .open(let id, _) = command, id == shown { await !isPlayed(id) } else { false }
    var before = isLeft ? nil : shown
    playing.forgetRefused()
    var wanted: EpisodeID?
    // A start may turn out to lie behind the end.
    var isStartGiven = false
    switch command {
    case .next, .previous:
      before = shown ?? playing.opening?.entry.episode.id
      let isThere = if case .next = command { await next() } else { await previous() }
      if !isThere { return .nothingThere }
    case .open(let id, let time):
      if id == before, let end = await end(before: time) { return .beyondEnd(end) }
      // A seek before the file is open would be lost.
      if id == before, time != nil, let error = await wait(limit, events, { _, now in now?.snapshot.position != nil }) {
        return error
      }
      if let error = await open(id, at: time) { return error }
      if id == before { return await waitForOpened(time, limit, events) }
      (wanted, isStartGiven) = (id, time != nil)
    default: break
    }
    let isOther = { @Sendable [wanted, before] (now: NowPlaying?) in
      guard let id = now?.entry.episode.id else { return false }
      return wanted == nil ? id != before : id == wanted
    }
    let error = await wait(limit, events) { [playing, isStartGiven] _, now in
      playing.refused != nil || playing.refusedStart != nil
        || isOther(now) && now?.snapshot.position != nil && (!isStartGiven || playing.isHeard)
    }
    if let refused = playing.refused { return .cannotPlay(refused.entry, refused.error) }
    if let length = playing.refusedStart { return .startBeyondEnd(length) }
    // Its bytes may take longer than its turn; the status has the episode that is being opened.
    let isOpening = playing.opening.map {
      wanted == nil ? $0.entry.episode.id != before : $0.entry.episode.id == wanted
    }
    return isOther(nowPlaying) || isOpening == true ? nil : error
  }

  /// The episode plays already.
  private nonisolated func waitForOpened(
    _ time: TimeExpression?, _ limit: Duration, _ events: PlaybackEvents
  ) async -> ControlError? {
    if time != nil, let error = await waitForSeek(limit, events) { return error }
    return await wait(limit, events) { _, now in now?.snapshot.isPaused == false }
  }

  /// Waits until `holds`, which is asked at once and after each event.
  private nonisolated func wait(
    _ limit: Duration, _ events: PlaybackEvents, _ holds: @escaping @Sendable (PlaybackEvent?, NowPlaying?) -> Bool
  ) async -> ControlError? {
    if holds(nil, nowPlaying) { return nil }
    return await withTaskGroup(of: ControlError?.self) { group in
      group.addTask { [self] in
        for await event in events where holds(event, nowPlaying) { return nil }
        return .late
      }
      group.addTask {
        try? await Task.sleep(for: limit)
        return .late
      }
      defer { group.cancelAll() }
      return await group.next() ?? .late
    }
  }
}
