import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum BookmarksCommand {
  private static let episode = OptionalArgument(
    "EPISODE", kind: .dynamic("episode"), help: "only in this one; `-` reads standard input")
  private static let remove = Flag("remove", help: "forget those of the episode, with `@41:07` only the one there")

  static let entry = CommandEntry(
    command: Command(
      "bookmarks", summary: "show the positions you remember",
      discussion: "The first column is what `podcli play` takes.",
      arguments: [episode], options: [remove],
      examples: [
        Example("podcli bookmarks", "all of them, the last one first"),
        Example("podcli bookmarks 142", "in one episode"),
        Example("podcli bookmarks --remove 142@41:07", "no longer this one"),
      ])
  ) { invocation, context throws(Failure) in
    guard invocation[remove] else {
      return try await context.withIndexedStore { store in
        let words = invocation[episode]
        guard let words else {
          return listing().print(try await store.bookmarks(limit: 100_000).map(EpisodeBookmark.init), context)
        }
        let choices = try await EpisodeWords.choices([words], in: store, context)
        listing(of: words).print(try await bookmarks(of: choices, store), context)
      }
    }
    try await context.withStore(.readWrite) { store in
      guard let words = invocation[episode] else {
        throw Failure(.usage, "--remove needs an EPISODE", hint: "for example: podcli bookmarks --remove 142@41:07")
      }
      let choices = try await EpisodeWords.choices([words], in: store, context)
      let bookmarks = try await bookmarks(of: choices, store)
      // A list on standard input may be empty.
      guard !bookmarks.isEmpty || choices.isEmpty else {
        throw Failure(.notFound, "there is no bookmark at \(words)", hint: "podcli bookmarks shows them")
      }
      for bookmark in bookmarks { try await store.removeBookmark(bookmark.bookmark.id) }
      if context.console.isJSON { return context.printJSON(.array(bookmarks.map(\.json))) }
      context.console.say("Removed \(counted(bookmarks.count, "bookmark"))")
    }
  }

  private static func bookmarks(
    of choices: [Selection.Choice], _ store: PodcastStore
  ) async throws -> [EpisodeBookmark] {
    var found: [EpisodeBookmark] = []
    for choice in choices {
      let start = try choice.start?.position(in: choice.entry, example: "41:07")
      found += try await store.bookmarks(of: choice.entry.episode.id)
        .filter { bookmark in start.map { $0.components.seconds == bookmark.position.components.seconds } ?? true }
        .map { EpisodeBookmark(entry: choice.entry, bookmark: $0) }
    }
    return found
  }

  private static func listing(of words: String? = nil) -> Listing<EpisodeBookmark> {
    Listing(
      columns: [
        Column(limit: 20) { $0.entry.reference(at: $0.bookmark.position) },
        Column(limit: 24, from: 70) { $0.entry.podcast.title },
        Column(full: { $0.entry.episode.title }) { $0.entry.distinctTitle },
        Column { $0.bookmark.note ?? "" },
        Column(limit: 12, from: 60, full: { $0.bookmark.createdAt.description }) {
          DateText.relative($0.bookmark.createdAt, now: .now)
        },
      ], json: \.json,
      emptyText: words == nil
        ? "There are no bookmarks. Make one with: podcli bookmark EPISODE TIME"
        : "There are no bookmarks in it. podcli bookmarks shows those of all episodes")
  }
}
