import Playback
import PodcastModel
import Podcatcher
import Synchronization
import Text

/// What each key does.
extension PlayingView {
  func press(_ key: Key, _ listener: Listener) {
    guard let action = PlayingKeys.action(for: key) else { return }
    switch action {
    case .pause: player.setPaused(!player.snapshot.isPaused)
    case .seek(let offset): player.seek(by: offset)
    case .change(let change):
      var sound = player.snapshot.sound
      change(&sound)
      player.changeSound(change)
      tell("volume \(Int(sound.volume)) %, trim \(sound.trim.rawValue), boost \(sound.boost ? "on" : "off")")
    case .chapter(let steps): Task { await listener.skipChapters(steps) }
    case .next: Task { await listener.next() }
    case .previous: Task { await listener.previous() }
    case .sleep: Task { await cycleSleep(listener) }
    case .bookmark: Task { await bookmark(listener) }
    case .skipFrom: state.withLock { $0.skipStart = player.snapshot }
    case .skipTo: Task { await markSkip(listener) }
    case .showChapters: showChapters(listener)
    case .showNotes: Task { await showNotes(listener) }
    case .help: say(PlayingKeys.help)
    case .stop: Task { await listener.stop() }
    }
  }

  private func showNotes(_ listener: Listener) async {
    guard let now = listener.nowPlaying else { return }
    let html = await listener.notes() ?? ""
    let text = PlainText.notes(html, baseURL: now.entry.episode.link).textWithLinks
    say(text.isEmpty ? "This episode has no notes" : CleanText.lines(text))
  }

  private func cycleSleep(_ listener: Listener) async {
    let modes: [SleepTimer.Mode?] = [
      .after(.seconds(900)), .after(.seconds(1800)), .after(.seconds(3600)), .endOfChapter, .episodes(1), nil,
    ]
    let index = modes.firstIndex(of: await listener.sleepMode) ?? modes.count - 1
    await listener.setSleep(modes[(index + 1) % modes.count])
  }

  private func bookmark(_ listener: Listener) async {
    guard let place = await listener.bookmark() else { return say("No bookmark could be made; try again") }
    say("Bookmarked \(ClockText.short(place))")
  }

  private func markSkip(_ listener: Listener) async {
    let marked = state.withLock { state in
      defer { state.skipStart = nil }
      return state.skipStart
    }
    let now = player.snapshot
    guard let marked, marked.media == now.media, let start = marked.position, let end = now.position, end > start else {
      return say("Mark where it begins first, with {")
    }
    let range = "\(ClockText.short(start)) to \(ClockText.short(end))"
    say(
      await listener.addSkip(start..<end)
        ? "\(range) will be skipped next time" : "\(range) is skipped now; the library would not keep it")
  }

  private func showChapters(_ listener: Listener) {
    guard let now = listener.nowPlaying, !now.chapters.isEmpty else { return say("This episode has no chapters") }
    for (index, chapter) in now.chapters.enumerated() {
      let mark = index == now.chapterIndex ? "▶" : " "
      say("\(mark) \(ClockText.short(.seconds(chapter.start)))  \(CleanText.line(chapter.title))")
    }
  }
}
