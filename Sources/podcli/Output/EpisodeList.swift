import PodcastModel
import PodcastStore

/// Prints a list of episodes page by page, so that a long one takes no more memory than a short one.
struct EpisodeList {
  private let limit: Int?
  private let context: Context
  /// What to say when there is nothing to show.
  private let emptyText: String
  private static let pageSize = 500

  static let nothingYet = "There are no episodes yet. Follow a podcast with: podcli subscribe <feed-url>"

  init(_ store: PodcastStore, limit: Int?, _ context: Context, whenEmpty emptyText: String = nothingYet) {
    self.limit = limit
    self.context = context
    self.emptyText = emptyText
  }

  typealias Page = (_ limit: Int, _ after: EpisodeCursor?) async throws(StoreError) -> [EpisodeEntry]

  func print(_ page: Page) async throws(StoreError) {
    let console = context.console
    var separator = "["
    var isEmpty = true
    var screen = ""
    try await forEachPage(page) { entries in
      isEmpty = false
      if console.isJSON {
        for entry in entries {
          console.write(separator + EpisodeJSON.document(entry).compact)
          separator = ",\n"
        }
      } else if console.isOutputTerminal {
        screen += EpisodeTable(console).rendered(entries)
      } else {
        console.write(entries.map(EpisodeTable.tabSeparated).joined())
      }
    }
    if console.isJSON { console.write(isEmpty ? "[]\n" : "]\n") }
    if !screen.isEmpty { Pager.show(screen, console) }
    if isEmpty, !console.isJSON {
      console.say(emptyText)
    }
  }

  /// Those of a list that is short, or not in the order of dates.
  func print(_ entries: [EpisodeEntry]) async throws(StoreError) {
    var rest = entries.prefix(limit ?? .max)[...]
    try await print { count, _ throws(StoreError) in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }

  private func forEachPage(_ page: Page, _ body: ([EpisodeEntry]) -> Void) async throws(StoreError) {
    var left = limit ?? .max
    var cursor: EpisodeCursor?
    while left > 0 {
      let entries = try await page(min(left, Self.pageSize), cursor)
      guard let last = entries.last else { return }
      body(entries)
      left -= entries.count
      cursor = EpisodeCursor(after: last)
      guard entries.count == Self.pageSize else { return }
    }
  }
}
