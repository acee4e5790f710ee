internal import Playback
internal import PodcastModel
private import Synchronization

/// The next episode is opened before the one that plays has ended, and follows without a gap.
extension Listener {
  /// A media file that the player has or will get.
  struct Opened: Sendable {
    let medium: OpenedMedia
    let media: MediaID
    let sounding: Sounding?
    let correction: SoundCorrection
    let notes: LaterNotes
  }

  struct Prepared: Sendable {
    let entry: EpisodeEntry
    let opened: Opened
  }

  /// In the tail of an episode the end of its bytes is its end, so that the queued episode never follows a media file
  /// that was cut off. A seek back before the tail takes the queued one back.
  func prepareNext(at position: Duration) async {
    guard let session, request == nil else { return }
    guard isInTail(position, session), session.fadedFrom == nil else { return await unprepare() }
    guard prepared == nil, !session.hasLookedAhead else { return }
    session.hasLookedAhead = true
    // A slow server of the next episode must not hold up the one that plays.
    let former = lookAhead
    former?.cancel()
    lookAhead = Task {
      // It may still hold the file.
      await former?.value
      await openNext(after: session)
    }
  }

  /// It holds the file of the episode that is opened now, unless it is done.
  func endLookingAhead() async {
    lookAhead?.cancel()
    await lookAhead?.value
    lookAhead = nil
  }

  private func openNext(after session: Session) async {
    guard !Task.isCancelled, sleep?.endsWithEpisode != true, stopPosition == nil,
      let next = try? await next(after: session.entry, session.settings.autoplay)
    else { return }
    let media = session.media
    let settings = await settings(of: next)
    let plan = await plan(of: next, settings)
    let notes = LaterNotes(say)
    guard let medium = try? await library.open(next, say: notes.take).openedAhead() else { return }
    let guide = SoundGuide(store: store)
    let sounding = await guide.sounding(of: next)
    let correction = await guide.correction(of: next, settings, sounding)
    let start = startPosition(
      of: next, .resume, plan, settings, known: medium.position,
      pauses: settings.rewinds ? sounding?.pauses ?? [] : []
    ).position
    guard !Task.isCancelled, self.session === session, session.media == media, session.hasLookedAhead, prepared == nil,
      request == nil,
      sleep?.endsWithEpisode != true,
      let queued = try? player.queue(medium.source, medium.options(from: start, title: next.episode.title, correction))
    else { return await medium.close() }
    prepared = Prepared(
      entry: next,
      opened: Opened(medium: medium, media: queued, sounding: sounding, correction: correction, notes: notes))
  }

  func unprepare() async {
    session?.hasLookedAhead = false
    lookAhead?.cancel()
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

/// The notes of a media file that was opened ahead. They are of the episode that plays once it is that; before, only the last
/// one is kept.
final class LaterNotes: Sendable {
  private struct State {
    var isBegun = false
    var last: MediaNote?
  }

  private let state = Mutex(State())
  private let say: @Sendable (MediaNote?) -> Void

  init(_ say: @escaping @Sendable (MediaNote?) -> Void) { self.say = say }

  var take: @Sendable (MediaNote?) -> Void {
    { [self] note in
      let isBegun = state.withLock { state in
        state.last = note
        return state.isBegun
      }
      if isBegun { say(note) }
    }
  }

  func begin() {
    let last = state.withLock { state in
      state.isBegun = true
      return state.last
    }
    if let last { say(last) }
  }
}
