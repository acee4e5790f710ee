/// What had to be tolerated, in words while they are few, and as a count when they are many.
final class Warnings {
  private let limit: Int
  private(set) var texts: [String] = []
  private var total = 0

  init(limit: Int) { self.limit = limit }

  /// The next warning will be kept as it is.
  var wantsWords: Bool { texts.count < limit }

  /// One more, without words.
  func count() { total += 1 }

  func add(_ text: @autoclosure () -> String) {
    total += 1
    if texts.count < limit { texts.append(text()) }
  }

  var summary: [String] {
    texts + (total > texts.count ? ["\(total - texts.count) more"] : [])
  }
}
