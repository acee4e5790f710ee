import PodcastModel
import PodcastStore
import Text

/// Prints a list of episodes page by page, so that a long one takes no more memory than a short one.
struct EpisodeList {
  private let limit: Int?
  private let context: Context
  /// What to say when there is nothing to show.
  private let emptyText: String
  private static let pageSize = 500

  static let nothingYet = "There are no episodes yet. Follow a podcast with: podcli subscribe <feed-url>"

  init(limit: Int?, _ context: Context, whenEmpty emptyText: String = nothingYet) {
    self.limit = limit
    self.context = context
    self.emptyText = emptyText
  }

  typealias Page = @Sendable (_ limit: Int, _ after: EpisodeCursor?) async throws(StoreError) -> [EpisodeEntry]

  func print(_ page: @escaping Page) async throws(StoreError) {
    var sheet = Sheet(console: context.console)
    try await forEachPage(page) { sheet.add($0) }
    sheet.end(whenEmpty: emptyText)
  }

  /// Those of a list that is short, or not in the order of dates.
  func print(_ entries: [EpisodeEntry]) {
    var sheet = Sheet(console: context.console)
    let shown = Array(entries.prefix(limit ?? .max))
    if !shown.isEmpty { sheet.add(shown) }
    sheet.end(whenEmpty: emptyText)
  }

  /// While a page is printed the next one is read.
  private func forEachPage(_ page: @escaping Page, _ body: ([EpisodeEntry]) -> Void) async throws(StoreError) {
    var left = limit ?? .max
    var entries = try await page(min(left, Self.pageSize), nil)
    while let last = entries.last {
      left -= entries.count
      guard left > 0, entries.count == Self.pageSize else { return body(entries) }
      let (count, cursor) = (min(left, Self.pageSize), EpisodeCursor(after: last))
      async let next = Self.result { () throws(StoreError) in try await page(count, cursor) }
      body(entries)
      entries = try await next.get()
    }
  }

  private static func result(
    _ page: @Sendable () async throws(StoreError) -> [EpisodeEntry]
  ) async -> Result<[EpisodeEntry], StoreError> {
    do throws(StoreError) {
      return .success(try await page())
    } catch {
      return .failure(error)
    }
  }
}

/// What was printed so far: JSON and lines for a pipe go out page by page, a screen is shown when it is whole.
private struct Sheet {
  let console: Console
  private var isEmpty = true
  private var screen = ""

  init(console: Console) { self.console = console }

  mutating func add(_ entries: [EpisodeEntry]) {
    if console.isJSON {
      let documents = entries.map { EpisodeJSON.document($0).compact }
      console.write((isEmpty ? "[" : ",\n") + documents.joined(separator: ",\n"))
    } else if console.isOutputTerminal {
      screen += EpisodeTable(console).rendered(entries)
    } else {
      console.write(EpisodeTable.tabSeparated(entries))
    }
    isEmpty = false
  }

  func end(whenEmpty emptyText: String) {
    if console.isJSON { return console.write(isEmpty ? "[]\n" : "]\n") }
    if isEmpty { return console.say(emptyText) }
    if !screen.isEmpty { Pager.show(screen, console) }
  }
}
