import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum InfoCommand {
  private static let subject = Argument(
    "EPISODE", kind: .dynamic("episode"), help: "an episode, or a podcast by its title or address")
  private static let isPodcast = Flag("podcast", help: "a number means a podcast, not an episode")

  static let face = Face(
    command: Command(
      "info", aliases: ["show"], synonyms: ["notes"], summary: "show everything known about an episode or a podcast",
      discussion: """
        Show notes come as readable text, with their links at the end. A title shows the podcast that is called so; \
        add `/latest` for its newest episode.
        """,
      arguments: [subject], options: [isPodcast],
      examples: [
        Example("podcli info 142", "the episode with that number"),
        Example("podcli info \"late night/latest\"", "the newest of a podcast"),
        Example("podcli info \"late night\"", "the podcast"),
        Example("podcli info 142 --json | jq -r .text", "the show notes alone"),
      ])
  ) { invocation, context throws(Failure) in
    let words = invocation[subject]
    try await context.withIndexedStore { store in
      if let podcast = try await podcast(words, isSure: invocation[isPodcast], store, context) {
        return try await show(podcast, store, context)
      }
      let id = try await context.episode(words, in: store).entry.episode.id
      if let details = try await store.details(of: id) { show(details, context) }
    }
  }

  /// A number is an episode's first; other words are a podcast's first, as a title names all of it.
  private static func podcast(_ words: String, isSure: Bool, _ store: PodcastStore, _ context: Context) async throws
    -> PodcastID?
  {
    if isSure { return try await context.podcast(words, in: store).id }
    if let number = Int64(words), try await store.episode(EpisodeID(rawValue: number)) != nil { return nil }
    do {
      return try await context.podcast(words, in: store).id
    } catch SelectionError.store(let error) {
      throw error
    } catch {
      return nil
    }
  }

  private static func show(_ id: PodcastID, _ store: PodcastStore, _ context: Context) async throws(StoreError) {
    guard let details = try await store.details(of: id) else { return }
    if context.console.isJSON { return context.printJSON(DetailsJSON.document(details)) }
    Pager.show(PodcastSheet(sheet: sheet(context.console)).rendered(details), context.console)
  }

  private static func show(_ details: EpisodeDetails, _ context: Context) {
    if context.console.isJSON { return context.printJSON(DetailsJSON.document(details)) }
    Pager.show(sheet(context.console).rendered(details), context.console)
  }

  private static func sheet(_ console: Console) -> EpisodeSheet {
    EpisodeSheet(paint: Paint(console), width: console.isOutputTerminal ? console.width : nil, now: .now)
  }
}
