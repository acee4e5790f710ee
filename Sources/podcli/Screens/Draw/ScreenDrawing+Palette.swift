import CommandKit
import ScreenKit

/// The palette, and the output of a command.
extension ScreenDrawing {
  mutating func draw(_ palette: Palette) {
    let columns = 0..<layout.size.columns
    let end = writeTyped(":" + palette.field.text, row: layout.overlay.lowerBound)
    cells.cursor = Point(column: min(end, columns.upperBound - 1), row: layout.overlay.lowerBound)
    var rows = layout.overlay.dropFirst()
    if !palette.candidates.isEmpty {
      for line in lines(of: palette.candidates, width: columns.count - 2, height: max(1, rows.count / 2)) {
        guard let row = rows.first else { return }
        write(" " + line, .dim, row: row, in: columns)
        rows = rows.dropFirst()
      }
    }
    let items = PaletteRows(state, palette).rows
    let top = max(0, min(palette.selected - rows.count / 2, items.count - rows.count))
    for (row, index) in zip(rows, top..<max(top, items.count)) {
      draw(items[index], row)
      guard index == palette.selected else { continue }
      cells.restyle(row: row, columns) { $0.with(.reverse) }
    }
  }

  /// Each with its meaning where they all have room or say nothing without it, as numbers of episodes; else one behind the
  /// other.
  private func lines(of candidates: [Choice], width: Int, height: Int) -> [String] {
    let shown = candidates.map { (word: CleanText.line($0.word), help: CleanText.line($0.help)) }
    let column = shown.map { DisplayWidth.of($0.word) }.max() ?? 0
    let haveRoom = shown.count <= height && column <= width / 2
    guard shown.contains(where: { !$0.help.isEmpty }), haveRoom || shown[0].word.allSatisfy(\.isNumber) else {
      return Array(ScreenText.wrapped(shown.map(\.word).joined(separator: " · "), width: width).prefix(height))
    }
    let lines = shown.prefix(height).map { DisplayWidth.column($0.word, min(column, width / 2)) + "  " + $0.help }
    return shown.count > height ? lines.dropLast() + ["… and \(shown.count - height + 1) more"] : lines
  }

  private mutating func draw(_ item: PaletteRows.Row, _ row: Int) {
    switch item {
    case .key(let key):
      write("  " + DisplayWidth.column(key.label, 9), .bold, row: row, in: 0..<min(11, layout.size.columns))
      write(key.meaning, row: row, in: 11..<layout.size.columns)
    case .command(let line):
      write("  podcli " + CleanText.line(line), row: row, in: 0..<layout.size.columns)
    }
  }

  mutating func draw(_ output: CommandOutput) {
    let columns = 0..<layout.size.columns
    let title = "podcli " + CleanText.line(output.line) + (output.isRunning ? " …" : "")
    write(" " + title, .bold, row: layout.overlay.lowerBound, in: columns)
    cells.cursor = Point(column: 0, row: layout.overlay.lowerBound)
    var lines = output.text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    if lines.isEmpty, !output.isRunning { lines = ["Done."] }
    for (row, line) in zip(layout.overlay.dropFirst(), lines.dropFirst(output.top)) {
      write(" " + String(line), row: row, in: columns)
    }
  }
}
