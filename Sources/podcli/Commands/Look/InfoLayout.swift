import PodcastModel
import ScreenKit
import Text

/// The parts that the pages of `info` share. Pure.
struct InfoLayout {
  var paint: Paint
  /// Nil in a pipe, where lines are not wrapped.
  var width: Int?
  var now: Timestamp

  init(_ console: Console) {
    paint = Paint(console)
    width = console.isOutputTerminal ? console.width : nil
    now = .now
  }

  func date(_ date: Timestamp) -> String { width == nil ? date.description : DateText.relative(date, now: now) }

  func readable(_ html: String, baseURL: String?) -> String {
    wrapped(PlainText.notes(html, baseURL: baseURL).textWithLinks)
  }

  func wrapped(_ text: String) -> String {
    TextWrap.wrapped(CleanText.lines(text), width: width.map { min($0, 100) })
  }

  /// Aligned times, each with its text.
  func timed(_ title: String, _ rows: [(time: String, text: String)]) -> String {
    let longest = rows.map(\.time.count).max() ?? 0
    return block(
      title, rows.map { DisplayWidth.column($0.time, longest, alignedRight: true) + "  " + CleanText.line($0.text) })
  }

  func section(_ title: String, _ lines: [String]) -> String {
    block(title, lines.map { CleanText.line($0) })
  }

  private func block(_ title: String, _ lines: [String]) -> String {
    guard !lines.isEmpty else { return "" }
    let lines = lines.map { line in width.map { DisplayWidth.fitted(line, to: max(20, $0 - 2)) } ?? line }
    return ([paint.bold(title)] + lines.map { "  " + $0 }).joined(separator: "\n")
  }
}
