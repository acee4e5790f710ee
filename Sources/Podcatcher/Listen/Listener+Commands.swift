internal import Playback
internal import PodcastModel
internal import PodcastStore

/// The commands of the user.
extension Listener {
  /// Carries out a command; with `carryOut`, which waits for its effect, the only way by which anything outside controls
  /// the player. Never waits: a command for the player takes effect at once, any other on the listener's turn. Answers
  /// come as reports.
  package nonisolated func perform(_ command: PlayerCommand) {
    switch command {
    case .pause: player.setPaused(true)
    case .play where playing.isOver, .toggle where playing.isOver: break
    case .play: player.setPaused(false)
    case .toggle: player.togglePause()
    case .stop: Task { await stop() }
    case .next: Task { await next() }
    case .previous: Task { await previous() }
    case .seek(let time): seek(time)
    case .chapter(let change): Task { await goToChapter(change) }
    case .speed, .volume, .trim, .boost: changeSound(by: command)
    case .sleep(.to(let mode)): Task { await setSleep(mode) }
    case .sleep(.next): Task { await setNextSleep() }
    case .bookmark(let note): Task { await bookmark(note) }
    case .open(let id, let time): Task { await open(id, at: time) }
    case .skipStart: playing.markSkipStart(nowPlaying?.snapshot ?? player.snapshot)
    case .skipEnd: addSkip(playing.takeSkip(to: nowPlaying?.snapshot ?? player.snapshot))
    case .showChapters: reportChapters()
    case .showNotes: Task { await reportNotes() }
    }
  }

  func ask(for request: Request) {
    // A second request finds what the first one has asked for.
    if self.request == nil { wasPaused = player.isPauseWanted }
    self.request = request
    if leavesEpisode { playing.leave(player.snapshot) }
    opening?.cancel()
    player.stop()
    switch request {
    case .next, .previous, .open:
      // The episode that was asked for plays; a pause that comes after it holds.
      player.setPaused(false)
    case .stop, .finish, .asleep: break
    }
  }

  /// The user goes elsewhere.
  var leavesEpisode: Bool {
    switch request {
    case .next?, .previous?, .open?, .stop?: true
    case .finish?, .asleep?, nil: false
    }
  }

  /// The process is about to end, and its player lock is given away: nothing more is heard, written or published.
  func leave() {
    hasLeft = true
    playing.setOver(true)
    player.setPaused(true)
  }

  /// Another player may have begun, and this process has no more than a moment.
  func stopWhereLeft() async {
    if hasLeft { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
  }

  func stop() { ask(for: .stop) }

  /// In the episode that plays first.
  func stop(at position: Duration) { stopPosition = position }

  /// False where there is no other episode.
  @discardableResult
  func next() async -> Bool {
    // It may be being opened yet.
    guard let last, await requested(after: last, settings(of: last)) != nil else {
      report(.nothingThere)
      return false
    }
    ask(for: .next)
    return true
  }

  /// False where there is no other episode.
  @discardableResult
  func previous() -> Bool {
    if heardBefore.isEmpty { report(.nothingThere) } else { ask(for: .previous) }
    return !heardBefore.isEmpty
  }

  /// The one that plays is not loaded again.
  @discardableResult
  func open(_ id: EpisodeID, at time: TimeExpression?) async -> ControlError? {
    if isPlayed(id), time == nil || id == nowPlaying?.entry.episode.id {
      if let time, !seek(time) { return .noLength }
      await hearAgain()
      player.setPaused(false)
      return nil
    }
    guard let entry = (try? await store.episode(id)) ?? nil else { return .unknownEpisode(id.rawValue) }
    do throws(ListenError) {
      try await library.check(entry)
    } catch {
      playing.refuse(entry, error)
      tellPassed(entry, error)
      return nil
    }
    let start = time?.resolved(
      duration: entry.duration, current: entry.status.lastListenTime ?? .zero)
    if time != nil, start == nil { return .noLength }
    ask(for: .open(entry, start.map { .at($0) } ?? .resume))
    return nil
  }

  /// It plays, or is being opened, and is not about to be left. The episode that was left is shown until then.
  func isPlayed(_ id: EpisodeID) -> Bool { last?.episode.id == id && request == nil }

  /// Told as it is by then: another change may have come before this one. `isMade` is called with the new sound.
  nonisolated func changeSound(
    by command: PlayerCommand, isMade: @escaping @Sendable (Sound) -> Void = { _ in }
  ) {
    player.changeSound { [report] sound in
      Self.change(&sound, by: command)
      isMade(sound)
      report(.sound(volume: sound.volume, trim: sound.trim.rawValue, boost: sound.boost))
    }
  }

  private static func change(_ sound: inout Sound, by command: PlayerCommand) {
    switch command {
    case .speed(let change): sound.speed = change.applied(to: sound.speed, in: Sound.speeds)
    case .volume(let change): sound.volume = change.applied(to: sound.volume, in: Sound.volumes)
    case .trim(.to(let trim)): sound.trim = trim
    case .trim(.next): sound.trim = sound.trim.next
    case .boost(.to(let isOn)): sound.boost = isOn
    case .boost(.next): sound.boost.toggle()
    default: break
    }
  }

  // MARK: Seeking

  /// False for a percentage of a length that is not known.
  @discardableResult
  nonisolated func seek(_ time: TimeExpression) -> Bool {
    playing.setJumpAsked(true)
    if case .relative(let offset) = time {
      let now = nowPlaying
      let position = now?.snapshot.position ?? .zero
      let isKnown = now?.snapshot.position != nil
      if let end = playing.end(before: position + offset, length: now?.snapshot.duration) {
        if let now, playing.isKept, end - position > Self.longestUnmarked {
          Task { await mark(position, in: now.entry.episode.id) }
        }
        go(to: end)
      } else if isKnown, playing.waitsForBytes || playing.aim != nil {
        go(to: max(.zero, position + offset))
      } else {
        player.seek(by: offset)
      }
      return true
    }
    let position = time.resolved(duration: nowPlaying?.snapshot.duration)
    if let position { go(to: position) }
    return position != nil
  }

  /// A thread of libmpv that waits for bytes does not seek before they come, and they may not. So the file is loaded anew
  /// where it is to go on.
  private nonisolated func go(to target: Duration) {
    guard playing.waitsForBytes || playing.aim != nil else { return player.seek(to: target) }
    // At once: the next step counts from there.
    playing.setAim(.init(position: target, duration: nowPlaying?.snapshot.duration))
    Task { await loadAnew() }
  }

  /// Nothing is written before there is sound where it goes on. Waits for nothing: a request that came meanwhile would be lost.
  private func loadAnew() {
    guard let target = playing.aim?.position else { return }
    guard let session, session.media != nil, request == nil, opening == nil, playing.opening == nil else {
      playing.setAim(nil)
      return player.seek(to: target)
    }
    let isSurelyInside =
      session.medium.tellsItsLength && !session.medium.isLengthEstimated
      && session.duration.map { target < $0 } ?? false
    let former = (session.media, session.start, session.keptPosition, session.jump)
    session.jumped(to: target)
    session.keptPosition = nil
    session.isAimed = true
    session.reload(from: target)
    do { try load() } catch {
      // The former loading tells how it ends.
      (session.media, session.start, session.keptPosition, session.jump) = former
      session.isAimed = false
      return playing.setAim(nil)
    }
    if isSurelyInside { playing.keepAim(at: target) }
  }

  /// There is sound where the file was loaded anew.
  func arrive() async {
    guard let session, session.isAimed else { return }
    session.isAimed = false
    // A later step leads elsewhere.
    playing.clearAim(at: session.start)
    // Behind the end nothing is heard, and nothing written.
    guard endNear(session.start, session) == nil else { return }
    await hearAgain()
    await moved(to: player.snapshot.position ?? session.start)
    if let current = try? await store.episode(session.entry.episode.id) { playing.renew(current) }
  }

  /// The user goes elsewhere in an episode that was marked as played since it began: it is begun anew.
  func hearAgain() async {
    guard let session, session.settings.savesPosition,
      let status = (try? await store.episode(session.entry.episode.id))?.status, status.hasCompleted,
      status.lastListenTime == nil
    else { return }
    await becomeCurrent(session.entry)
  }

  /// So much of an episode is skipped without a mark when a step leads behind its end.
  private static let longestUnmarked = Duration.seconds(30)

  /// The end takes the position from the library, and a step that long may be a mistake.
  private func mark(_ position: Duration, in id: EpisodeID) async {
    let bookmark = try? await store.addBookmark(at: position, note: "before a step behind the end", in: id)
    if let bookmark { report(.bookmarked(bookmark.position)) }
  }

  /// Back leads first to the start of the chapter that plays. Chapters may be those of a longer file.
  @discardableResult
  func goToChapter(_ change: PlayerCommand.ChapterChange) -> ControlError? {
    guard let now = nowPlaying, let target = target(of: change, now), now.chapters.indices.contains(target) else {
      return .noSuchChapter
    }
    let start = now.chapters[target].startPosition
    if let end = end(before: .at(start)) { return .beyondEnd(end) }
    playing.setJumpAsked(true)
    go(to: start)
    return nil
  }

  private func target(of change: PlayerCommand.ChapterChange, _ now: NowPlaying) -> Int? {
    switch change {
    case .to(let number): return number - 1
    case .by(let steps):
      guard let position = now.snapshot.position else { return nil }
      // Before the first one.
      guard let index = now.chapterIndex else { return steps > 0 ? steps - 1 : nil }
      let isWellInside = position.inSeconds - now.chapters[index].start > 3
      return max(0, index + (steps < 0 && isWellInside ? steps + 1 : steps))
    }
  }

  // MARK: Sleeping

  func setSleep(_ mode: SleepTimer.Mode?) async {
    player.fade(to: 1)
    session?.fadedFrom = nil
    sleep = mode.map { SleepTimer($0, now: clock()) }
    keepSleepFromPause()
    // The timer may now end before the episode that was prepared.
    await unprepare()
    playing.setNote(sleepNote)
    publishStatus(isTick: false)
  }

  /// The timer stands still while nothing plays.
  func keepSleepFromPause() {
    if player.isPauseWanted { sleep?.pause(at: clock()) } else { sleep?.goOn(at: clock()) }
    playing.setSleep(sleep?.remaining(at: clock()), isPaused: player.isPauseWanted)
  }

  func setNextSleep() async {
    let modes: [SleepTimer.Mode?] = [
      .after(.seconds(900)), .after(.seconds(1800)), .after(.seconds(3600)), .endOfChapter, .episodes(1), nil,
    ]
    let index = modes.firstIndex(of: sleep?.mode) ?? modes.count - 1
    await setSleep(modes[(index + 1) % modes.count])
  }

  var sleepNote: String? {
    switch sleep?.mode {
    case nil: nil
    case .after: sleep?.remaining(at: clock()).map { "sleep in \($0.components.seconds / 60 + 1) min" }
    case .endOfChapter: "sleep after this chapter"
    case .episodes:
      sleep?.endsWithEpisode == true ? "sleep after this episode" : "sleep after \(sleep?.episodesLeft ?? 0) episodes"
    }
  }

  // MARK: Marks and notes

  /// False where the library does not take it.
  @discardableResult
  func bookmark(_ note: String?) async -> Bool {
    var bookmark: Bookmark?
    if let now = nowPlaying, let position = now.snapshot.position {
      bookmark = try? await store.addBookmark(at: position, note: note, in: now.entry.episode.id)
    }
    report(.bookmarked(bookmark?.position))
    return bookmark != nil
  }

  private nonisolated func addSkip(_ range: Range<Duration>?) {
    guard let range, let id = nowPlaying?.entry.episode.id else { return report(.skipHasNoStart) }
    guard range.upperBound - range.lowerBound >= .seconds(1) else { return report(.skipIsTooShort) }
    // Another episode may play on the listener's turn.
    Task { report(.skipAdded(range, isKept: await keepSkip(range, in: id))) }
  }

  /// From here on this range is passed over, and for good when the library takes it.
  private func keepSkip(_ range: Range<Duration>, in id: EpisodeID) async -> Bool {
    if session?.entry.episode.id == id { session?.plan.add([range]) }
    return (try? await store.addSkip(range, in: id)) != nil
  }

  private nonisolated func reportChapters() {
    let now = nowPlaying
    report(.chapters(now?.chapters ?? [], playing: now?.chapterIndex))
  }

  private func reportNotes() async {
    guard let entry = nowPlaying?.entry else { return }
    report(.notes(try? await store.details(of: entry.episode.id)))
  }
}
