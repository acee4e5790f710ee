internal import Playback
internal import PodcastModel
internal import PodcastStore

/// What an episode gets over.
extension Listener {
  /// Whether it is to be loaded once more, from the session's start.
  func recover(from reason: EndReason) async -> Bool {
    guard let session else { return false }
    if await takesNewFile(session) { return wish == nil }
    if let length = endBefore(session.start, reason, session) { return await startInside(length) }
    guard case .failed(let error) = reason else { return false }
    switch error.code {
    // It had played, so it may come back. Who starts without one is told so.
    case .noAudioOutput where session.recorder.isTrusted: await waitForDevice()
    case .engineLost where session.setbacks.count < Setbacks.mostBreakdowns:
      await write(self.session?.recorder.happened(at: clock()))
    default: return false
    }
    self.session?.setbacks.add()
    self.session?.start = session.position ?? session.start
    self.session?.media = nil
    return wish == nil
  }

  /// The publisher has put another file in the place of the one that is here in part.
  private func takesNewFile(_ session: Session) async -> Bool {
    guard session.medium.fault == .changed, !session.medium.isNew else { return false }
    await write(session.recorder.happened(at: clock()))
    await session.medium.close()
    guard let medium = try? await open(session.entry, anew: true) else { return false }
    session.medium = medium
    session.start = session.position ?? session.start
    session.media = nil
    report(.fileChanged)
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
    guard !session.recorder.isTrusted, start > .zero, let length = player.snapshot.duration, start >= length else {
      return nil
    }
    switch reason {
    case .reachedEnd: return length
    case .failed(let error) where error.code == .cannotDecode: return length
    default: return nil
    }
  }

  /// The medium has become shorter than the place kept in it. Nobody asked for that, so it plays; the old place stays
  /// as a bookmark.
  private func startInside(_ length: Duration) async -> Bool {
    guard let session, let kept = session.keptPlace else { return false }
    let start = Rewind.place(from: kept, behind: length)
    report(.behindItsEnd(kept: kept, length: length, from: start))
    if session.settings.savesPlace {
      _ = try? await store.addBookmark(
        at: kept, note: "before the episode became shorter", in: session.entry.episode.id)
    }
    self.session?.recorder = ProgressRecorder(
      every: session.settings.progressInterval, keptPlace: nil, start: start)
    self.session?.keptPlace = nil
    self.session?.start = start
    self.session?.media = nil
    return wish == nil
  }
}
