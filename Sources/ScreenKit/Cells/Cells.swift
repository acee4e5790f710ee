private import Glibc

/// The size of a screen or of a part of it, in cells.
package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// A point of a screen; the first row and column are 0.
package struct Point: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A screenful of text: rows of cells, each with a glyph and a style. A value: two of them can be compared.
package struct Cells: Sendable {
  /// One cell. A wide glyph is followed by cells of width 0.
  struct Cell: Hashable, Sendable {
    /// A scalar, or an index into `clusters` with the highest bit set.
    var glyph: UInt32
    var width: UInt8
    var isContested: Bool
    var style: Style

    static let blank = Cell(glyph: 32, width: 1, isContested: false, style: .plain)
    static let clusterBit: UInt32 = 1 << 31
    /// Under a picture. The glyph is no scalar.
    static let covered = Cell(glyph: 1 << 30, width: 1, isContested: false, style: .plain)
  }

  package let size: Size
  /// Where the terminal's cursor stands: screen readers follow it.
  package var cursor = Point(column: 0, row: 0)
  private(set) var cells: [Cell]
  /// Glyphs of several scalars.
  private(set) var clusters: [String] = []
  package internal(set) var pictures: [PlacedPicture] = []

  package init(size: Size) {
    let size = Size(columns: max(1, size.columns), rows: max(1, size.rows))
    self.size = size
    cells = [Cell](repeating: .blank, count: size.columns * size.rows)
  }

  // MARK: Writing

  /// Writes a text from a point to the right, at most `width` cells of it. Control characters are left out. Returns the
  /// column behind it.
  @discardableResult
  package mutating func write(_ text: String, _ style: Style = .plain, at point: Point, width: Int = .max) -> Int {
    guard (0..<size.rows).contains(point.row), point.column >= 0 else { return point.column }
    let end = width < size.columns - point.column ? point.column + max(0, width) : size.columns
    var column = point.column
    if text.utf8.allSatisfy({ $0 < 0x7F }) {
      for byte in text.utf8 where byte >= 32 {
        guard column < end else { return column }
        set(Cell(glyph: UInt32(byte), width: 1, isContested: false, style: style), column, point.row)
        column += 1
      }
      return column
    }
    if DisplayWidth.isSimple(text) {
      for scalar in text.unicodeScalars {
        guard column < end else { return column }
        let isContested = DisplayWidth.isPlayerMark(scalar)
        set(Cell(glyph: scalar.value, width: 1, isContested: isContested, style: style), column, point.row)
        column += 1
      }
      return column
    }
    for character in text {
      let cells = DisplayWidth.of(character)
      guard column + cells <= end else { break }
      if cells > 0, place(character, cells, style, column, point.row) { column += cells }
    }
    return column
  }

  /// Takes a part of another screen of the same size, which is quicker than to write its texts again. False where glyphs of
  /// several scalars forbid it: they are numbered within their screen.
  package mutating func take(rows: Range<Int>, _ columns: Range<Int>, of other: Cells) -> Bool {
    guard other.size == size, other.clusters.isEmpty else { return false }
    let (rows, columns) = (rows.clamped(to: 0..<size.rows), columns.clamped(to: 0..<size.columns))
    let length = size.columns
    cells.withUnsafeMutableBufferPointer { new in
      other.cells.withUnsafeBufferPointer { old in
        for row in rows {
          let start = row * length + columns.lowerBound
          _ = new[start..<(start + columns.count)].update(fromContentsOf: old[start..<(start + columns.count)])
        }
      }
    }
    return true
  }

  /// Changes the style of a range of a row.
  package mutating func restyle(row: Int, _ columns: Range<Int>, _ change: (Style) -> Style) {
    guard (0..<size.rows).contains(row) else { return }
    for column in columns.clamped(to: 0..<size.columns) {
      cells[row * size.columns + column].style = change(cells[row * size.columns + column].style)
    }
  }

  private mutating func place(
    _ character: Character, _ width: Int, _ style: Style, _ column: Int, _ row: Int
  ) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, first.value >= 32, !(0x7F..<0xA0).contains(first.value) else { return false }
    let isContested = DisplayWidth.isContested(character)
    var glyph = first.value
    if scalars.count > 1 {
      glyph = Cell.clusterBit | UInt32(clusters.count)
      clusters.append(String(character))
    }
    set(Cell(glyph: glyph, width: UInt8(clamping: width), isContested: isContested, style: style), column, row)
    for next in column + 1..<column + max(1, width) {
      set(Cell(glyph: 0, width: 0, isContested: false, style: style), next, row)
    }
    return true
  }

  mutating func cover(_ column: Int, _ row: Int) { set(.covered, column, row) }

  /// A wide glyph that loses a part becomes blanks.
  private mutating func set(_ cell: Cell, _ column: Int, _ row: Int) {
    let start = row * size.columns
    if cells[start + column].width == 0, cell.width != 0 { blank(from: glyphStart(column, start), start) }
    if cells[start + column].width > 1 { blank(from: column, start) }
    cells[start + column] = cell
  }

  /// The column of the glyph that reaches into this one.
  private func glyphStart(_ column: Int, _ start: Int) -> Int {
    (0...column).last { cells[start + $0].width != 0 } ?? 0
  }

  private mutating func blank(from column: Int, _ start: Int) {
    cells[start + column] = .blank
    for next in column + 1..<max(column + 1, size.columns) {
      guard cells[start + next].width == 0 else { return }
      cells[start + next] = .blank
    }
  }

  /// The same with other glyphs of the same width, for a terminal whose font lacks some.
  package func replacing(_ table: [Character: Character]) -> Cells {
    var copy = self
    for (old, new) in table {
      guard let old = old.unicodeScalars.first, let new = new.unicodeScalars.first else { continue }
      for index in copy.cells.indices where copy.cells[index].glyph == old.value {
        copy.cells[index].glyph = new.value
        copy.cells[index].isContested = false
      }
    }
    return copy
  }

  // MARK: Reading

  /// The text of a cell; empty for the second half of a wide glyph.
  func text(_ cell: Cell) -> String {
    if cell.width == 0 { return "" }
    if cell.glyph & Cell.clusterBit != 0 { return clusters[Int(cell.glyph & ~Cell.clusterBit)] }
    return Unicode.Scalar(cell.glyph).map { String($0) } ?? " "
  }

  func row(_ row: Int) -> ArraySlice<Cell> { cells[(row * size.columns)..<((row + 1) * size.columns)] }

  /// The same row in two screens of the same size. Nearly all rows stay from frame to frame, and their bytes are compared:
  /// cell by cell this takes most of the time of a frame. A cell has no byte without a meaning.
  func isSame(row: Int, in others: Cells) -> Bool {
    guard clusters.isEmpty, others.clusters.isEmpty else { return false }
    let length = size.columns * MemoryLayout<Cell>.stride
    return cells.withUnsafeBytes { new in
      others.cells.withUnsafeBytes { old in
        memcmp(new.baseAddress! + row * length, old.baseAddress! + row * length, length) == 0
      }
    }
  }

  /// The same cell in two screens, whose clusters are numbered apart.
  func isSame(_ cell: Cell, as other: Cell, in others: Cells) -> Bool {
    if cell.glyph & other.glyph & Cell.clusterBit == 0 { return cell == other }
    return cell.style == other.style && cell.width == other.width && text(cell) == others.text(other)
  }

  /// A row as text, without blanks at its end.
  package func line(_ number: Int) -> String {
    var line = row(number).map(text).joined()
    while line.last == " " { line.removeLast() }
    return line
  }

  /// A row with its styles as escape sequences, for tests.
  package func styledLine(_ number: Int, usesColor: Bool) -> String {
    let cells = row(number)
    let end = cells.lastIndex { $0 != .blank } ?? cells.startIndex - 1
    var line = ""
    var style = Style.plain
    for cell in cells[...end] {
      if cell.width > 0, cell.style != style {
        if usesColor || cell.style.attributes != style.attributes { line += cell.style.sequence(usesColor: usesColor) }
        style = cell.style
      }
      line += text(cell)
    }
    return style == .plain ? line : line + "\u{1B}[0m"
  }
}
