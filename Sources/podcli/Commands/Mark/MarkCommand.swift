import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum MarkCommand {
  private static let episodes = EpisodeWords.argument("which ones")

  static let entry = CommandEntry(
    command: Command(
      "mark", summary: "say what you did with an episode",
      discussion: "The history stays. `podcli undo` takes the last mark back.",
      examples: [
        Example("podcli mark played 142 143", "done with these two"),
        Example("podcli playlist podcast:daily 'age>30d' | podcli mark played -", "done with all the old ones"),
      ],
      subcommands: kinds.map(subcommand))
  ) { invocation, context throws(Failure) in
    guard let kind = kinds.first(where: { $0.name == invocation.path.last }) else { return }
    try await context.withStore(.readWrite) { store in
      let ids = try await EpisodeWords.entries(invocation[episodes], in: store, context).map(\.episode.id)
      let changed = try await store.mark(kind.mark, ids)
      try await report(kind, ids, changed: changed, store, context)
    }
  }

  private struct Kind: Sendable {
    var name: String
    var mark: EpisodeMark
    var summary: String
    var done: String
  }

  private static let kinds = [
    Kind(name: "played", mark: .played, summary: "heard, or as good as", done: "played"),
    Kind(name: "unplayed", mark: .unplayed, summary: "as if never played; its position is forgotten", done: "unplayed"),
    Kind(name: "favourite", mark: .favourite, summary: "one to come back to", done: "favourite"),
    Kind(name: "unfavourite", mark: .unfavourite, summary: "no longer a favourite", done: "no favourite"),
  ]

  private static func subcommand(_ kind: Kind) -> Command {
    Command(
      kind.name, aliases: kind.name.hasSuffix("favourite") ? [kind.name.replacing("ou", with: "o")] : [],
      summary: kind.summary, arguments: [episodes],
      examples: [Example("podcli mark \(kind.name) 142", "the episode with that number")])
  }

  private static func report(
    _ kind: Kind, _ ids: [EpisodeID], changed: Int, _ store: PodcastStore, _ context: Context
  ) async throws(StoreError) {
    var entries: [EpisodeEntry] = []
    for id in ids {
      if let entry = try await store.episode(id) { entries.append(entry) }
    }
    if context.console.isJSON { return context.printJSON(.array(entries.map(EpisodeJSON.document))) }
    let subject = entries.count == 1 ? CleanText.line(entries[0].episode.title) : counted(entries.count, "episode")
    let unchanged = entries.count - changed
    let already = unchanged > 0 ? ", \(unchanged) of them already" : ""
    context.console.say(
      unchanged > 0 && changed == 0
        ? "Already \(kind.done): \(subject)" : "Marked as \(kind.done): \(subject)\(already)")
  }
}
