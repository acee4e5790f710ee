internal import Playback
internal import PodcastModel
internal import PodcastStore

/// What the keys ask for.
extension Listener {
  package func stop() { want(.stop) }

  /// In the episode that plays first.
  package func stop(at place: Duration) { stopPosition = place }

  package func next() async {
    guard let session, await wished(after: session.entry, session.settings) != nil else { return report(.nothingThere) }
    want(.next)
  }

  package func previous() {
    if heardBefore.isEmpty { report(.nothingThere) } else { want(.previous) }
  }

  func want(_ wish: Request) {
    self.wish = wish
    opening?.cancel()
    player.stop()
  }

  package func setSleep(_ mode: SleepTimer.Mode?) async {
    player.fade(to: 1)
    session?.fadedFrom = nil
    sleep = mode.map { SleepTimer($0, now: clock()) }
    sleepAt = sleep?.remaining(at: clock()).map { Timestamp(seconds: Timestamp.now.seconds + $0.components.seconds) }
    // What would follow may be what it is to end before.
    await unprepare()
    place.note(sleepNote)
    publishState(isTick: false)
  }

  package var sleepMode: SleepTimer.Mode? { sleep?.mode }

  var sleepNote: String? {
    switch sleep?.mode {
    case nil: nil
    case .after: sleep?.remaining(at: clock()).map { "sleep in \($0.components.seconds / 60 + 1) min" }
    case .endOfChapter: "sleep after this chapter"
    case .episodes(let count): count == 1 ? "sleep after this episode" : "sleep after \(count) episodes"
    }
  }

  /// `steps` chapters on; back leads first to the start of the one that plays.
  package func skipChapters(_ steps: Int) {
    guard let now = nowPlaying, let position = now.snapshot.position, let index = now.chapterIndex else { return }
    let isWellInside = position.inSeconds - now.chapters[index].start > 3
    let target = index + (steps < 0 && isWellInside ? steps + 1 : steps)
    guard now.chapters.indices.contains(max(0, target)) else { return }
    player.seek(to: .milliseconds(Int64(now.chapters[max(0, target)].start * 1000)))
  }

  /// Returns the place that was marked.
  package func bookmark(_ note: String? = nil) async -> Duration? {
    guard let now = nowPlaying, let position = now.snapshot.position else { return nil }
    let bookmark = try? await store.addBookmark(at: position, note: note, in: now.entry.episode.id)
    return bookmark?.position
  }

  /// What the publisher says about the episode that plays, as HTML.
  package func notes() async -> String? {
    guard let id = session?.entry.episode.id, let details = try? await store.details(of: id) else { return nil }
    return details.notes ?? details.summary ?? details.subtitle
  }

  /// From here on this range is passed over, and for good when the library takes it.
  package func addSkip(_ range: Range<Duration>) async -> Bool {
    guard let entry = session?.entry else { return false }
    session?.plan.add([range])
    return (try? await store.addSkip(range, in: entry.episode.id)) != nil
  }
}
