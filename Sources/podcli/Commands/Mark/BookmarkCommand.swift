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
      "bookmark", summary: "remember a position in an episode",
      discussion: "Works while another podcli plays the episode: without TIME it is the player's position.",
      arguments: [episode, time, note],
      examples: [
        Example("podcli bookmark @current", "right here"),
        Example("podcli bookmark 142 41:07 'the recipe'", "a position, and why"),
        Example("podcli bookmark 142 -1m", "a minute before where you are"),
        Example("podcli search 'garbage collector' -n 3 | podcli bookmark -", "where it is said"),
      ])
  ) { invocation, context throws(Failure) in
    if invocation[time] == nil, let note = invocation[note], isMeantAsTime(note) {
      throw Failure(.usage, "'\(note)' is no time", hint: "for example 41:07; a note may stand behind the time")
    }
    try await context.withStore(.readWrite) { store in
      let choices = try await EpisodeWords.choices([invocation[episode]], in: store, context)
      if invocation[episode] != "-", invocation[time] != nil, choices.contains(where: { $0.start != nil }) {
        throw Failure(.usage, "two positions for one bookmark", hint: "give either EPISODE@TIME or EPISODE TIME")
      }
      let player = PlayerStatus.ofPlayer(context.live.paths)
      let positions = try choices.map { choice in
        let isPlaying = player?.episode == choice.entry.episode.id
        let current = (isPlaying ? player?.position : nil) ?? choice.entry.status.lastListenTime
        return try position(invocation[time] ?? choice.start, choice.entry, current)
      }
      var made: [EpisodeBookmark] = []
      for (choice, position) in zip(choices, positions) {
        let bookmark = try await store.addBookmark(at: position, note: invocation[note], in: choice.entry.episode.id)
        made.append(EpisodeBookmark(entry: choice.entry, bookmark: bookmark))
      }
      report(made, asList: invocation[episode] == "-", context)
    }
  }

  /// A time that is mistyped is taken for the note.
  private static func isMeantAsTime(_ text: String) -> Bool {
    text.contains(where: \.isNumber) && text.allSatisfy { $0.isNumber || ":.%+-hms".contains($0) }
  }

  private static func report(_ made: [EpisodeBookmark], asList: Bool, _ context: Context) {
    if context.console.isJSON {
      return context.printJSON(asList ? .array(made.map(\.json)) : made[0].json)
    }
    for bookmark in made {
      let title = CleanText.line(bookmark.entry.episode.title)
      context.console.say("Bookmarked \(title) at \(ClockText.short(bookmark.bookmark.position))")
    }
  }

  private static func position(
    _ time: TimeExpression?, _ entry: EpisodeEntry, _ current: Duration?
  ) throws(Failure) -> Duration {
    guard let time else {
      guard let current else {
        throw Failure(
          .usage, "nothing of \(CleanText.line(entry.episode.title)) was heard yet",
          hint: "say where: podcli bookmark \(entry.episode.id.rawValue) 41:07")
      }
      return current
    }
    let position = try time.position(in: entry, from: current, example: "41:07")
    // A feed is often wrong about the length.
    let longest = entry.mediaDuration ?? entry.episode.duration.map { $0 * 4 }
    guard longest.map({ position <= $0 }) ?? true else {
      throw Failure(
        .usage, "the episode ends before \(ClockText.short(position))",
        hint: entry.duration.map { "it is \(ClockText.short($0)) long" })
    }
    return position
  }
}

/// A bookmark and its episode.
struct EpisodeBookmark {
  var entry: EpisodeEntry
  var bookmark: Bookmark

  var json: JSON { DetailsJSON.bookmark(bookmark).adding(["episode": EpisodeJSON.document(entry)]) }
}
