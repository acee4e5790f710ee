import PodcastModel
import Text

/// A list in its three dresses: aligned and cut to the screen for people, tab-separated and whole for a pipe,
/// JSON for programs. Its first column is what `play` takes.
struct Listing<Row> {
  var columns: [Column<Row>]
  var json: (Row) -> JSON
  /// What to say when there is nothing to show.
  var emptyText: String
  /// A line above the first row and above each row whose heading differs from the one before.
  var heading: ((Row) -> String)?

  func print(_ rows: [Row], _ context: Context) {
    let console = context.console
    if console.isJSON { return context.printJSON(.array(rows.map(json))) }
    guard !rows.isEmpty else { return console.say(emptyText) }
    guard console.isOutputTerminal else { return console.write(tabSeparated(rows)) }
    Pager.show(rendered(rows, width: console.width, Paint(console)), console)
  }

  func tabSeparated(_ rows: [Row]) -> String {
    rows.map { row in
      columns.map { CleanText.line($0.full(row), limit: .max) }.joined(separator: "\t") + "\n"
    }.joined()
  }

  // MARK: For people

  func rendered(_ rows: [Row], width: Int, _ paint: Paint) -> String {
    let shown = columns.filter { $0.minimumScreen <= width }
    let cells = rows.map { row in shown.map { CleanText.line($0.text(row)) } }
    let widths = widths(of: shown, cells, width)
    var last: String?
    var text = ""
    for (row, cells) in zip(rows, cells) {
      if let heading = heading?(row), heading != last {
        text += (last == nil ? "" : "\n") + paint.bold(DisplayWidth.fitted(heading, to: width)) + "\n"
        last = heading
      }
      text += line(cells, shown, widths) + "\n"
    }
    return text
  }

  private func line(_ cells: [String], _ columns: [Column<Row>], _ widths: [Int]) -> String {
    var parts: [String] = []
    for (index, cell) in cells.enumerated() {
      let isLast = index == cells.count - 1 && !columns[index].isAlignedRight
      parts.append(
        isLast
          ? DisplayWidth.fitted(cell, to: widths[index])
          : DisplayWidth.column(cell, widths[index], alignedRight: columns[index].isAlignedRight))
    }
    var line = parts.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Every column as wide as its widest cell, within its limit; the flexible ones share what is left.
  private func widths(of columns: [Column<Row>], _ cells: [[String]], _ width: Int) -> [Int] {
    var widths = columns.indices.map { index in
      min(columns[index].limit ?? .max, cells.map { DisplayWidth.of($0[index]) }.max() ?? 0)
    }
    let flexible = columns.indices.filter { columns[$0].limit == nil }
    let gaps = 2 * max(0, columns.count - 1)
    let fixed = columns.indices.filter { columns[$0].limit != nil }.reduce(0) { $0 + widths[$1] }
    var left = max(0, width - gaps - fixed)
    // The short ones first: what they do not need is left to the long ones.
    for (number, index) in flexible.sorted(by: { widths[$0] < widths[$1] }).enumerated() {
      let share = left / (flexible.count - number)
      widths[index] = min(widths[index], max(4, share))
      left -= widths[index]
    }
    return widths
  }
}

struct Column<Row> {
  /// As wide as this at most; without a limit it takes its share of what is left.
  var limit: Int?
  var isAlignedRight = false
  /// Left out where the screen has fewer columns.
  var minimumScreen = 0
  var text: (Row) -> String
  /// For a pipe.
  var full: (Row) -> String

  init(
    limit: Int? = nil, isAlignedRight: Bool = false, from minimumScreen: Int = 0, full: ((Row) -> String)? = nil,
    _ text: @escaping (Row) -> String
  ) {
    self.limit = limit
    self.isAlignedRight = isAlignedRight
    self.minimumScreen = minimumScreen
    self.text = text
    self.full = full ?? text
  }
}

/// An episode and a place in it, as `play` takes it: `142@41:07`.
enum PlaceText {
  static func reference(_ entry: EpisodeEntry, _ place: Duration?) -> String {
    String(entry.episode.id.rawValue) + (place.map { "@" + ClockText.short($0) } ?? "")
  }
}
