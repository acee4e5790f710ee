import Text

/// A list in its three forms: a table on a screen, lines in a pipe, JSON for programs. Its first column is what `play`
/// takes.
struct Listing<Row> {
  var table: Table<Row>
  var json: (Row) -> JSON
  /// The message on standard error when there is nothing to show.
  var emptyText: String

  func print(_ rows: [Row], _ context: Context) {
    let console = context.console
    if console.isJSON { return context.printJSON(.array(rows.map(json))) }
    guard !rows.isEmpty else { return console.say(emptyText) }
    let text = text(rows, console)
    if console.isOutputTerminal { Pager.show(text, console) } else { console.write(text) }
  }

  /// The table on a terminal, lines in a pipe.
  func text(_ rows: [Row], _ console: Console) -> String {
    console.isOutputTerminal
      ? table.rendered(rows, width: console.width, Paint(console)) : table.tabSeparated(rows)
  }
}

extension Listing {
  init(columns: [Column<Row>], json: @escaping (Row) -> JSON, emptyText: String, heading: ((Row) -> String)? = nil) {
    self.init(table: Table(columns: columns, heading: heading), json: json, emptyText: emptyText)
  }
}
