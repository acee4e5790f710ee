import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit

extension ScreenUpdate {
  /// The lines that are typed into come first, then the output of a command, then the page.
  mutating func take(_ input: Input) {
    switch input {
    case .key(let key) where isEscapeAndKey(key):
      take(.key(Key(.escape)))
      take(.key(Key(key.code)))
    case .key(let key):
      state.message = nil
      state.filter?.opensFirst = false
      if state.palette != nil { return takeInPalette(key) }
      if state.output != nil { return takeInOutput(key) }
      if state.filter?.isTyping == true { return takeInFilter(key) }
      if state.page == .playing, state.transcript.isTyping { return takeInTranscriptQuery(key) }
      if let action = ScreenKeys.action(for: key, in: state) {
        perform(action)
      } else if let meaning = ScreenKeys.meaning(of: key) {
        say("Not here: \(key.name), \(meaning)")
      }
    case .paste(let text): paste(text)
    case .mouse(let mouse):
      state.filter?.opensFirst = false
      take(mouse)
    case .attributes(let numbers):
      // The first number is the terminal's class.
      if numbers.dropFirst().contains(4), state.pictureKind != nil { state.pictureKind = .sixel }
    case .focus: break
    }
  }

  /// Escape and a character that came together are read as one with Alt, which means nothing on a page. In a line that is
  /// typed it moves by words in other programs.
  private func isEscapeAndKey(_ key: Key) -> Bool {
    guard case .character = key.code, key.modifiers == .alt else { return false }
    return state.palette == nil && state.filter?.isTyping != true && !state.transcript.isTyping
  }

  private mutating func paste(_ text: String) {
    if state.palette != nil {
      state.palette?.field.insert(text)
      state.palette?.startAnew()
    } else if state.filter?.isTyping == true {
      state.filter?.field.insert(text)
      search()
    } else if state.page == .playing, state.transcript.isTyping {
      state.transcript.query?.insert(text)
    }
  }

  /// Carries out an action, from a key or from the palette.
  mutating func perform(_ action: ScreenAction) {
    switch action {
    case .page(let page): show(page)
    case .nextPage: show(ScreenPage(rawValue: (state.page.rawValue + 1) % ScreenPage.allCases.count) ?? .home)
    case .move(let count): move(by: count)
    case .screenUp: move(by: -max(1, ScreenLayout(state).listRows.count - 1))
    case .screenDown: move(by: max(1, ScreenLayout(state).listRows.count - 1))
    case .top: toEnd(isTop: true)
    case .bottom: toEnd(isTop: false)
    case .open: open()
    case .back: goBack()
    case .moveDown: moveOrScroll(1)
    case .moveUp: moveOrScroll(-1)
    case .filter: openFilter()
    case .palette: state.palette = Palette()
    case .tie: tie()
    case .chapters: toggle(.chapters)
    case .notes: showNotes()
    case .redraw: effects.append(.redraw)
    case .suspend: effects.append(.suspend)
    case .leave: effects.append(.leave(stops: false))
    case .stopAndLeave: effects.append(.leave(stops: true))
    case .control(let words): control(words)
    default: performOnEpisode(action)
    }
  }

  mutating func show(_ page: ScreenPage) {
    state.filter = nil
    state.sideTop = 0
    if page != .playing { (state.transcript.query, state.transcript.isTyping) = (nil, false) }
    state.page = page
    if page != .playing, state.isBehind { reload() }
    if page == .podcasts, state.arePodcastsBehind { readPodcasts() }
    if page == .playing, state.transcript.episode != state.player.episode { openTranscript() }
  }

  /// With nothing playing, the key that goes on plays what was left off.
  private mutating func control(_ words: [String]) {
    if state.player.state == .stopped, words == ["toggle"], let entry = state.player.entry ?? state.selectedEntry {
      return play(entry, at: nil)
    }
    guard state.player.state != .stopped else { return say("Nothing is playing") }
    effects.append(.control(words))
  }

  mutating func say(_ text: String) { state.message = .init(text: text) }

  // MARK: Moving

  mutating func move(by count: Int) {
    if state.page == .playing { return moveInTranscript(by: count) }
    let rest = state.list?.move(by: count) ?? 0
    state.sideTop = 0
    if rest != 0 { wait(for: .further(rest)) }
  }

  private mutating func toEnd(isTop: Bool) {
    if state.page == .playing { return moveInTranscript(by: isTop ? -transcriptCount : transcriptCount) }
    guard let list = state.list else { return }
    state.list?.select(isTop ? 0 : list.rows.count - 1)
    if isTop ? list.hasMoreBefore : list.hasMoreAfter { wait(for: isTop ? .first : .last) }
  }

  private mutating func open() {
    if state.page == .playing { return hearSelected() }
    switch state.list?.selectedRow {
    case .episode(let entry): playOrShow(entry)
    case .passage(let hit): play(hit.entry, at: hit.time)
    case .podcast(let podcast):
      if state.filter != nil { state.podcasts.select(.podcast(podcast.id)) }
      show(podcast)
      state.filter = nil
      state.isInPodcast = true
    case .heading, nil: break
    }
  }

  private mutating func goBack() {
    if state.page == .playing { return followAgain() }
    if state.filter != nil { state.filter = nil } else { state.isInPodcast = false }
  }

  private mutating func moveOrScroll(_ step: Int) {
    if state.page == .queue, state.filter == nil, state.queue.rows.count > 1 { return moveInQueue(step) }
    state.sideTop = max(0, min(state.sideTop + step * 3, lastOfSide))
  }

  /// The first line of the notes beside a list where their last one stands at the end of the side.
  var lastOfSide: Int {
    let drawing = ScreenDrawing(state)
    guard let side = drawing.layout.side, drawing.layout.hasNotes, let notes = state.about?.notes else { return 0 }
    return max(0, ScreenText.wrapped(notes, width: side.count).count - drawing.notesRows.count)
  }

  /// Of the episode that is selected, or that plays.
  private mutating func showNotes() {
    guard state.listName != nil, let entry = state.selectedEntry else { return toggle(.notes) }
    run("info \(entry.episode.id.rawValue)")
  }

  // MARK: The mouse

  private mutating func take(_ mouse: Mouse) {
    let layout = ScreenLayout(state)
    switch mouse.action {
    case .wheelUp: scroll(by: -3)
    case .wheelDown: scroll(by: 3)
    case .release: break
    case .press where mouse.point.row == layout.playerRow: seek(to: mouse.point.column)
    case .press where mouse.point.row == 0: pressTab(mouse.point.column)
    case .press: press(mouse.point, layout)
    }
  }

  private mutating func scroll(by count: Int) {
    if state.output != nil { return scrollOutput(by: count) }
    if state.palette == nil { move(by: count) }
  }

  private mutating func press(_ point: Point, _ layout: ScreenLayout) {
    guard state.palette == nil, state.output == nil, let list = state.list, layout.listRows.contains(point.row),
      layout.list.contains(point.column)
    else { return }
    let index = list.top + point.row - layout.listRows.lowerBound
    guard list.rows.indices.contains(index), list.rows[index].isSelectable else { return }
    if index == list.selected { return open() }
    state.list?.select(index)
  }

  private mutating func pressTab(_ column: Int) {
    guard let tab = ScreenTabs(state).tabs.first(where: { $0.columns.contains(column) }) else { return }
    show(tab.page)
  }

  /// A click on the bar of the player line.
  private mutating func seek(to column: Int) {
    guard let bar = PlayerBar(state).columns, bar.contains(column), state.player.state != .stopped else { return }
    let percent = (column - bar.lowerBound) * 100 / max(1, bar.count - 1)
    effects.append(.control(["seek", "\(min(99, percent))%"]))
  }
}
