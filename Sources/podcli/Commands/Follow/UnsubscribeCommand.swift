import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum UnsubscribeCommand {
  private static let podcast = Argument(
    "PODCAST", kind: .dynamic("podcast"), help: "the one to leave; `-` reads several from standard input")
  private static let delete = Flag("delete", help: "forget its episodes and what you did with them, too")
  private static let yes = Flag("yes", short: "y", help: "do not ask")

  static let entry = CommandEntry(
    command: Command(
      "unsubscribe", aliases: ["rm"], synonyms: ["unfollow", "remove", "delete"], summary: "stop following a podcast",
      discussion: """
        Its episodes leave the playlist. What you played and where you stopped is kept, and comes back when you \
        subscribe again; `podcli undo` takes it back at once. With `--delete` all of it is forgotten for good, and its downloads are deleted.
        """,
      arguments: [podcast], options: [delete, yes],
      examples: [
        Example("podcli unsubscribe \"late night\"", "leave it, and keep its history"),
        Example("podcli unsubscribe 7 --delete --yes", "forget everything about it"),
      ])
  ) { invocation, context throws(Failure) in
    let (words, deleting, isSure) = (invocation[podcast], invocation[delete], invocation[yes])
    try await context.withStore(.readWrite) { store in
      let podcasts = try await context.podcasts([words], in: store)
      if !deleting { try await store.unsubscribe(podcasts.map(\.id)) }
      for podcast in podcasts {
        if deleting { try await delete(podcast, isSure, store, context) }
        if !context.console.isJSON { report(podcast, deleting, context) }
      }
      let documents = podcasts.map { document($0, deleting) }
      if context.console.isJSON {
        words == "-" ? context.printJSON(.array(documents)) : documents.forEach(context.printJSON)
      }
    }
  }

  private static func delete(
    _ podcast: PodcastEntry, _ isSure: Bool, _ store: PodcastStore, _ context: Context
  ) async throws {
    let question = "Forget \(CleanText.line(podcast.title)) with its \(counted(podcast.episodeCount, "episode"))?"
    try Confirmation.ask(question, unless: isSure)
    let downloads = context.live.downloadFiles(store: store)
    let files = try await downloads.paths(of: podcast.id)
    try await store.unsubscribe(podcast.id, deleting: true)
    downloads.delete(files)
    try forgetSecret(of: podcast, context)
  }

  private static func forgetSecret(of podcast: PodcastEntry, _ context: Context) throws(Failure) {
    guard !context.live.forgetSecret(of: podcast.reference.feedURL) else { return }
    throw Failure(
      .library, "its password or secret address could not be removed: \(context.live.paths.data)/secrets", hint: nil)
  }

  private static func document(_ podcast: PodcastEntry, _ deleting: Bool) -> JSON {
    [
      "podcast": EpisodeJSON.podcast(podcast.reference), "episodes": JSON(podcast.episodeCount),
      "deleted": JSON(deleting),
    ]
  }

  private static func report(_ podcast: PodcastEntry, _ deleting: Bool, _ context: Context) {
    let title = CleanText.line(podcast.title)
    if deleting { return context.console.report("Forgot \(title)") }
    context.console.report(
      podcast.isSubscribed
        ? "Unsubscribed from \(title); its history is kept, and podcli undo brings it back"
        : "Not subscribed to \(title)")
  }
}
