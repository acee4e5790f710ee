import CommandKit
import PodcastModel
import PodcastStore

enum PlaylistCommand {
  static let face = Face(
    command: Command(
      "playlist", aliases: ["ls"], summary: "show the episodes of all subscriptions, newest first",
      discussion: """
        On a terminal as many as fit the screen, in a pipe all of them, one a line, parted by tabs: number, podcast, \
        title, date, length in seconds, and `new`, `played` or the place in seconds.

        FILTER words narrow the list: `unplayed`, `podcast:daily`, `minutes<20`, `age<7d`, and so on.
        """,
      arguments: [FilterWords.argument], options: [ListOptions.number, ListOptions.all],
      examples: [
        Example("podcli playlist", "the newest episodes"),
        Example("podcli playlist unplayed 'minutes<20'", "what fits a short walk"),
        Example("podcli playlist tag:news 'age<2d' sort:length", "the news of two days, the shortest first"),
        Example("podcli playlist -n 5 --json", "the newest five, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    let words = invocation[FilterWords.argument]
    let filter = try FilterWords.read(words)
    let limit = ListOptions.limit(invocation, context.console)
    try await context.withLookup(filter) { store in
      guard words.isEmpty else {
        return try await ListOptions.showMatches(filter, limit: limit, store, context)
      }
      try await EpisodeList(store, limit: limit, context).print { limit, cursor throws(StoreError) in
        try await store.playlist(limit: limit, after: cursor)
      }
    }
  }
}
