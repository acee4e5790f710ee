import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum BookmarkCommand {
  private static let episode = Argument(
    "EPISODE", kind: .dynamic("episode"), help: "which one; `-` reads them from standard input")
  private static let time = OptionalArgument<TimeExpression>("TIME", kind: .time, help: "where; else where you are")
  private static let note = OptionalArgument("NOTE", help: "what is there")

  static let face = Face(
    command: Command(
      "bookmark", summary: "remember a place in an episode",
      discussion: "Works while another podcli plays the episode: without TIME it is the place last saved.",
      arguments: [episode, time, note],
      examples: [
        Example("podcli bookmark @current", "right here"),
        Example("podcli bookmark 142 41:07 'the recipe'", "a place, and why"),
        Example("podcli bookmark 142 -1m", "a minute before where you are"),
        Example("podcli search 'garbage collector' -n 3 | podcli bookmark -", "the places where it is said"),
      ])
  ) { invocation, context throws(Failure) in
    try await context.withStore(.readWrite) { store in
      let choices = try await EpisodeWords.choices([invocation[episode]], in: store, context)
      let places = try choices.map { try place(invocation[time] ?? $0.start, $0.entry) }
      var made: [BookmarkedPlace] = []
      for (choice, place) in zip(choices, places) {
        let bookmark = try await store.addBookmark(at: place, note: invocation[note], in: choice.entry.episode.id)
        made.append(BookmarkedPlace(entry: choice.entry, bookmark: bookmark))
      }
      report(made, asList: invocation[episode] == "-", context)
    }
  }

  private static func report(_ made: [BookmarkedPlace], asList: Bool, _ context: Context) {
    if context.console.isJSON {
      return context.printJSON(asList ? .array(made.map(\.json)) : made[0].json)
    }
    for place in made {
      let title = CleanText.line(place.entry.episode.title)
      context.console.say("Bookmarked \(title) at \(ClockText.short(place.bookmark.position))")
    }
  }

  private static func place(_ time: TimeExpression?, _ entry: EpisodeEntry) throws(Failure) -> Duration {
    let current = entry.status.lastListenTime
    guard let time else {
      guard let current else {
        throw Failure(
          .usage, "there is no place in \(entry.episode.title) yet",
          hint: "say where: podcli bookmark \(entry.episode.id.rawValue) 41:07")
      }
      return current
    }
    guard let place = time.resolved(duration: entry.episode.duration, current: current ?? .zero) else {
      throw Failure(
        .usage, "the length of this episode is not known, so a percentage says nothing",
        hint: "give a time, such as 41:07")
    }
    guard entry.episode.duration.map({ place <= $0 }) ?? true else {
      throw Failure(
        .usage, "the episode ends before \(ClockText.short(place))",
        hint: entry.episode.duration.map { "it is \(ClockText.short($0)) long" })
    }
    return place
  }
}

extension ValueKind where Value == TimeExpression {
  static var time: Self {
    ValueKind(expectation: "a time such as 41:07, 90s, 50% or -1m", isSigned: true) { text throws(BadValue) in
      TimeExpression(text)
    }
  }
}

enum BookmarksCommand {
  private static let episode = OptionalArgument("EPISODE", kind: .dynamic("episode"), help: "only in this one")
  private static let remove = Flag("remove", help: "forget those of the episode, with `@41:07` only the one there")

  static let face = Face(
    command: Command(
      "bookmarks", summary: "show the places you remember",
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
        listing.print(try await found(invocation[episode], store, context), context)
      }
    }
    try await context.withStore(.readWrite) { store in
      guard let words = invocation[episode] else {
        throw Failure(.usage, "--remove needs an EPISODE", hint: "for example: podcli bookmarks --remove 142@41:07")
      }
      let places = try await found(words, store, context)
      guard !places.isEmpty else {
        throw Failure(.notFound, "there is no bookmark at \(words)", hint: "podcli bookmarks shows them")
      }
      for place in places { try await store.removeBookmark(place.bookmark.id) }
      if context.console.isJSON { return context.printJSON(.array(places.map(\.json))) }
      context.console.say("Removed \(counted(places.count, "bookmark"))")
    }
  }

  private static func found(_ words: String?, _ store: PodcastStore, _ context: Context) async throws
    -> [BookmarkedPlace]
  {
    guard let words else {
      return try await store.bookmarks(limit: 100_000).map(BookmarkedPlace.init)
    }
    let choice = try await context.episode(words, in: store)
    let start = choice.start?.resolved(
      duration: choice.entry.episode.duration, current: choice.entry.status.lastListenTime ?? .zero)
    return try await store.bookmarks(of: choice.entry.episode.id)
      .filter { bookmark in start.map { $0.components.seconds == bookmark.position.components.seconds } ?? true }
      .map { BookmarkedPlace(entry: choice.entry, bookmark: $0) }
  }

  private static var listing: Listing<BookmarkedPlace> {
    Listing(
      columns: [
        Column(limit: 20) { PlaceText.reference($0.entry, $0.bookmark.position) },
        Column(limit: 24, from: 70) { $0.entry.podcast.title },
        Column(full: { $0.entry.episode.title }) { $0.entry.distinctTitle },
        Column { $0.bookmark.note ?? "" },
        Column(limit: 12, from: 60, full: { $0.bookmark.createdAt.description }) {
          DateText.relative($0.bookmark.createdAt, now: .now)
        },
      ], json: \.json, emptyText: "There are no bookmarks. Make one with: podcli bookmark EPISODE TIME")
  }
}

struct BookmarkedPlace {
  var entry: EpisodeEntry
  var bookmark: Bookmark

  var json: JSON { DetailsJSON.bookmark(bookmark).adding(["episode": EpisodeJSON.document(entry)]) }
}
