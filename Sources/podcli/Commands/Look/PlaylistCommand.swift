import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum PlaylistCommand {
  static let watch = Flag("watch", short: "w", help: "show it again whenever the library changes")

  static let entry = CommandEntry(
    command: Command(
      "playlist", aliases: ["ls"], summary: "show the episodes of all subscriptions, newest first",
      discussion: """
        On a terminal as many as fit the screen, in a pipe all of them, one a line, parted by tabs: number, podcast, \
        title, date, length in seconds, and `new`, `played` or the position in seconds.

        The sign before a title: ▶ plays, or is what `podcli resume` goes on with; ★ favourite, ● new, ◐ begun, ✓ played.

        FILTER words narrow the list: `unplayed`, `podcast:daily`, `minutes<20`, `age<7d`, and so on.
        """,
      arguments: [FilterWords.argument], options: [ListOptions.number, ListOptions.all, watch],
      examples: [
        Example("podcli playlist", "the newest episodes"),
        Example("podcli playlist unplayed 'minutes<20'", "what fits a short walk"),
        Example("podcli playlist tag:news 'age<2d' sort:length", "the news of two days, the shortest first"),
        Example("podcli playlist new --watch", "what comes in, as it comes"),
        Example("podcli playlist -n 5 --json", "the newest five, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    let words = invocation[FilterWords.argument]
    let filter = try FilterWords.read(words)
    if invocation[watch] {
      return try await Watch(context).show(before: { try await FilterWords.check(filter, in: $0) }) { store in
        let entries = try await store.episodes(
          matching: filter, limit: ListOptions.limit(invocation, context.console))
        return text(entries, context.console)
      }
    }
    let limit = ListOptions.limit(invocation, context.console)
    let isBrief = context.console.isPiped
    try await context.withLookup(filter) { store in
      guard words.isEmpty else {
        return try await ListOptions.showMatches(filter, limit: limit, store, context)
      }
      try await EpisodeList(limit: limit, context).print { limit, cursor throws(StoreError) in
        try await store.playlist(limit: limit, after: cursor, brief: isBrief)
      }
    }
  }

  /// As JSON, each list is a line; in a pipe, an empty line ends each list.
  private static func text(_ entries: [EpisodeEntry], _ console: Console) -> String {
    if console.isJSON { return JSON.array(entries.map(EpisodeJSON.document)).compact + "\n" }
    let table = Table.episodes(console)
    guard console.isOutputTerminal else { return table.tabSeparated(entries) + "\n" }
    guard !entries.isEmpty else { return "Nothing here yet. What comes will be shown.\n" }
    return table.rendered(entries, width: console.width, Paint(console))
  }
}
