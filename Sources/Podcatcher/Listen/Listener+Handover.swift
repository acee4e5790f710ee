internal import Playback
internal import PodcastModel

/// The next episode is opened before the one that plays has ended, and follows without a gap.
extension Listener {
  /// A media file that the player has or will get.
  struct Opened: Sendable {
    let medium: OpenedMedia
    let media: MediaID
    let sounding: Sounding?
    let correction: SoundCorrection
  }

  struct Prepared: Sendable {
    let entry: EpisodeEntry
    let opened: Opened
  }

  /// In the tail of an episode the end of its bytes is its end, so that the queued episode never follows a media file
  /// that was cut off. A seek back before the tail takes the queued one back.
  func prepareNext(at position: Duration) async {
    guard let session, request == nil else { return }
    guard isInTail(position, session) else { return await unprepare() }
    guard prepared == nil, !session.hasLookedAhead else { return }
    session.hasLookedAhead = true
    // A slow server of the next episode must not hold up the one that plays.
    Task { await openNext(after: session) }
  }

  private func openNext(after session: Session) async {
    guard sleep?.endsWithEpisode != true, stopPosition == nil,
      let next = try? await next(after: session.entry, session.settings.autoplay)
    else { return }
    let media = session.media
    let settings = await settings(of: next)
    let plan = await plan(of: next, settings)
    guard let medium = try? await library.open(next, say: say).openedAhead() else { return }
    let guide = SoundGuide(store: store)
    let sounding = await guide.sounding(of: next)
    let correction = await guide.correction(of: next, settings, sounding)
    let start = startPosition(
      of: next, .resume, plan, settings, known: medium.position,
      pauses: settings.rewinds ? sounding?.pauses ?? [] : []
    ).position
    guard self.session === session, session.media == media, session.hasLookedAhead, prepared == nil, request == nil,
      sleep?.endsWithEpisode != true,
      let queued = try? player.queue(medium.source, medium.options(from: start, title: next.episode.title, correction))
    else { return await medium.close() }
    prepared = Prepared(
      entry: next, opened: Opened(medium: medium, media: queued, sounding: sounding, correction: correction))
  }

  func unprepare() async {
    session?.hasLookedAhead = false
    guard let prepared else { return }
    player.unqueue(prepared.opened.media)
    await forgetPrepared()
  }

  func forgetPrepared() async {
    let medium = prepared?.opened.medium
    prepared = nil
    await medium?.close()
  }

  private func isInTail(_ position: Duration, _ session: Session) -> Bool {
    EndVerdict(evidence(.reachedEnd, at: position, session)) == .finished
  }
}
