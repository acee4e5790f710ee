import PodcastModel
import PodcastStore
import Podcatcher
import ScreenKit

/// Home, Queue and Podcasts.
extension ScreenDrawing {
  mutating func drawLists() {
    drawHeader()
    guard let list = state.list else { return }
    draw(list, rows: layout.listRows, columns: layout.list, isActive: true)
    guard let side = layout.side else { return }
    if state.page == .podcasts { drawOtherList(side) } else { drawAbout(side) }
  }

  private mutating func drawHeader() {
    let row = layout.body.lowerBound
    if let filter = state.filter { return draw(filter, row) }
    guard state.page == .podcasts else { return }
    if let podcast = state.podcast, state.isInPodcast || layout.isWide {
      let columns = state.isInPodcast ? layout.list : layout.side ?? layout.list
      let crumb = layout.isWide ? "" : "Podcasts › "
      let facts = [counted(podcast.episodeCount, "episode"), "\(podcast.unplayedCount) to hear"]
      drawTitle(crumb + CleanText.line(podcast.title), facts, settings, row, columns)
    }
    guard layout.isWide || !state.isInPodcast else { return }
    let columns = state.isInPodcast ? layout.side ?? layout.list : layout.list
    write(" Podcasts", .bold, row: row, in: columns)
    writeRight("to hear", .dim, row: row, of: columns)
  }

  /// A long title is cut before the facts, where there is room for both; further facts have what it leaves.
  private mutating func drawTitle(
    _ title: String, _ facts: [String], _ further: [String], _ row: Int, _ columns: Range<Int>
  ) {
    var facts = facts
    let room = columns.count - DisplayWidth.of(facts.joined(separator: " · ")) - 3
    guard room >= columns.count / 3 else { return write(" " + title, .bold, row: row, in: columns) }
    let title = DisplayWidth.fitted(title, to: room)
    write(" " + title, .bold, row: row, in: columns)
    let rest = min(columns.lowerBound + DisplayWidth.of(title) + 2, columns.upperBound)..<columns.upperBound
    for fact in further {
      guard DisplayWidth.of((facts + [fact]).joined(separator: " · ")) < rest.count else { break }
      facts.append(fact)
    }
    writeRight(facts.joined(separator: " · "), .dim, row: row, of: rest)
  }

  /// The settings of the podcast alone: `speed 1.4×`, `↓3`, `keeps 3`.
  private var settings: [String] {
    let own = Settings(podcast: state.podcastSettings)
    var words: [String] = []
    if state.podcastSettings[SettingKeys.speed.name] != nil {
      words.append("speed " + PlayingLine.speedText(own[SettingKeys.speed]))
    }
    if let trim = state.podcastSettings[SettingKeys.trim.name], trim != "off" { words.append("trim \(trim)") }
    if let count = state.podcastSettings[SettingKeys.autoDownload.name], count != "0" { words.append("↓\(count)") }
    if let rule = state.podcastSettings[SettingKeys.keep.name], rule != "all" { words.append("keeps \(rule)") }
    return words
  }

  private mutating func draw(_ filter: Filter, _ row: Int) {
    let columns = 0..<layout.size.columns
    let end = writeTyped("/" + filter.field.text, row: row)
    if filter.isTyping { cells.cursor = Point(column: min(end, columns.upperBound - 1), row: row) }
    if let mistake = filter.mistake {
      // The side begins on this row.
      let edge = layout.side == nil ? columns.upperBound : layout.list.upperBound
      let room = min(end + 2, edge * 2 / 3)..<edge
      return writeRight(DisplayWidth.fitted(mistake, to: room.count - 1), .dim, row: row, of: room)
    }
    var note = ""
    if let took = filter.took {
      let count = filter.rows.rows.filter(\.isCounted).count
      note = "\(filter.rows.hasMoreAfter ? "more than " : "")\(count) in \(took.inMilliseconds) ms"
    }
    writeRight(note, .dim, row: row, of: min(end + 2, columns.upperBound)..<columns.upperBound)
  }

  private mutating func drawOtherList(_ side: Range<Int>) {
    // Those of a podcast that the filter leaves out are not those of the list.
    guard state.isInPodcast || state.filter == nil || state.list?.rows.isEmpty == false else { return }
    let list = state.isInPodcast ? state.podcasts : state.episodes
    draw(list, rows: layout.listRows, columns: side, isActive: false)
  }

  // MARK: A list

  private mutating func draw(_ list: RowList, rows: Range<Int>, columns: Range<Int>, isActive: Bool) {
    guard !list.rows.isEmpty else { return drawEmpty(list, rows, columns, isActive) }
    let format = EpisodeRowFormat(width: columns.count, now: state.now, showsPodcast: state.page != .podcasts)
    var shown = list
    if !isActive { shown.fit(height: rows.count) }
    for (row, index) in zip(rows, shown.top..<list.rows.count) {
      let isSelected = index == list.selected && isActive
      draw(list.rows[index], row, columns, format)
      if !isActive, case .podcast(let podcast) = list.rows[index], podcast.id == state.podcast?.id {
        cells.restyle(row: row, columns) { $0.with(.bold) }
      }
      guard isSelected else { continue }
      cells.write("▌", at: Point(column: columns.lowerBound, row: row))
      cells.restyle(row: row, columns) { $0.with(.reverse) }
      if state.filter?.isTyping != true { cells.cursor = Point(column: columns.lowerBound, row: row) }
    }
  }

  private mutating func draw(_ item: ScreenRow, _ row: Int, _ columns: Range<Int>, _ format: EpisodeRowFormat) {
    switch item {
    case .heading(let text): write(" " + text, .bold, row: row, in: columns)
    case .episode(let entry):
      for cell in format.cells(playing(entry)) {
        let start = columns.lowerBound + cell.column
        write(cell.text, cell.style, row: row, in: start..<min(start + cell.width, columns.upperBound))
      }
    case .passage(let hit):
      let time = hit.time.map { ClockText.short($0) } ?? ""
      let label = DisplayWidth.column(time, 8, alignedRight: true) + " " + DisplayWidth.column(hit.field.word, 8)
      write("   " + label, .dim, row: row, in: columns)
      let start = min(columns.lowerBound + 21, columns.upperBound)
      write(Highlighted(hit.snippet, matches: hit.matches), row: row, in: start..<columns.upperBound)
    case .podcast(let podcast):
      let count = podcast.unplayedCount > 0 ? String(podcast.unplayedCount) : ""
      write("   " + CleanText.line(podcast.title), row: row, in: columns.lowerBound..<(columns.upperBound - 7))
      if podcast.refreshError != nil {
        cells.write("!", Style([.bold], .red), at: Point(column: columns.lowerBound + 1, row: row))
      }
      writeRight(count, podcast.unplayedCount > 0 ? .bold : .plain, row: row, of: columns)
    }
  }

  /// With the position of the player, which is newer than the library's.
  private func playing(_ entry: EpisodeEntry) -> EpisodeEntry {
    guard entry.episode.id == state.player.episode, let position = state.player.position else { return entry }
    var entry = entry
    entry.status.lastListenTime = position
    // A mark as played takes that from it in the library.
    if state.player.state != .stopped { entry.status.isCurrentlyPlaying = true }
    return entry
  }

  private mutating func write(_ text: Highlighted, row: Int, in columns: Range<Int>) {
    var column = columns.lowerBound
    for piece in text.withFirstMatch(within: columns.count).pieces {
      let room = columns.upperBound - column
      let fitted = DisplayWidth.fitted(piece.text, to: room)
      column = cells.write(fitted, piece.isMatch ? .bold : .plain, at: Point(column: column, row: row), width: room)
      guard fitted == piece.text else { return }
    }
  }

  /// Nothing, and why: no library yet, being read, or not to be read.
  private mutating func drawEmpty(_ list: RowList, _ rows: Range<Int>, _ columns: Range<Int>, _ isActive: Bool) {
    let first = rows.lowerBound + (rows.count > 4 ? 1 : 0)
    cells.cursor = isActive && state.filter?.isTyping != true ? Point(column: 0, row: first) : cells.cursor
    let lines: [String]
    switch list.phase {
    case .loading: lines = ["…"]
    case .failed(let reason): lines = ScreenText.wrapped(CleanText.line(reason), width: columns.count - 4)
    case .ready where state.filter?.mistake != nil: lines = []
    case .ready where state.filter != nil: lines = ["Nothing matches."]
    case .ready where state.isFirstRun && state.page != .queue:
      lines = [
        ":subscribe URL   follow a podcast", ":find WORDS      look for one",
        ":import FILE     bring them from elsewhere",
      ]
    case .ready where state.podcasts.phase == .loading: lines = []
    case .ready: lines = [state.page == .queue ? "The queue is empty: a lines an episode up." : "Nothing here."]
    }
    for (row, line) in zip(first..<rows.upperBound, lines) {
      let style: Style = if case .failed = list.phase { Style([], .red) } else { state.isFirstRun ? .plain : .dim }
      write("   " + line, style, row: row, in: columns)
    }
  }

  // MARK: Beside and below the list

  private mutating func drawAbout(_ side: Range<Int>) {
    guard let entry = state.selectedEntry else { return }
    _ = drawPicture()
    let (columns, title) = titleBeside(entry, side)
    for (row, line) in zip(layout.body, [CleanText.line(entry.podcast.title)] + title + [facts(entry)]) {
      write(line, title.contains(line) ? .bold : .dim, row: row, in: columns)
    }
    guard let about = state.about, about.episode == entry.episode.id else { return }
    writeLines(about.notes, from: state.sideTop, rows: notesRows, columns: side)
  }

  /// The columns beside the picture, and the lines of the title in them.
  private func titleBeside(_ entry: EpisodeEntry, _ side: Range<Int>) -> (columns: Range<Int>, title: [String]) {
    let picture = state.pictureArea?.key.size
    let columns = picture.map { min(side.lowerBound + $0.columns + 2, side.upperBound)..<side.upperBound } ?? side
    let title = ScreenText.wrapped(CleanText.line(entry.episode.title), width: columns.count)
    return (columns, Array(title.prefix(picture == nil ? 3 : 5)))
  }

  /// The rows of the notes beside a list, below the picture or the facts.
  var notesRows: Range<Int> {
    guard let side = layout.side, let entry = state.selectedEntry else { return layout.body }
    let above = state.pictureArea?.key.size.rows ?? titleBeside(entry, side).title.count + 2
    return layout.body.dropFirst(above + 1)
  }

  private func facts(_ entry: EpisodeEntry) -> String {
    var parts: [String] = []
    if let date = entry.episode.publishedAt { parts.append(ScreenText.day(date, now: state.now)) }
    if let length = entry.duration { parts.append(ClockText.short(length)) }
    if let count = entry.chapterCount, count > 0 { parts.append("\(count) ch") }
    if entry.hasTranscript { parts.append("transcript") }
    if entry.isFavourite { parts.append("favourite") }
    // The first `joined` of a process takes longer than a tenth of drawing, and the first frame needs no other one.
    return parts.dropFirst().reduce(parts.first ?? "") { $0 + " · " + $1 }
  }

  mutating func drawAboutLine() {
    guard let row = layout.aboutRow, let entry = state.selectedEntry else { return }
    let columns = 0..<layout.size.columns
    let facts = facts(entry)
    writeRight(facts, .dim, row: row, of: columns)
    guard let about = state.about, about.episode == entry.episode.id else { return }
    let first = about.notes.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? ""
    write(" " + first, .dim, row: row, in: 0..<max(0, columns.upperBound - DisplayWidth.of(facts) - 2))
  }
}

extension ScreenRow {
  /// A passage belongs to the episode above it.
  fileprivate var isCounted: Bool {
    switch self {
    case .episode, .podcast: true
    case .heading, .passage: false
    }
  }
}

extension SearchHit.Field {
  /// Beside the passage.
  fileprivate var word: String {
    switch self {
    case .title: "title"
    case .notes: "notes"
    case .chapters: "chapter"
    case .transcript: "said"
    }
  }
}
