import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

/// What the lists of episodes share.
enum ListOptions {
  static let number = Option<Int>(
    "number", short: "n", value: "N", kind: .integer(in: 1...1_000_000), help: "show no more than N episodes")
  static let all = Flag("all", short: "a", help: "show every episode")

  static func limit(_ invocation: Invocation, _ console: Console) -> Int? {
    invocation[number] ?? (invocation[all] ? nil : screenful(console))
  }

  /// Less the prompt. In a pipe there is no end.
  static func screenful(_ console: Console) -> Int? {
    console.isOutputTerminal && !console.isJSON ? max(5, (Console.rows() ?? 24) - 2) : nil
  }

  static func showMatches(
    _ filter: EpisodeFilter, of podcast: PodcastID? = nil, limit: Int?, _ store: PodcastStore, _ context: Context
  ) async throws(StoreError) {
    let limit = [limit, filter.limit].compactMap(\.self).min()
    let emptyText = filter.conditions.isEmpty ? EpisodeList.nothingYet : "No episode matches."
    let list = EpisodeList(store, limit: limit, context, whenEmpty: emptyText)
    let isBrief = context.console.isPiped
    // Only the order of dates has places that a next page can begin at.
    if filter.sortKey != .date {
      return list.print(try await store.episodes(matching: filter, of: podcast, limit: limit, brief: isBrief))
    }
    try await list.print { limit, cursor throws(StoreError) in
      try await store.episodes(matching: filter, of: podcast, limit: limit, after: cursor, brief: isBrief)
    }
  }
}

enum EpisodesCommand {
  private static let podcast = Argument("PODCAST", kind: .dynamic("podcast"), help: "whose episodes")

  static let face = Face(
    command: Command(
      "episodes", summary: "show the episodes of one podcast, newest first",
      discussion: "The same list as `podcli playlist`, for one podcast, even one that is no longer followed.",
      arguments: [podcast, FilterWords.argument], options: [ListOptions.number, ListOptions.all],
      examples: [
        Example("podcli episodes daily unplayed", "what is left of one podcast"),
        Example("podcli episodes daily --json | jq -r '.[].title'", "titles only"),
      ])
  ) { invocation, context throws(Failure) in
    let filter = try FilterWords.read(invocation[FilterWords.argument])
    let limit = ListOptions.limit(invocation, context.console)
    try await context.withLookup(filter) { store in
      let podcast = try await context.podcast(invocation[podcast], in: store)
      try await ListOptions.showMatches(filter, of: podcast.id, limit: limit, store, context)
    }
  }
}

extension Context {
  /// Only who searches texts has to wait for the index.
  func withLookup(_ filter: EpisodeFilter, _ body: (PodcastStore) async throws -> Void) async throws(Failure) {
    let searches = filter.conditions.contains { if case .text = $0 { true } else { false } }
    if searches { try await withIndexedStore(body) } else { try await withStore(.readOnly, body) }
  }
}
