package import PodcastModel
internal import Text

/// Chapters that a publisher only wrote into the show notes: lines that begin with a time.
package enum NotesChapters {
  /// Three or more ascending times make a table of contents; fewer are likelier to be something else.
  package static func chapters(in notes: String, duration: Double? = nil) -> [Chapter] {
    let lines = PlainText.notes(notes).text.split(separator: "\n")
    let chapters = lines.compactMap { chapter(String($0)) }
    let isAscending = zip(chapters, chapters.dropFirst()).allSatisfy { $0.start < $1.start }
    let isInside = duration.map { length in chapters.allSatisfy { $0.start < length } } ?? true
    return chapters.count >= 3 && isAscending && isInside ? chapters : []
  }

  private static func chapter(_ line: String) -> Chapter? {
    let body = line.drop { !$0.isNumber && !$0.isLetter }
    let time = body.prefix { $0.isASCII && ($0.isNumber || $0 == ":" || $0 == ".") }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard 2...3 ~= parts.count, parts.allSatisfy({ 1...3 ~= $0.count }),
      parts.dropFirst().allSatisfy({ $0.count == 2 }),
      let start = DurationText.seconds(String(time))
    else { return nil }
    let title = trimmed(body.dropFirst(time.count))
    return title.isEmpty ? nil : Chapter(start: start, title: title)
  }

  /// Without the dash, bracket or colon between time and title, and without the number of a link.
  private static func trimmed(_ text: Substring) -> String {
    var title = text.drop { !$0.isLetter && !$0.isNumber && !"\"“„«'(¿¡#@".contains($0) || $0 == ")" }
    if title.hasSuffix("]"), let mark = title.lastIndex(of: "["),
      title[mark...].dropFirst().dropLast().allSatisfy(\.isNumber)
    {
      title = title[..<mark]
    }
    return PlainText.collapsed(String(title))
  }
}
