import CommandKit
import PodcastModel
import PodcastStore

/// The options that lists of episodes share.
enum ListOptions {
  static let number = Option<Int>(
    "number", short: "n", value: "N", kind: .integer(in: 1...1_000_000), help: "show no more than N episodes")
  static let all = Flag("all", short: "a", help: "show every episode")

  static func limit(_ invocation: Invocation, _ console: Console) -> Int? {
    invocation[number] ?? (invocation[all] ? nil : screenful(console))
  }

  /// The rows of the screen without the prompt; no limit in a pipe.
  static func screenful(_ console: Console) -> Int? {
    console.isOutputTerminal && !console.isJSON ? max(5, (Console.rows() ?? 24) - 2) : nil
  }

  static func showMatches(
    _ filter: EpisodeFilter, of podcast: PodcastID? = nil, limit: Int?, _ store: PodcastStore, _ context: Context
  ) async throws(StoreError) {
    let limit = [limit, filter.limit].compactMap(\.self).min()
    let nothingYet = podcast == nil ? nil : "This podcast has no episodes yet."
    let emptyText = filter.conditions.isEmpty ? nothingYet : "No episode matches."
    let list = EpisodeList(limit: limit, context, whenEmpty: emptyText)
    let isBrief = context.console.isPiped
    // Only the order by date has a cursor for the next page.
    if filter.sortKey != .date {
      return list.print(try await store.episodes(matching: filter, of: podcast, limit: limit, brief: isBrief))
    }
    try await list.print { limit, cursor throws(StoreError) in
      try await store.episodes(matching: filter, of: podcast, limit: limit, after: cursor, brief: isBrief)
    }
  }
}

extension Context {
  /// Opens the library; only a filter on texts waits for the search index.
  func withLookup(_ filter: EpisodeFilter, _ body: (PodcastStore) async throws -> Void) async throws(Failure) {
    let searches = filter.conditions.contains { if case .text = $0 { true } else { false } }
    guard searches else {
      return try await withStore(.readOnly) { store in
        try await FilterWords.check(filter, in: store)
        try await body(store)
      }
    }
    try await withIndexedStore { store in
      try await FilterWords.check(filter, in: store)
      try await body(store)
      try await sayWhetherIndexed(store)
    }
  }
}
