package import PodcastModel
internal import Text

/// Chapters in the show notes: lines that begin with a time.
package enum NotesChapters {
  /// The chapters, if the notes have at least three ascending times; fewer are likelier to be something else.
  package static func chapters(in notes: String, duration: Double? = nil) -> [Chapter] {
    let lines = PlainText.notes(beginning(of: notes)).text.split(separator: "\n")
    let chapters = lines.compactMap { chapter(String($0)) }
    let isAscending = zip(chapters, chapters.dropFirst()).allSatisfy { $0.start < $1.start }
    let isInside = duration.map { length in chapters.allSatisfy { $0.start < length } } ?? true
    return chapters.count >= 3 && isAscending && isInside ? chapters : []
  }

  /// In bytes: longer notes take long to read, and have no list of chapters behind that.
  private static let mostRead = 256 << 10

  private static func beginning(of notes: String) -> String {
    notes.utf8.count > mostRead ? String(decoding: notes.utf8.prefix(mostRead), as: UTF8.self) : notes
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

  /// The title without the dash, bracket or colon before it, and without the number of a link.
  private static func trimmed(_ text: Substring) -> String {
    var title = text.drop { !$0.isLetter && !$0.isNumber && !"\"“„«'(¿¡#@".contains($0) || $0 == ")" }
    if title.hasSuffix("]"), let opening = title.lastIndex(of: "["),
      title[opening...].dropFirst().dropLast().allSatisfy(\.isNumber)
    {
      title = title[..<opening]
    }
    return PlainText.collapsed(String(title))
  }
}
