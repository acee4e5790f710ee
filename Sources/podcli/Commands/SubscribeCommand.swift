import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum SubscribeCommand {
  private static let addresses = Arguments("FEED-URL", kind: .text, help: "the address of a feed, or a file")
  private static let title = Option("title", value: "TEXT", help: "call the podcast this")
  private static let tag = Options("tag", value: "NAME", kind: .text, help: "put it under this tag; may be repeated")

  static let face = Face(
    command: Command(
      "subscribe", aliases: ["add"], synonyms: ["follow"], summary: "follow podcasts",
      discussion: """
        Takes a web address, with or without https://, the forms feed: pcast: podcast: and itpc:, or a local file. \
        A podcast that is followed already is only brought up to date.
        """,
      arguments: [addresses], options: [title, tag],
      examples: [
        Example("podcli subscribe https://example.org/feed.xml", "follow one podcast"),
        Example("podcli subscribe example.org/a.xml example.org/b.xml --tag news", "follow two, under a tag"),
      ])
  ) { invocation, context throws(Failure) in
    var options = Subscriber.Options()
    options.title = invocation[title]
    options.tags = invocation[tag]
    let addresses = invocation[addresses]
    try await context.withStore(.readWrite) { [options] store in
      try await subscribe(to: addresses, options, store, context)
    }
  }

  /// One failure never stops the rest; the status then says that some of it worked.
  private static func subscribe(
    to addresses: [String], _ options: Subscriber.Options, _ store: PodcastStore, _ context: Context
  ) async throws {
    let subscriber = context.live.subscriber(store: store)
    var failures: [Failure] = []
    for address in addresses {
      do {
        let result = try await subscriber.subscribe(to: address, options)
        try await report(result, store, context)
      } catch let error as FollowError {
        let failure = Failure(error, about: address)
        failures.append(failure)
        if addresses.count > 1 { context.console.complain(failure.text) }
      }
    }
    guard let first = failures.first else { return }
    if addresses.count == 1 { throw first }
    let isTotal = failures.count == addresses.count
    throw Failure(
      isTotal ? first.code : .partial, "\(failures.count) of \(addresses.count) addresses failed",
      hint: "run the command again for those")
  }

  private static func report(_ result: MergeResult, _ store: PodcastStore, _ context: Context) async throws {
    guard let podcast = try await store.podcast(result.podcast) else { return }
    let console = context.console
    if console.isJSON {
      context.printJSON([
        "podcast": EpisodeJSON.podcast(podcast.reference), "episodes": JSON(podcast.episodeCount),
        "new": JSON(result.isNew),
      ])
      return
    }
    let title = CleanText.line(podcast.title)
    let count = "\(podcast.episodeCount) episode\(podcast.episodeCount == 1 ? "" : "s")"
    let added = result.added.count
    console.write(
      result.isNew
        ? "Subscribed to \(title): \(count)\n"
        : "Already subscribed to \(title): \(count), \(added == 0 ? "nothing" : String(added)) new\n")
  }
}
