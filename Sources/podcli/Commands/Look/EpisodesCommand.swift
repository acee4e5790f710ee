import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum EpisodesCommand {
  private static let podcast = Argument("PODCAST", kind: .dynamic("podcast"), help: "whose episodes")

  static let entry = CommandEntry(
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
