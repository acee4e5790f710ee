/// Turns screens into the bytes that change a terminal from one to the next: a frame, for one write.
///
/// Terminals disagree about the width of emoji and of joined or marked characters. Therefore an absolute position follows
/// every contested glyph, its cells are blanked before it, and its row is written from there to the end.
package struct FrameWriter: Sendable {
  /// Without it, styles keep their attributes only.
  private let usesColor: Bool
  /// The screen that the terminal shows; nil where that is not known.
  private var shown: Cells?
  /// The pictures on the terminal, also when the rest is not known.
  private var placed: [PlacedPicture] = []
  private var bytes: [UInt8] = []
  /// The rows of this frame with a contested glyph.
  private var disturbed: [Int] = []
  private var style: Style?
  /// The position of the terminal's cursor; nil behind a contested glyph.
  private var position: Point?

  package init(usesColor: Bool) { self.usesColor = usesColor }

  /// The terminal may show anything: the next frame writes every row.
  package mutating func forget() { shown = nil }

  /// The frame that brings the terminal to this screen; empty when it shows it already.
  package mutating func frame(for next: Cells) -> [UInt8] {
    bytes.removeAll(keepingCapacity: true)
    style = shown == nil ? nil : .plain
    disturbed = []
    position = shown?.cursor
    let last = shown.flatMap { $0.size == next.size ? $0 : nil }
    let kept = last == nil ? [] : placed.filter { old in next.pictures.contains { $0.isSame(as: old) } }
    for old in placed where !kept.contains(where: { $0.isSame(as: old) }) { bytes += old.removal }
    for row in 0..<next.size.rows { write(row, of: next, over: last) }
    for new in next.pictures where isDisturbed(new) || !kept.contains(where: { $0.isSame(as: new) }) { draw(new) }
    placed = next.pictures
    let isStill = bytes.isEmpty && last?.cursor == next.cursor
    shown = next
    if isStill { return [] }
    if !bytes.isEmpty { setStyle(.plain) }
    move(to: next.cursor)
    if bytes.count <= Self.onePiece, disturbed.isEmpty { return bytes }
    return Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }

  /// A terminal reads so few bytes at once and needs no marks around them, such as those of a word that is lit. Contested
  /// glyphs keep them: without, tmux 3.3a loses the end of a joined cluster now and then.
  private static let onePiece = 80

  // MARK: A row

  private mutating func write(_ row: Int, of next: Cells, over last: Cells?) {
    let columns = next.size.columns
    let new = next.row(row)
    guard let last else {
      let end = contentEnd(new)
      write(0..<end, row, next)
      return clearRest(from: end, row, columns)
    }
    let old = last.row(row)
    if next.isSame(row: row, in: last) { return }
    let end = contentEnd(new)
    var column = 0
    while let start = firstChange(from: column, new, old, next, last) {
      if start >= end { return clearRest(from: start, row, columns) }
      var stop = changeEnd(from: start, new, old, next, last)
      if (start..<stop).contains(where: { new[new.startIndex + $0].isContested }) { stop = columns }
      write(start..<min(stop, max(end, start)), row, next)
      if stop > end { return clearRest(from: max(end, start), row, columns) }
      column = stop
    }
  }

  /// The column behind the last cell that is no plain blank.
  private func contentEnd(_ row: ArraySlice<Cells.Cell>) -> Int {
    (row.lastIndex { $0 != .blank } ?? row.startIndex - 1) + 1 - row.startIndex
  }

  private func firstChange(
    from column: Int, _ new: ArraySlice<Cells.Cell>, _ old: ArraySlice<Cells.Cell>, _ next: Cells, _ last: Cells
  ) -> Int? {
    (column..<new.count).first { isChanged($0, new, old, next, last) }.map { found in
      // A wide glyph is written from its first cell.
      (column...found).last { new[new.startIndex + $0].width != 0 } ?? found
    }
  }

  /// Unchanged cells between two changes are written too, where moving over them takes as many bytes.
  private func changeEnd(
    from start: Int, _ new: ArraySlice<Cells.Cell>, _ old: ArraySlice<Cells.Cell>, _ next: Cells, _ last: Cells
  ) -> Int {
    var end = start + 1
    var column = start + 1
    while column < new.count, column - end < 6 {
      if isChanged(column, new, old, next, last) { end = column + 1 }
      column += 1
    }
    while end < new.count, new[new.startIndex + end].width == 0 { end += 1 }
    return end
  }

  private func isChanged(
    _ column: Int, _ new: ArraySlice<Cells.Cell>, _ old: ArraySlice<Cells.Cell>, _ next: Cells, _ last: Cells
  ) -> Bool {
    !next.isSame(new[new.startIndex + column], as: old[old.startIndex + column], in: last)
  }

  // MARK: Bytes

  private mutating func write(_ columns: Range<Int>, _ row: Int, _ screen: Cells) {
    let cells = screen.row(row)
    for column in columns {
      let cell = cells[cells.startIndex + column]
      guard cell.width > 0, cell.glyph != Cells.Cell.covered.glyph else { continue }
      move(to: Point(column: column, row: row))
      setStyle(cell.style)
      if cell.isContested {
        if disturbed.last != row { disturbed.append(row) }
        bytes += Array(repeating: 32, count: Int(cell.width))
        position = nil
        move(to: Point(column: column, row: row))
      }
      append(cell, screen)
      position = cell.isContested ? nil : Point(column: column + Int(cell.width), row: row)
    }
  }

  /// A contested glyph may have reached into it, where text overwrites pictures.
  private func isDisturbed(_ picture: PlacedPicture) -> Bool {
    picture.removal.isEmpty
      && disturbed.contains { $0 >= picture.origin.row && $0 < picture.origin.row + picture.size.rows }
  }

  /// The terminal's cursor may be anywhere after it.
  private mutating func draw(_ picture: PlacedPicture) {
    for (number, line) in picture.lines.enumerated() {
      position = nil
      move(to: Point(column: picture.origin.column, row: picture.origin.row + number))
      setStyle(.plain)
      bytes += line
    }
    position = nil
    style = nil
  }

  private mutating func append(_ cell: Cells.Cell, _ screen: Cells) {
    if cell.glyph < 0x80 { return bytes.append(UInt8(cell.glyph)) }
    bytes += Array(screen.text(cell).utf8)
  }

  private mutating func clearRest(from column: Int, _ row: Int, _ columns: Int) {
    guard column < columns else { return }
    move(to: Point(column: column, row: row))
    setStyle(.plain)
    bytes += Array("\u{1B}[K".utf8)
  }

  /// The first column of a row needs no number, and the row of the cursor none, where that is known.
  private mutating func move(to point: Point) {
    guard position != point else { return }
    switch (position?.row == point.row, point.column) {
    case (true, 0): bytes.append(0x0D)
    case (true, let column): bytes += Array("\u{1B}[\(column + 1)G".utf8)
    case (false, 0): bytes += Array("\u{1B}[\(point.row + 1)H".utf8)
    case (false, let column): bytes += Array("\u{1B}[\(point.row + 1);\(column + 1)H".utf8)
    }
    position = point
  }

  private mutating func setStyle(_ new: Style) {
    guard style != new else { return }
    new.append(to: &bytes, after: style, usesColor: usesColor)
    style = new
  }
}
