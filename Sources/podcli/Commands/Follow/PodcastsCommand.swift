import CommandKit
import PodcastModel
import PodcastStore
import Text

enum PodcastsCommand {
  static let entry = CommandEntry(
    command: Command(
      "podcasts", aliases: ["subscriptions"], summary: "show the podcasts you follow",
      discussion: """
        On a terminal: number, title, unplayed and all episodes, `↓` what is downloaded, the date of the newest one, \
        and what went wrong at the last refresh. In a pipe, parted by tabs: number, title, episodes, unplayed, \
        downloaded, newest, last refresh, address, error.
        """,
      examples: [
        Example("podcli podcasts", "what you follow"),
        Example("podcli podcasts --json", "the same for a program"),
      ])
  ) { _, context throws(Failure) in
    let (podcasts, tags) = try await context.withStore(.readOnly) { store in
      (try await store.podcasts(), context.console.isJSON ? try await store.tags() : [:])
    }
    Listing(
      table: .podcasts(),
      json: { podcast in
        PodcastJSON.document(podcast).adding(["tags": .array((tags[podcast.id] ?? []).map { JSON($0) })])
      },
      emptyText: "You follow nothing yet. Follow a podcast with: podcli subscribe <feed-url>"
    ).print(podcasts, context)
  }
}
