import CommandKit
import PodcastModel
import PodcastStore

enum PlaylistCommand {
  private static let number = Option<Int>(
    "number", short: "n", value: "N", kind: .integer(in: 1...1_000_000), help: "show the newest N episodes")
  private static let all = Flag("all", short: "a", help: "show every episode")

  static let face = Face(
    command: Command(
      "playlist", aliases: ["ls"], summary: "show the episodes of all subscriptions, newest first",
      discussion: """
        On a terminal as many as fit the screen, in a pipe all of them, one a line, parted by tabs: number, podcast, \
        title, date, length in seconds, and `new`, `played` or the place in seconds.
        """,
      options: [number, all],
      examples: [
        Example("podcli playlist", "the newest episodes"),
        Example("podcli playlist -n 5 --json", "the newest five, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    let limit = invocation[number] ?? (invocation[all] ? nil : defaultLimit(context.console))
    try await context.withStore(.readOnly) { store in
      try await EpisodeList(store, limit: limit, context).print { limit, cursor throws(StoreError) in
        try await store.playlist(limit: limit, after: cursor)
      }
    }
  }

  /// A screenful, less the prompt.
  private static func defaultLimit(_ console: Console) -> Int? {
    console.isOutputTerminal && !console.isJSON ? max(5, (Console.rows() ?? 24) - 2) : nil
  }
}
