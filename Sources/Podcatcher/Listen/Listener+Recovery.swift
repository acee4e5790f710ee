internal import Playback
internal import PodcastModel
internal import PodcastStore

/// The setbacks that an episode survives.
extension Listener {
  /// Whether it is to be loaded once more, from the session's start.
  func recover(from reason: EndReason) async -> Bool {
    guard let session else { return false }
    if await takesNewAddress(session) { return request == nil }
    if await takesNewFile(session) { return request == nil }
    if let length = endBefore(session.start, reason, session) { return await startInside(length) }
    if await goesBack(session) { return request == nil }
    guard case .failed(let error) = reason else { return false }
    switch error.code {
    case .cannotDecode where session.medium.isStored && !session.recorder.isTrusted: return await asksAgain(session)
    // The device was there, so it may come back. A start without a device fails.
    case .noAudioOutput where session.recorder.isTrusted: await waitForDevice()
    case .engineLost where session.setbacks.count < Setbacks.mostBreakdowns:
      await write(self.session?.recorder.happened(at: clock()))
    default: return false
    }
    session.setbacks.add()
    session.reload(from: session.reached)
    return request == nil
  }

  /// The server refuses the address, which may have held a token, and a refresh has brought another one meanwhile.
  private func takesNewAddress(_ session: Session) async -> Bool {
    guard let fault = session.medium.fault, fault.isOfAddress,
      let current = try? await store.episode(session.entry.episode.id),
      current.episode.enclosure?.url != session.entry.episode.enclosure?.url
    else { return false }
    session.entry = current
    guard await opensAgain(session, anew: false) else {
      // The file is closed: nothing plays where it was.
      session.jump = nil
      return false
    }
    await goOnInNewFile(session)
    if let moved = session.medium.moved { report(.fileChanged(moved)) }
    return true
  }

  /// The publisher has replaced the file of which a part is on this machine. Some servers lay other adverts into it at each
  /// request: then one request brings all of it.
  private func takesNewFile(_ session: Session) async -> Bool {
    guard session.medium.fault == .changed, !session.medium.isInOrder,
      await opensAgain(session, anew: true, inOrder: session.medium.isNew)
    else { return false }
    await goOnInNewFile(session)
    report(.fileChanged(session.medium.moved))
    return true
  }

  /// It may be laid out otherwise.
  private func goOnInNewFile(_ session: Session) async {
    let moved = session.medium.moved
    if let from = moved?.from, let to = moved?.to {
      session.goOn(from: from, at: to)
      playing.setAim(nil)
    }
    // Those of the old file. They are read again once the new one is loaded.
    if !session.embedded.isEmpty { session.chapters = [] }
    session.plan = await plan(of: session)
  }

  /// A jump led to bytes that will not come: it goes on where it was heard before.
  private func goesBack(_ session: Session) async -> Bool {
    guard request == nil, let fault = session.medium.fault, fault != .changed || session.medium.isInOrder,
      !fault.mayPass, let jump = session.jump
    else {
      return false
    }
    report(.jumpFailed(session.entry, .media(fault), from: jump.from))
    playing.tellFailedJump()
    playing.setAim(nil)
    (session.jump, session.isAimed, session.position) = (nil, false, jump.from)
    session.log?.jumped()
    session.plan.moved(to: jump.from)
    session.chapterStarts.moved(to: jump.from)
    session.chapterIndex = session.chapters.index(at: jump.from)
    await write(session.recorder.moved(to: jump.from, at: clock()))
    session.reload(from: jump.from)
    return true
  }

  private func plan(of session: Session) async -> SkipPlan {
    var plan = await plan(of: session.entry, session.settings)
    plan.add((try? await store.skips(of: session.entry.episode.id)) ?? [])
    plan.add(
      SkipPlan.ranges(of: session.chapters, titled: session.settings.skipChapters, duration: session.duration))
    return plan
  }

  /// Fetches the file once more: the stored one cannot be opened, so it may be no media file.
  private func asksAgain(_ session: Session) async -> Bool {
    guard (try? library.client()) != nil else { return false }
    return await opensAgain(session, anew: true) && request == nil
  }

  private func opensAgain(_ session: Session, anew: Bool, inOrder: Bool = false) async -> Bool {
    await write(session.recorder.happened(at: clock()))
    // A signal must not save a position of the old file once that has moved.
    playing.set(
      session.entry, media: nil, of: session.medium, from: session.reached, isKept: session.settings.savesPosition)
    await session.medium.close()
    guard let medium = try? await open(session.entry, anew: anew, inOrder: inOrder) else { return false }
    session.medium = medium
    session.reload(from: session.reached)
    await learnSound()
    return true
  }

  private func waitForDevice() async {
    await write(session?.recorder.happened(at: clock()))
    let setbacks = session?.setbacks ?? Setbacks()
    if setbacks.isFirst { report(.waitingForAudio) }
    playing.setNote("waiting for the audio device")
    playing.setWaiting(true)
    publishStatus(isTick: false)
    let end = clock() + setbacks.pause
    while request == nil, clock() < end { try? await Task.sleep(for: .milliseconds(50)) }
    playing.setNote(sleepNote)
    playing.setWaiting(false)
  }

  /// The length of a media file that ends before the position at which it was to start.
  func endBefore(_ start: Duration, _ reason: EndReason, _ session: Session) -> Duration? {
    guard let length = endNear(start, session), !session.recorder.isTrusted else { return nil }
    switch reason {
    case .reachedEnd: return start >= length ? length : nil
    case .failed(let error) where error.code == .cannotDecode: return length
    default: return nil
    }
  }

  /// The length of a media file in which nothing is to be heard from `start` on: an MP3 is a little longer than its sound.
  func endNear(_ start: Duration, _ session: Session) -> Duration? {
    // The player may have left the file by now.
    let told = player.snapshot.duration.map { session.medium.length(told: $0, of: session.entry) }
    guard session.medium.tellsItsLength, start > .zero,
      let length = session.medium.toldLength ?? told ?? session.duration,
      start > length - .milliseconds(250)
    else { return nil }
    return length
  }

  /// The media file has become shorter than the kept position. The user did not ask for that, so it plays; the old
  /// position stays as a bookmark.
  private func startInside(_ length: Duration) async -> Bool {
    guard let session, let kept = session.keptPosition else { return false }
    let start = Rewind.position(from: kept, behind: length)
    report(.behindItsEnd(kept: kept, length: length, from: start))
    if session.settings.savesPosition {
      _ = try? await store.addBookmark(
        at: kept, note: "before the episode became shorter", in: session.entry.episode.id)
    }
    (session.keptPosition, session.heardAgainTo) = (nil, nil)
    session.reload(from: start)
    return request == nil
  }
}
