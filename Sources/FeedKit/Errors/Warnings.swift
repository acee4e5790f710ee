/// Collects warnings: the first ones as text, further ones only as a count.
final class Warnings {
  private let limit: Int
  private(set) var texts: [String] = []
  private var total = 0

  init(limit: Int) { self.limit = limit }

  /// True while the next warning is kept as text.
  var wantsWords: Bool { texts.count < limit }

  /// Counts a warning without keeping its text.
  func count() { total += 1 }

  func add(_ text: @autoclosure () -> String) {
    total += 1
    if texts.count < limit { texts.append(text()) }
  }

  var summary: [String] {
    texts + (total > texts.count ? ["\(total - texts.count) more"] : [])
  }
}
