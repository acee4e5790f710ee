/// The headline figures of a record in Markdown: the content of Tests/Bench/RESULTS.md.
struct ResultsTable {
  let record: Record

  var lines: [String] {
    let rows = record.tables.flatMap { table in
      table.figures.filter(\.isHeadline).map { Self.row($0, of: table) }
    }
    return ["# Benchmark results", ""] + [heading, ""] + Self.legend + [
      "", "| what | took | beside it | |", "|---|---|---|---|",
    ] + rows
  }

  private static let legend = [
    "Times are medians of several runs (of one where a program takes minutes), memory is the peak; compared programs ran in turns.",
    "`make bench` measures everything again; `make bench-table` writes this file from the latest figures.",
  ]

  private var heading: String {
    func list(_ entries: [Record.Entry]) -> String { entries.map { "\($0.name) \($0.text)" }.joined(separator: ", ") }
    let dates = Set(record.tables.map { String($0.date.prefix(10)) }).sorted()
    let when = dates.first == dates.last ? dates.first ?? "" : "\(dates.first ?? "") to \(dates.last ?? "")"
    return
      "Measured \(when) by `make bench`; \(list(record.machine)); \(list(record.versions))."
  }

  private static func row(_ figure: Figure, of table: FigureTable) -> String {
    let peer = figure.beside.map { "\($0.name): " + ($0.status == 0 ? Figure.text($0.values) : "failed") } ?? ""
    let failure = figure.status == 0 ? nil : "failed"
    let verdict = [failure, figure.ratios, figure.goal.map { "goal \($0)" }].compactMap(\.self)
    let cells = ["\(table.title): \(figure.name)", Figure.text(figure.values), peer, verdict.joined(separator: "; ")]
    return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
  }
}
