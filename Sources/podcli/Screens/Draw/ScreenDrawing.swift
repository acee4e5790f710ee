import PodcastModel
import Podcatcher
import ScreenKit

/// Draws the screen of a state. Pure.
struct ScreenDrawing {
  let state: ScreenState
  let layout: ScreenLayout
  var cells: Cells
  var transcriptLines: TranscriptLines?

  static func draw(_ state: ScreenState) -> Cells {
    var lines: TranscriptLines?
    return draw(state, keeping: &lines)
  }

  /// Makes the lines of the transcript anew only where the last ones do not fit.
  static func draw(_ state: ScreenState, keeping lines: inout TranscriptLines?) -> Cells {
    var drawing = ScreenDrawing(state)
    drawing.transcriptLines = lines
    drawing.draw()
    lines = drawing.transcriptLines
    return drawing.cells
  }

  init(_ state: ScreenState) {
    self.state = state
    layout = ScreenLayout(state)
    cells = Cells(size: state.size)
  }

  private mutating func draw() {
    guard state.size.columns >= ScreenLayout.smallest.columns, state.size.rows >= ScreenLayout.smallest.rows else {
      cells.write("podcli needs 20×4", at: Point(column: 0, row: 0))
      return
    }
    drawTabs()
    if let output = state.output, state.palette == nil {
      draw(output)
    } else if let palette = state.palette {
      draw(palette)
    } else if state.page == .playing {
      drawPlaying()
    } else {
      drawLists()
      drawAboutLine()
    }
    drawPlayer()
    drawHints()
    let last = Point(column: layout.size.columns - 1, row: layout.size.rows - 1)
    cells.cursor = Point(column: min(cells.cursor.column, last.column), row: min(cells.cursor.row, last.row))
  }

  // MARK: The first and the last rows

  private mutating func drawTabs() {
    for tab in ScreenTabs(state).tabs {
      let style: Style = tab.page == state.page ? .bold.with(.reverse) : .plain
      cells.write(tab.text, style, at: Point(column: tab.columns.lowerBound, row: 0))
    }
    guard let progress = state.progress else { return }
    writeRight("↻ " + CleanText.line(progress), .dim, row: 0, of: 0..<layout.size.columns)
  }

  private mutating func drawPlayer() {
    let style: Style = state.player.state == .stopped ? .dim : .plain
    cells.write(PlayerBar(state).text, style, at: Point(column: 0, row: layout.playerRow))
    if state.player.state == .playing {
      cells.restyle(row: layout.playerRow, 0..<1) { _ in Style([.bold], .green) }
    }
  }

  private mutating func drawHints() {
    if let message = state.message {
      let text = DisplayWidth.fitted(" " + CleanText.line(message.text), to: layout.size.columns)
      cells.write(text, message.isError ? Style([.bold], .red) : .bold, at: Point(column: 0, row: layout.hintRow))
      return
    }
    var column = 1
    let hints = ScreenHints(state).hints
    for (index, hint) in hints.enumerated() {
      // The last one says how to leave: it is never pushed out.
      let rest = index < hints.count - 1 ? hints.last.map { $0.width + 2 } ?? 0 : 0
      guard column + hint.width + rest <= layout.size.columns else { continue }
      column = cells.write(hint.key, .bold, at: Point(column: column, row: layout.hintRow)) + 1
      column = cells.write(hint.text, .dim, at: Point(column: column, row: layout.hintRow)) + 2
    }
  }

  // MARK: The picture

  /// Places the picture of the page. Returns its size; before it is ready, that of its place.
  mutating func drawPicture() -> Size? {
    guard let area = state.pictureArea else { return nil }
    guard case .some(.some(var picture)) = state.pictures[area.key] else { return area.key.size }
    picture.origin = area.origin
    cells.place(picture)
    return Size(columns: area.key.size.columns, rows: area.key.size.rows)
  }

  // MARK: Helpers

  /// Writes a text cut to a range of columns.
  mutating func write(_ text: String, _ style: Style = .plain, row: Int, in columns: Range<Int>) {
    cells.write(
      DisplayWidth.fitted(text, to: columns.count), style, at: Point(column: columns.lowerBound, row: row),
      width: columns.count)
  }

  /// Writes a line that is typed. Its end stays in view. Returns the column behind it.
  mutating func writeTyped(_ text: String, row: Int) -> Int {
    var shown = text
    if DisplayWidth.of(text) >= layout.size.columns {
      var rest = text.dropFirst().suffix(layout.size.columns)
      while DisplayWidth.of(String(rest)) > layout.size.columns - 3 { rest = rest.dropFirst() }
      shown = text.prefix(1) + "…" + rest
    }
    return cells.write(shown, .bold, at: Point(column: 0, row: row))
  }

  mutating func writeRight(_ text: String, _ style: Style = .plain, row: Int, of columns: Range<Int>) {
    let width = DisplayWidth.of(text)
    guard width < columns.count else { return }
    write(text, style, row: row, in: (columns.upperBound - width)..<columns.upperBound)
  }

  /// Lines of text that is wrapped, from one of them on.
  mutating func writeLines(
    _ text: String, _ style: Style = .plain, from first: Int = 0, rows: Range<Int>, columns: Range<Int>
  ) {
    let lines = ScreenText.wrapped(text, width: columns.count, atLeast: first + rows.count).dropFirst(first)
    for (row, line) in zip(rows, lines) { write(line, style, row: row, in: columns) }
  }
}

/// Text in columns of the screen. Pure.
enum ScreenText {
  /// Wraps at blanks, and a longer word at the edge. At least the first `count` lines are made.
  static func wrapped(_ text: String, width: Int, atLeast count: Int = .max) -> [String] {
    TextWrap.lines(of: text, width: max(1, width), atLeast: count).flatMap { broken($0, max(1, width)) }
  }

  /// Wraps at blanks alone, so that each word is counted once; a longer one is cut at the edge.
  static func wrappedAtBlanks(_ text: String, width: Int) -> [String] {
    TextWrap.lines(of: text, width: max(1, width)).map { DisplayWidth.fitted($0, to: width) }
  }

  private static func broken(_ line: String, _ width: Int) -> [String] {
    guard DisplayWidth.of(line) > width else { return [line] }
    var (pieces, piece, used) = ([String](), "", 0)
    for character in line {
      let cells = DisplayWidth.of(String(character))
      if used > 0, used + cells > width {
        pieces.append(piece)
        (piece, used) = ("", 0)
      }
      piece.append(character)
      used += cells
    }
    return pieces + [piece]
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `today`, `yesterday`, `19 Aug`, and of other years `Aug 2024`; in local time.
  static func day(_ moment: Timestamp, now: Timestamp) -> String {
    let (then, today) = (LocalTime.shifted(moment), LocalTime.shifted(now))
    let days = floorDays(today) - floorDays(then)
    if days == 0 { return "today" }
    if days == 1 { return "yesterday" }
    let civil = then.civil
    let month = months[(civil.month + 11) % 12]
    return (-30...300).contains(days) ? "\(civil.day) \(month)" : "\(month) \(civil.year)"
  }

  private static func floorDays(_ moment: Timestamp) -> Int64 {
    let seconds = moment.seconds
    return (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400
  }
}

/// The keys of the last line. `:` stands first: the line is cut at its end on narrow screens.
struct ScreenHints {
  struct Hint {
    var key: String
    var text: String
    var width: Int { DisplayWidth.of(key) + 1 + DisplayWidth.of(text) }

    init(_ key: String, _ text: String) { (self.key, self.text) = (key, text) }
  }

  private(set) var hints: [Hint] = []

  init(_ state: ScreenState) {
    if state.palette != nil {
      hints = [Hint("enter", "run"), Hint("↑↓", "choose"), Hint("tab", "complete"), Hint("esc", "close")]
    } else if state.output != nil {
      hints = [Hint("↑↓", "scroll"), Hint(":", "another command"), Hint("esc", "close")]
    } else if state.filter?.isTyping == true {
      let open = state.listName == .podcasts ? "episodes" : "play"
      hints = [Hint("enter", open), Hint("↑↓", "choose"), Hint("tab", "complete"), Hint("esc", "clear")]
    } else if state.transcript.isTyping, state.page == .playing {
      hints = [Hint("enter", "hear this"), Hint("↓", "next"), Hint("↑", "the one before"), Hint("esc", "clear")]
    } else {
      hints = [Hint(":", "keys")]
      for key in ScreenKeys.hints(in: state) {
        guard let hint = key.hint, !hints.contains(where: { $0.text == hint }) else { continue }
        hints.append(Hint(key.label.split(separator: " ").first.map(String.init) ?? key.label, hint))
      }
    }
  }
}
