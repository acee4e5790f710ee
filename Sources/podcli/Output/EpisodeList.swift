import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import System
import Text

/// Prints a list of episodes: page by page in constant memory in a pipe, and as one table on a terminal.
struct EpisodeList {
  private let limit: Int?
  private let context: Context
  /// The message on standard error when there is nothing to show.
  private let emptyText: String?
  private static let pageSize = 500

  /// The library may have been deleted by mistake.
  private var nothingYet: String {
    let library = context.live.paths.library
    let backup = Files.size(of: library) == nil ? PodcastStore.backups(of: library).first : nil
    return "There are no episodes yet. Follow a podcast with: podcli subscribe <feed-url>"
      + (backup.map { "\nA backup is here; bring it back with: podcli restore \($0.shellQuoted)" } ?? "")
  }

  init(limit: Int?, _ context: Context, whenEmpty emptyText: String? = nil) {
    self.limit = limit
    self.context = context
    self.emptyText = emptyText
  }

  typealias Page = @Sendable (_ limit: Int, _ after: EpisodeCursor?) async throws(StoreError) -> [EpisodeEntry]

  func print(_ page: @escaping Page) async throws(StoreError) {
    var output = EpisodeOutput(console: context.console)
    try await forEachPage(page) { output.add($0.map(DownloadFiles.pausedIfEnded)) }
    output.end(whenEmpty: emptyText ?? nothingYet)
  }

  /// Prints a list that is short, or not in the order of dates.
  func print(_ entries: [EpisodeEntry]) {
    var output = EpisodeOutput(console: context.console)
    let shown = Array(entries.prefix(limit ?? .max))
    if !shown.isEmpty { output.add(shown.map(DownloadFiles.pausedIfEnded)) }
    output.end(whenEmpty: emptyText ?? nothingYet)
  }

  /// Reads the next page while one is printed.
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

/// The output so far: JSON and lines for a pipe are written page by page, a screen is shown at the end.
private struct EpisodeOutput {
  let console: Console
  private let table: Table<EpisodeEntry>
  private var isEmpty = true
  private var screen = ""

  init(console: Console) {
    self.console = console
    table = .episodes(console)
  }

  mutating func add(_ entries: [EpisodeEntry]) {
    if console.isJSON {
      let documents = entries.map { EpisodeJSON.document($0).compact }
      console.write((isEmpty ? "[" : ",\n") + documents.joined(separator: ",\n"))
    } else if console.isOutputTerminal {
      screen += table.rendered(entries, width: console.width, Paint(console))
    } else {
      console.write(table.tabSeparated(entries))
    }
    isEmpty = false
  }

  func end(whenEmpty emptyText: @autoclosure () -> String) {
    if console.isJSON { return console.write(isEmpty ? "[]\n" : "]\n") }
    if isEmpty { return console.say(emptyText()) }
    if !screen.isEmpty { Pager.show(screen, console) }
  }
}
