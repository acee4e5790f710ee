import ScreenKit

/// A table: aligned and cut to the width of the screen for people, tab-separated and whole for a pipe. Pure.
struct Table<Row> {
  var columns: [Column<Row>]
  /// Blanks between two columns.
  var gap = 2
  /// The line above the first row, and above each row whose heading differs from the one before.
  var heading: ((Row) -> String)?
  /// A line in red below the row.
  var complaint: ((Row) -> String?)?
  /// Colours the finished line. Without it a line ends in no blanks.
  var style: ((Row, String) -> String)?

  // MARK: For people

  func rendered(_ rows: [Row], width: Int, _ paint: Paint) -> String {
    let shown = columns.filter { $0.cell != nil && $0.minimumScreen <= width }
    let cells = rows.map { row in shown.map { $0.cell?(row) ?? "" } }
    let widths = widths(of: shown, cells, width)
    var last: String?
    var text = ""
    for (row, cells) in zip(rows, cells) {
      if let heading = heading?(row), heading != last {
        text += (last == nil ? "" : "\n") + paint.bold(DisplayWidth.fitted(heading, to: width)) + "\n"
        last = heading
      }
      text += line(row, cells, shown, widths) + "\n"
      if let complaint = complaint?(row) { text += paint.red(DisplayWidth.fitted(complaint, to: width)) + "\n" }
    }
    return text
  }

  private func line(_ row: Row, _ cells: [String], _ columns: [Column<Row>], _ widths: [Int]) -> String {
    let blanks = String(repeating: " ", count: gap)
    var line = ""
    for (index, cell) in cells.enumerated() {
      let column = columns[index]
      let isRagged = index == cells.count - 1 && !column.isAlignedRight
      let text =
        isRagged
        ? DisplayWidth.fitted(cell, to: widths[index])
        : DisplayWidth.column(cell, widths[index], alignedRight: column.isAlignedRight)
      if index > 0 { line += blanks }
      line += column.decoration?(row, text) ?? text
    }
    if let style { return style(row, line) }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// A column is as wide as its widest cell, within its limits; the columns without a limit share the rest.
  private func widths(of columns: [Column<Row>], _ cells: [[String]], _ width: Int) -> [Int] {
    var widths = columns.indices.map { index in
      let column = columns[index]
      if column.limit == column.minimum { return column.minimum }
      let widest = cells.reduce(0) { max($0, DisplayWidth.of($1[index])) }
      return max(column.minimum, min(column.limit ?? .max, widest))
    }
    let flexible = columns.indices.filter { columns[$0].limit == nil }
    let gaps = gap * max(0, columns.count - 1)
    let fixed = columns.indices.filter { columns[$0].limit != nil }.reduce(0) { $0 + widths[$1] }
    var left = max(0, width - gaps - fixed)
    // The short ones first: the long ones get the width that they leave.
    for (number, index) in flexible.sorted(by: { widths[$0] < widths[$1] }).enumerated() {
      let share = left / (flexible.count - number)
      widths[index] = max(columns[index].minimum, min(widths[index], max(4, share)))
      left -= widths[index]
    }
    return widths
  }

  // MARK: For pipes

  func tabSeparated(_ rows: [Row]) -> String {
    let fields = columns.compactMap { column in column.field.map { (text: $0, isClean: column.hasCleanField) } }
    // Strings are appended several times slower than their bytes.
    var text: [UInt8] = []
    text.reserveCapacity(rows.count * 120)
    for row in rows {
      for (index, field) in fields.enumerated() {
        if index > 0 { text.append(UInt8(ascii: "\t")) }
        text += (field.isClean ? field.text(row) : CleanText.line(field.text(row), limit: .max)).utf8
      }
      text.append(UInt8(ascii: "\n"))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// A column: a cell on the screen, a field in a pipe, or both.
struct Column<Row> {
  /// The greatest width; without it the column takes its share of the width that is left.
  var limit: Int?
  var minimum: Int
  var isAlignedRight: Bool
  /// Narrower screens do not show the column.
  var minimumScreen: Int
  /// Clean text; nil for a column that only a pipe has.
  var cell: ((Row) -> String)?
  /// Nil for a column that only a screen has.
  var field: ((Row) -> String)?
  /// The field is a number or a date of podcli's own, which needs no cleaning.
  var hasCleanField = false
  /// Makes the padded cell a link.
  var decoration: ((Row, String) -> String)?

  init(
    limit: Int? = nil, minimum: Int = 0, isAlignedRight: Bool = false, from minimumScreen: Int = 0,
    full: ((Row) -> String)? = nil, _ text: @escaping (Row) -> String
  ) {
    self.limit = limit
    self.minimum = minimum
    self.isAlignedRight = isAlignedRight
    self.minimumScreen = minimumScreen
    cell = { CleanText.line(text($0)) }
    field = full ?? text
  }

  /// The column with a field that needs no cleaning.
  var withCleanField: Column {
    var column = self
    column.hasCleanField = true
    return column
  }

  static func onlyOnScreen(limit: Int, minimum: Int = 0, _ text: @escaping (Row) -> String) -> Column {
    var column = Column(limit: limit, minimum: minimum, text)
    column.field = nil
    return column
  }

  static func onlyInPipe(_ text: @escaping (Row) -> String) -> Column {
    var column = Column(text)
    column.cell = nil
    return column
  }
}

/// A line for a pipe.
enum TabSeparated {
  static func line(_ fields: [String]) -> String {
    fields.map { CleanText.line($0, limit: .max) }.joined(separator: "\t") + "\n"
  }
}
