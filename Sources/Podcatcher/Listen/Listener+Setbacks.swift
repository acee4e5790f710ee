internal import Playback
internal import PodcastModel
internal import PodcastStore

/// What an episode gets over.
extension Listener {
  /// Whether it is to be loaded once more, from the session's start.
  func recover(from reason: EndReason) async -> Bool {
    guard let session else { return false }
    if await takesWhatIsHere(session, after: reason) { return wish == nil }
    if await takesNewFile(session) { return wish == nil }
    if await takesTheRest(session) { return wish == nil }
    if let length = endBefore(session.start, reason, session) { return await startInside(length) }
    guard case .failed(let error) = reason else { return false }
    switch error.code {
    // It had played, so it may come back. Who starts without one is told so.
    case .noAudioOutput where session.recorder.isTrusted: await waitForDevice()
    case .engineLost where session.setbacks.count < Setbacks.mostBreakdowns:
      await write(self.session?.recorder.happened(at: clock()))
    default: return false
    }
    session.setbacks.add()
    session.reload(from: session.reached)
    return wish == nil
  }

  /// A place was not found, because of bytes that are not to be had; but what sounds there may be here.
  private func takesWhatIsHere(_ session: Session, after reason: EndReason) async -> Bool {
    guard session.medium.fault != nil, !session.recorder.isTrusted || reason.isOfTheMedium else { return false }
    // Of what is heard again a little may be missing.
    let places = [session.reached, session.recorder.isTrusted ? nil : session.keptPosition]
    for place in places.compactMap(\.self) {
      guard let part = await session.medium.part(around: place) else { continue }
      session.medium = part
      session.reload(from: place)
      return true
    }
    return false
  }

  /// The publisher has put another file in the place of the one that is here in part.
  private func takesNewFile(_ session: Session) async -> Bool {
    guard session.medium.fault == .changed, !session.medium.isNew, await opensAgain(session, anew: true) else {
      return false
    }
    report(.fileChanged)
    return true
  }

  /// What was here of it has been heard, and the rest may be within reach again.
  private func takesTheRest(_ session: Session) async -> Bool {
    guard session.medium.isPart, session.medium.fault?.mayPass == true,
      session.setbacks.count < Setbacks.mostBreakdowns
    else { return false }
    session.setbacks.add()
    return await opensAgain(session, anew: false)
  }

  private func opensAgain(_ session: Session, anew: Bool) async -> Bool {
    await write(session.recorder.happened(at: clock()))
    await session.medium.close()
    guard let medium = try? await open(session.entry, anew: anew) else { return false }
    session.medium = medium
    session.reload(from: session.reached)
    return true
  }

  private func waitForDevice() async {
    await write(session?.recorder.happened(at: clock()))
    let setbacks = session?.setbacks ?? Setbacks()
    if setbacks.isFirst { report(.waitingForAudio) }
    place.note("waiting for the audio device")
    place.wait(true)
    publishState(isTick: false)
    let end = clock() + setbacks.pause
    while wish == nil, clock() < end { try? await Task.sleep(for: .milliseconds(50)) }
    place.note(sleepNote)
    place.wait(false)
  }

  /// The length of a medium that ends before the place it was to start at.
  func endBefore(_ start: Duration, _ reason: EndReason, _ session: Session) -> Duration? {
    guard session.medium.tellsItsLength, !session.recorder.isTrusted, start > .zero,
      let length = player.snapshot.duration, start >= length
    else { return nil }
    switch reason {
    case .reachedEnd: return length
    case .failed(let error) where error.code == .cannotDecode: return length
    default: return nil
    }
  }

  /// The medium has become shorter than the place kept in it. Nobody asked for that, so it plays; the old place stays
  /// as a bookmark.
  private func startInside(_ length: Duration) async -> Bool {
    guard let session, let kept = session.keptPosition else { return false }
    let start = Rewind.place(from: kept, behind: length)
    report(.behindItsEnd(kept: kept, length: length, from: start))
    if session.settings.savesPosition {
      _ = try? await store.addBookmark(
        at: kept, note: "before the episode became shorter", in: session.entry.episode.id)
    }
    session.keptPosition = nil
    session.reload(from: start)
    return wish == nil
  }
}

extension EndReason {
  /// Not of the engine, nor of the device.
  fileprivate var isOfTheMedium: Bool {
    switch self {
    case .reachedEnd: true
    case .failed(let error): error.code == .cannotDecode
    default: false
    }
  }
}
