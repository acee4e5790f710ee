internal import Playback
internal import PodcastModel
internal import PodcastStore

/// The correction of an episode's sound while it plays.
extension Listener {
  /// Measured meanwhile: the new filters come in a pause, and the gain moves to the better one in pauses.
  func correctSound(at position: Duration) async {
    await lookForSounding()
    guard let session, let media = session.media, let sounding = session.sounding else { return }
    let isPause = sounding.isPause(at: position.inSeconds)
    if isPause, let found = session.found {
      session.found = nil
      session.ramp = found.gain.flatMap { better in session.correction.gain.map { GainRamp(from: $0, to: better) } }
      session.correction = found
      if let ramp = session.ramp { session.correction.gain = ramp.gain }
      player.correct(media, session.correction)
    }
    if session.ramp?.played(isPause: isPause, at: clock()) == true {
      session.correction.gain = session.ramp?.gain
      player.correct(media, session.correction)
    }
  }

  /// Looks now and then whether another process has measured the episode.
  private func lookForSounding() async {
    let now = clock()
    guard let session, session.sounding == nil, now - session.soughtAt >= Self.seekingInterval else { return }
    session.soughtAt = now
    guard let sounding = await SoundGuide(store: store).sounding(of: session.entry) else {
      return await measureOnce(session)
    }
    session.sounding = sounding
    session.found = await SoundGuide(store: store).correction(of: session.entry, session.settings, sounding)
  }

  /// Not beside the first sample, and only what is here whole.
  private func measureOnce(_ session: Session) async {
    guard !session.isMeasured, (try? await LocalFile.whole(of: session.entry, in: store)) ?? nil != nil else {
      return
    }
    session.isMeasured = true
    examine(session.entry.episode.id)
  }

  private static let seekingInterval = Duration.seconds(5)
}
