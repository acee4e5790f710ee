import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum BookmarkCommand {
  private static let episode = Argument(
    "EPISODE", kind: .dynamic("episode"), help: "which one; `-` reads them from standard input")
  private static let time = OptionalArgument<TimeExpression>("TIME", kind: .time, help: "where; else where you are")
  private static let note = OptionalArgument("NOTE", help: "what is there")

  static let entry = CommandEntry(
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
    let place = try time.place(in: entry, example: "41:07")
    guard entry.episode.duration.map({ place <= $0 }) ?? true else {
      throw Failure(
        .usage, "the episode ends before \(ClockText.short(place))",
        hint: entry.episode.duration.map { "it is \(ClockText.short($0)) long" })
    }
    return place
  }
}

struct BookmarkedPlace {
  var entry: EpisodeEntry
  var bookmark: Bookmark

  var json: JSON { DetailsJSON.bookmark(bookmark).adding(["episode": EpisodeJSON.document(entry)]) }
}
