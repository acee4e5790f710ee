internal import Playback
internal import PodcastModel
internal import PodcastStore

/// The correction of an episode's sound while it plays.
extension Listener {
  /// Measured meanwhile: the new filters come in a pause, and the gain moves to the better one in pauses.
  func correctSound(at position: Duration) async {
    await lookForSounding(at: position)
    guard let session, let media = session.media, let sounding = session.sounding ?? session.part?.sounding else {
      return
    }
    let isPause = sounding.isPause(at: position.inSeconds)
    if isPause, let found = session.found {
      session.found = nil
      session.ramp = found.gain.map { GainRamp(from: presentGain(session), to: $0) }
      session.correction = found
      if let ramp = session.ramp { session.correction.gain = ramp.gain }
      player.correct(media, session.correction)
    }
    if session.ramp?.played(isPause: isPause, at: clock()) == true {
      session.correction.gain = session.ramp?.gain
      player.correct(media, session.correction)
    }
  }

  /// In decibels. Without a better one the file's tags have theirs.
  private func presentGain(_ session: Session) -> Double {
    if let gain = session.correction.gain { return gain }
    return player.snapshot.tagGain?.heard(with: session.correction.gainOverTags ?? 0) ?? 0
  }

  /// Looks now and then whether another process has measured the episode.
  private func lookForSounding(at position: Duration) async {
    let now = clock()
    guard let session, session.sounding == nil, now - session.soughtAt >= Self.seekingInterval else { return }
    session.soughtAt = now
    // The measurement is in true time: at a position that is only estimated, pauses would be cut out of speech.
    if let byte = await session.medium.heardByte(at: position), !byte.isExact { return }
    let guide = SoundGuide(store: store)
    guard let sounding = await guide.sounding(of: session.entry) else {
      await lookForPart(session, at: position)
      return await measureOnce(session)
    }
    session.sounding = sounding
    session.found = await guide.correction(of: session.entry, session.settings, sounding)
  }

  /// A longer part is taken only where the one before is nearly over: new filters are a gap.
  private func lookForPart(_ session: Session, at position: Duration) async {
    let known = session.part?.sounding.duration ?? 0
    guard session.awaitsPart, position.inSeconds >= known - Self.partLeft,
      let part = await FirstPartSounding.kept(of: session.entry, in: store), part.sounding.duration >= known + 30
    else { return }
    (session.part, session.awaitsPart) = (part, false)
    session.found = await SoundGuide(store: store).correction(
      of: session.entry, session.settings, nil, part: part, hasTags: player.snapshot.tagGain != nil)
  }

  /// Not beside the first sample: what is here whole, or some more megabytes of its beginning.
  private func measureOnce(_ session: Session) async {
    guard !session.isMeasured else { return }
    let id = session.entry.episode.id
    if (try? await LocalFile.whole(of: session.entry, in: store)) ?? nil != nil {
      session.isMeasured = true
      return examine(id, .whole)
    }
    let now = clock()
    guard session.partAsked == 0 || now - session.partAskedAt >= Self.partInterval else { return }
    let here = await library.firstPart(of: id)
    guard here - session.partAsked >= (session.partAsked > 0 ? 2 : 1) * Self.partStep else { return }
    (session.partAsked, session.partAskedAt, session.awaitsPart) = (here, now, true)
    examine(id, .firstPart)
  }

  private static let seekingInterval = Duration.seconds(5)
  /// In seconds.
  private static let partLeft = 60.0
  /// In bytes: minutes of speech.
  private static let partStep: Int64 = 2 << 20
  /// Videos bring megabytes each second.
  private static let partInterval = Duration.seconds(60)
}

/// The part of a media file that is to be measured.
package enum Measurable: Sendable {
  case whole
  /// The beginning of one that is being filled.
  case firstPart
}
