import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit

/// The screen's behaviour: an event changes the state and asks for effects. Pure.
///
/// - this file: answers of the library, the player and commands
/// - `ScreenUpdate+Keys.swift`: keys and the mouse on a page
/// - `ScreenUpdate+Rows.swift`: rows that are not held yet, and keys that wait for them
/// - `ScreenUpdate+Episode.swift`: what keys do with an episode
/// - `ScreenUpdate+Filter.swift`, `ScreenUpdate+Palette.swift`: the two lines that are typed into
/// - `ScreenUpdate+Playing.swift`: the transcript
struct ScreenUpdate {
  var state: ScreenState
  var effects: [ScreenEffect] = []

  static func update(_ state: inout ScreenState, _ event: ScreenEvent) -> [ScreenEffect] {
    var update = ScreenUpdate(state: state)
    update.take(event)
    update.settle(after: state)
    state = update.state
    return update.effects
  }

  /// The effects that a screen begins with.
  static let first: [ScreenEffect] = [.loadQueue, .loadPodcasts]

  private mutating func take(_ event: ScreenEvent) {
    switch event {
    case .input(let input): takeInTurn(input)
    case .resized(let size): resize(to: size)
    case .time(let now): state.now = now
    case .libraryChanged: reload()
    case .status(let status): take(status)
    case .reached(let position): reach(position)
    case .home(let rows):
      take(rows)
      arrived(.home)
    // The order that was asked for is shown already, and the last move is followed by a change of the library.
    case .queue(let entries): if state.movesUnderWay == 0 { state.queue.replace(entries.map { .episode($0) }) }
    case .moved: state.movesUnderWay -= 1
    case .podcasts(let podcasts): take(podcasts)
    case .podcastCount(let count, let withImage):
      if count != state.podcasts.rows.count || withImage != state.images.count { readPodcasts() }
    case .entry(let entry): if entry.episode.id == state.player.entry?.episode.id { state.player.entry = entry }
    case .episodes(let window, let podcast) where podcast == state.podcast?.id:
      state.episodes.replace(
        window.entries.map { .episode($0) }, hasMoreBefore: window.hasMoreBefore, hasMoreAfter: window.hasMoreAfter)
      arrived(.episodes)
    case .episodes: break
    case .settings(let settings, let podcast): if podcast == state.podcast?.id { state.podcastSettings = settings }
    case .found(let rows): take(rows)
    case .about(let about): take(about)
    case .texts(let texts): take(texts)
    case .anchors(let anchors, let episode): take(anchors, of: episode)
    case .candidates(let choices, let line): if state.palette?.field.text == line { complete(choices) }
    case .output(let text, let number, let isEnd): take(output: text, of: number, isEnd)
    case .progress(let text): state.progress = text
    case .said(let message): state.message = message
    case .failed(let list, let reason):
      state[list].phase = .failed(reason)
      if state.awaited?.list == list { goOnWithoutRows() }
    case .picture(let key, let picture): take(picture, key)
    }
  }

  // MARK: The library

  /// Reads again what is shown, and what the first row counts. On Playing, where a player saves its position each second,
  /// the lists are read once their page is shown. That of the podcasts is whole, so it is read only there on every page.
  mutating func reload() {
    state.isBehind = state.page == .playing
    if !state.isBehind { effects.append(.loadHome(anchor(of: .home))) }
    state.arePodcastsBehind = state.page != .podcasts
    effects += [.loadQueue, state.arePodcastsBehind ? .countPodcasts : .loadPodcasts]
    readTranscript()
    if state.isBehind { return }
    if let podcast = state.podcast { effects.append(.loadEpisodes(podcast.id, anchor(of: .episodes))) }
    if let rows = state.filter?.rows { search(all: rows.rows.count > ScreenLayout(state).listRows.count) }
  }

  private static let newHeading = ScreenRow.heading("New")

  private mutating func take(_ home: HomeRows) {
    var rows: [ScreenRow] = []
    let begun = home.begun.map(\.episode.id)
    if !begun.isEmpty { rows.append(.heading("Going on")) }
    for entry in home.begun { rows.append(.episode(entry)) }
    let heading = rows.count
    for entry in home.new.entries where !begun.contains(entry.episode.id) { rows.append(.episode(entry)) }
    if rows.count > heading { rows.insert(Self.newHeading, at: heading) }
    state.home.replace(rows, hasMoreBefore: home.new.hasMoreBefore, hasMoreAfter: home.new.hasMoreAfter)
  }

  mutating func readPodcasts() {
    state.arePodcastsBehind = false
    effects.append(.loadPodcasts)
  }

  private mutating func take(_ podcasts: [PodcastEntry]) {
    state.isFirstRun = podcasts.isEmpty && state.home.rows.isEmpty
    state.podcasts.replace(podcasts.map { .podcast($0) })
    state.images = podcasts.reduce(into: [:]) { $0[$1.id] = $1.image }
    if let shown = state.podcast, let podcast = podcasts.first(where: { $0.id == shown.id }) { state.podcast = podcast }
  }

  /// Leaves the page of a podcast that is followed no longer; but the letters of a line that is typed would be keys there.
  private mutating func leaveUnfollowed() {
    guard let shown = state.podcast, state.podcasts.phase == .ready, state.filter?.isTyping != true,
      !state.podcasts.rows.contains(where: { $0.identity == .podcast(shown.id) })
    else { return }
    if state.listName == .episodes { state.filter = nil }
    state.podcast = nil
    state.podcastSettings = [:]
    state.episodes = RowList()
    state.isInPodcast = false
    if state.awaited?.list == .episodes { goOnWithoutRows() }
  }

  /// The end of notes stays at the end of the page.
  private mutating func resize(to size: Size) {
    state.size = size
    wrapNotesAnew()
    if state.page == .playing { state.transcript.selected = min(state.transcript.selected, lastInTranscript) }
    state.sideTop = min(state.sideTop, lastOfSide)
  }

  mutating func take(_ about: ScreenState.About) {
    if about.episode == state.selectedEntry?.episode.id { state.about = about }
  }

  // MARK: The player

  private mutating func take(_ status: PlayerStatus) {
    let isOther = status.episode != state.player.episode
    let entry = status.entry ?? (isOther ? nil : state.player.entry)
    if let left = state.message?.statusesLeft {
      state.message = left > 1 && status.state == state.player.state ? state.message : nil
      state.message?.statusesLeft = left - 1
    }
    state.player = status
    state.player.entry = entry
    if status.state == .playing, state.message?.isUntilPlaying == true { state.message = nil }
    if isOther, state.page == .playing { openTranscript() }
    state.transcript.follow(status.position)
  }

  /// Between two statuses, the screen counts on by itself.
  private mutating func reach(_ position: Duration) {
    guard state.nextWord == position else { return }
    state.nextWord = nil
    guard state.player.state == .playing, let known = state.player.position, known < position else { return }
    state.player.position = position
    state.transcript.follow(position)
  }

  private mutating func waitForWord() {
    guard state.page == .playing, state.player.state == .playing, state.transcript.shown == .transcript,
      let position = state.player.position, let next = state.transcript.next(after: position)
    else { return state.nextWord = nil }
    guard state.nextWord != next else { return }
    state.nextWord = next
    effects.append(.wait(for: next, (next - position) / (state.player.speed ?? 1)))
  }

  // MARK: Commands

  private mutating func take(output text: String, of number: Int, _ isEnd: Bool) {
    guard state.output?.number == number else { return }
    state.output?.text = text
    guard isEnd else { return }
    state.output?.isRunning = false
    // It may be shorter than the one before at another width.
    scrollOutput(by: 0)
    wrapNotesAnew()
  }

  // MARK: Pictures

  /// More would only take memory.
  private static let mostPictures = 32

  private mutating func take(_ picture: PlacedPicture?, _ key: PictureKey) {
    if state.pictures.count >= Self.mostPictures { state.pictures = [:] }
    state.pictures[key] = .some(picture)
  }

  private mutating func wantPicture(after before: ScreenState) {
    guard let key = state.pictureArea?.key, state.pictures[key] == nil, before.pictureArea?.key != key else { return }
    if !state.hasAskedTerminal, key.kind != .kitty {
      state.hasAskedTerminal = true
      effects.append(.askTerminal)
    }
    effects.append(.loadPicture(key))
  }

  // MARK: After each event

  /// Scrolls lists to their selections, asks for the windows and texts that are now needed, and drops what no longer fits.
  mutating func settle(after before: ScreenState) {
    let layout = ScreenLayout(state)
    if var list = state.list {
      list.fit(height: layout.listRows.count)
      state.list = list
      let isMoved = before.list?.selected != list.selected
      if isMoved, state.filter != nil {
        searchOn(list)
      } else if isMoved, state.awaited == nil, list.isNearEdge(height: layout.body.count), !isReadingWindow {
        readAround()
      }
    }
    leaveUnfollowed()
    followPodcast(layout)
    wantPicture(after: before)
    waitForWord()
    guard let id = state.selectedEntry?.episode.id else {
      if state.page != .podcasts { state.about = nil }
      return
    }
    if state.about?.episode != id, before.selectedEntry?.episode.id != id || before.about != nil && state.about == nil {
      state.sideTop = 0
      effects.append(.loadAbout(id))
    }
  }

  /// The window at an end of the list, which one around the former cursor would replace.
  private var isReadingWindow: Bool {
    effects.contains { effect in
      switch effect {
      case .loadHome, .loadEpisodes: true
      default: false
      }
    }
  }

  private mutating func readAround() {
    switch state.listName {
    case .home: effects.append(.loadHome(aroundSelected(.home)))
    case .episodes:
      if let podcast = state.podcast { effects.append(.loadEpisodes(podcast.id, aroundSelected(.episodes))) }
    default: break
    }
  }

  /// Beside the list of podcasts stand the episodes of the selected one.
  private mutating func followPodcast(_ layout: ScreenLayout) {
    guard state.page == .podcasts, !state.isInPodcast, layout.isWide,
      case .podcast(let podcast)? = state.list?.selectedRow, podcast.id != state.podcast?.id
    else { return }
    show(podcast)
  }

  /// Begins to read the episodes of a podcast.
  mutating func show(_ podcast: PodcastEntry) {
    guard state.podcast?.id != podcast.id else { return }
    state.podcast = podcast
    state.podcastSettings = [:]
    state.episodes = RowList()
    effects.append(.loadEpisodes(podcast.id, .start))
  }
}
