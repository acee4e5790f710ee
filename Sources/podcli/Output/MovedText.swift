import PodcastModel
import PodcastStore

/// The words for marks that have followed from one file of the publisher's to another.
enum MovedText {
  /// `the adverts changed: 41:07 is 42:37 now`
  static func clause(_ moved: MovedMarks) -> String {
    let others = moved.others > 0 ? counted(moved.others, "mark") + " moved with it" : nil
    guard let from = moved.from.map({ ClockText.short($0) }) else { return "the adverts changed: \(others ?? "")" }
    guard let to = moved.to.map({ ClockText.short($0) }) else { return "\(changed); \(from) is a bookmark" }
    return "the adverts changed: \(from) is \(to) now" + (others.map { ", and \($0)" } ?? "")
  }

  /// `moved`: nil where no mark was found, and playing goes on at the same time.
  static func line(_ moved: MovedMarks?) -> String {
    let clause = moved.map(clause) ?? changed
    return clause.prefix(1).uppercased() + clause.dropFirst()
  }

  private static let changed = "the publisher changed the file; going on in the new one, where your position may differ"
}
