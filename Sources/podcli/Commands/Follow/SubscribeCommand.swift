import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum SubscribeCommand {
  private static let addresses = Arguments("FEED-URL", kind: .text, help: "the address of a feed, or a file")
  private static let title = Option("title", value: "TEXT", help: "call the podcast this; '' for the feed's title")
  private static let tag = Options("tag", value: "NAME", kind: .dynamic("tag"), help: "put it under this tag")
  private static let user = Option("user", value: "NAME", help: "sign in with this name; the password is asked for")
  private static let passwordInput = Flag("password-stdin", help: "read the password from standard input")
  private static let former = Option(
    "instead-of", value: "PODCAST", kind: .dynamic("podcast"), help: "the new address of a podcast that is here")
  private static let isPrivate = Flag("private", help: "the address is a secret: show it nowhere, export it never")

  static let entry = CommandEntry(
    command: Command(
      "subscribe", aliases: ["add"], synonyms: ["follow"], summary: "follow podcasts",
      discussion: """
        Takes a web address, with or without https://, a web page that links a feed, an Apple Podcasts link, the forms \
        feed: pcast: podcast: and itpc:, or a local file. A podcast that is followed already, under whatever address, \
        is only brought up to date. Where a feed has moved and its old address does not tell, --instead-of keeps its \
        episodes, positions and marks. Where a feed is split into pages, all of them are fetched here, and the first one at a \
        refresh.

        Passwords and secret addresses are kept apart, in a file that only you may read.
        """,
      arguments: [addresses], options: [title, tag, former, user, passwordInput, isPrivate],
      examples: [
        Example("podcli subscribe https://example.org/feed.xml", "follow one podcast"),
        Example("podcli subscribe example.org/a.xml example.org/b.xml --tag news", "follow two, under a tag"),
        Example("podcli subscribe example.org/new.xml --instead-of daily", "where its feed is now"),
        Example("podcli subscribe example.org/feed --user me --password-stdin < FILE", "with a password"),
      ])
  ) { invocation, context throws(Failure) in
    var options = Subscriber.Options()
    options.title = invocation[title]
    let addresses = invocation[addresses]
    if let title = options.title, !title.isEmpty, title.allSatisfy(\.isWhitespace) {
      throw Failure(.usage, "--title names nothing", hint: "--title '' gives back the feed's own title")
    }
    for (option, isGiven) in [
      ("--title TEXT", options.title != nil), ("--instead-of PODCAST", invocation[former] != nil),
    ]
    where isGiven && addresses.count > 1 {
      throw Failure(
        .usage, "\(option.prefix { $0 != " " }) is for one podcast, and these are \(addresses.count) addresses",
        hint: "podcli subscribe FEED-URL \(option), for each of them")
    }
    options.tags = invocation[tag]
    try TagCommand.check(options.tags, example: "podcli subscribe FEED-URL --tag news")
    options.isPrivate = invocation[isPrivate]
    if let name = invocation[user] {
      options.signIn(as: name, password: try Password.read(fromInput: invocation[passwordInput]))
    } else if invocation[passwordInput] {
      throw Failure(.usage, "--password-stdin needs --user", hint: "say --user NAME --password-stdin")
    }
    async let _: Void = context.live.prepareClient()
    try await context.withStore(.readWrite) { [options] store in
      var options = options
      if let name = invocation[former], let podcast = try await context.podcasts([name], in: store).first {
        options.former = podcast.id
        if podcast.reference.feedURL.hasPrefix("private:") { options.isPrivate = true }
      }
      try await subscribe(to: addresses, options, store, context)
    }
  }

  /// Subscribes to an address that another command found.
  static func subscribe(to address: String, _ context: Context) async throws(Failure) {
    try await context.withStore(.readWrite) { store in
      try await subscribe(to: [address], Subscriber.Options(), store, context)
    }
  }

  /// Goes on after a failure; the exit status then says that some addresses worked.
  private static func subscribe(
    to addresses: [String], _ options: Subscriber.Options, _ store: PodcastStore, _ context: Context
  ) async throws {
    let subscriber = context.live.subscriber(store: store)
    var failures: [Failure] = []
    var documents: [JSON] = []
    var new: [PodcastID] = []
    for address in addresses {
      do {
        let result = try await subscriber.subscribe(to: address, options)
        if result.result.isNew {
          new.append(result.result.podcast)
        } else {
          if options.former == result.result.podcast { try? await store.noteMoved(result.result.podcast) }
          try? await store.affirmSubscription(of: result.result.podcast, now: Timestamp.now.seconds * 1000)
        }
        if let document = try await report(result, options, store, context) { documents.append(document) }
      } catch let error as FollowError {
        let shown = options.isPrivate ? hidden(address) : address
        let failure = Failure(error, about: shown)
        failures.append(failure)
        guard addresses.count > 1 else { continue }
        documents.append([
          "address": JSON(SafeAddress.shown(shown)),
          "error": ["code": JSON(failure.code.rawValue), "message": JSON(failure.message)],
        ])
        if !context.console.isJSON { context.console.complain(failure) }
      }
    }
    // For `undo` alone: the podcasts are followed.
    try? await store.noteSubscribed(new)
    // On failure, standard output stays empty.
    if context.console.isJSON, failures.count < addresses.count, let first = documents.first {
      context.printJSON(addresses.count == 1 ? first : .array(documents))
    }
    _ = try? await store.backUpWeekly()
    guard let first = failures.first else { return }
    if addresses.count == 1 { throw first }
    let isTotal = failures.count == addresses.count
    // There is no document that would have them.
    let reasons = isTotal && context.console.isJSON ? ": " + failures.map(\.message).joined(separator: "; ") : ""
    throw Failure(
      isTotal ? first.code : .partial, "\(failures.count) of \(addresses.count) addresses failed" + reasons,
      hint: "run the command again for those")
  }

  /// The words for a secret address: only its host is shown.
  private static func hidden(_ address: String) -> String {
    let host = WebURL(address).host ?? ""
    return host.isEmpty ? "the private feed" : "the private feed at " + host
  }

  /// Returns the document for a program.
  private static func report(
    _ subscription: Subscriber.Subscription, _ options: Subscriber.Options, _ store: PodcastStore, _ context: Context
  ) async throws -> JSON? {
    let result = subscription.result
    guard let podcast = try await store.podcast(result.podcast) else { return nil }
    let console = context.console
    if subscription.isIncomplete {
      console.say("\(CleanText.line(podcast.title)): the feed is incomplete; what was whole is kept")
    }
    if subscription.lacksPages {
      console.say("Some older episodes could not be fetched; to try once more, subscribe again")
    }
    if let address = subscription.discovered, !podcast.isPrivate {
      console.say("The page links a feed: " + CleanText.line(SafeAddress.shown(address)))
    }
    let tags = options.tags.isEmpty && !console.isJSON ? [] : try await store.tags(of: podcast.id)
    let hasMoved = options.former != nil && !result.isNew
    if console.isJSON {
      return [
        "podcast": EpisodeJSON.podcast(podcast.reference), "episodes": JSON(podcast.episodeCount),
        "new": JSON(result.isNew), "moved": hasMoved ? true : nil, "incomplete": subscription.isIncomplete ? true : nil,
        "tags": .array(tags.map { JSON($0) }),
      ]
    }
    let title = CleanText.line(podcast.title)
    let count = counted(podcast.episodeCount, "episode")
    let added = result.added.count
    let tagged = tags.isEmpty ? "" : "; tags: " + CleanText.line(tags.joined(separator: ", "))
    console.report(
      result.isNew
        ? "Subscribed to \(title): \(count)\(tagged)"
        : "\(hasMoved ? "Moved" : "Already subscribed to") \(title): \(count), \(added == 0 ? "nothing" : String(added)) new\(tagged)"
    )
    return nil
  }
}
