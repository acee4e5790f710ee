import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum QuoteCommand {
  private static let episode = Argument("EPISODE", kind: .dynamic("episode"), help: "which one")
  private static let from = Argument<TimeExpression>("FROM", kind: .time, help: StretchWords.fromHelp)
  private static let to = Argument<TimeExpression>("TO", kind: .time, help: StretchWords.toHelp)
  private static let markdown = Flag("markdown", short: "m", help: "as Markdown, for notes")

  static let entry = CommandEntry(
    command: Command(
      "quote", summary: "show what is said in a stretch of an episode, with a link to it",
      discussion: """
        The words are those of the transcript that the feed links to, which is fetched and kept; the link plays just \
        that stretch in a browser. The address of a file of a feed followed with --private is a secret: there it leads to the episode's \
        page.
        """,
      arguments: [episode, from, to], options: [markdown],
      examples: [
        Example("podcli quote 142 40:00 40:45", "what is said there"),
        Example("podcli quote 142 40:00 +45 --markdown >> notes.md", "for your notes"),
      ])
  ) { invocation, context throws(Failure) in
    try await context.withIndexedStore { store in
      let entry = try await EpisodeWords.choice(invocation[episode], in: store, context).entry
      let asked = try StretchWords.range(from: invocation[from], to: invocation[to], in: entry)
      // The file's own length: that of the feed may be wrong.
      let end = entry.mediaDuration ?? asked.upperBound
      let range = asked.lowerBound < end ? asked.clamped(to: .zero..<end) : asked
      let quote = Quote(entry: entry, range: range, segments: try await segments(in: range, of: entry, store, context))
      show(quote, isMarkdown: invocation[markdown], context)
    }
  }

  /// At the positions at which they are heard, which adverts may have shifted.
  private static func segments(
    in range: Range<Duration>, of entry: EpisodeEntry, _ store: PodcastStore, _ context: Context
  ) async throws -> [TranscriptSegment] {
    let id = entry.episode.id
    let all = try await context.live.sideDocuments(store: store).transcript(of: id)
    guard all.contains(where: { $0.start != nil }) else {
      throw Failure(
        .notFound, "this episode has no transcript" + (all.isEmpty ? "" : " with times"),
        hint: all.isEmpty ? nil : "podcli transcript \(id.rawValue) shows all")
    }
    let found = Quote.segments(all, heardBy: try await store.anchors(of: id), in: range)
    guard !found.isEmpty else {
      throw Failure(
        .notFound, "nothing is said at \(range.clockText)",
        hint: "podcli transcript \(id.rawValue) --at \(ClockText.short(range.lowerBound)) shows what comes next")
    }
    return found
  }

  private static func show(_ quote: Quote, isMarkdown: Bool, _ context: Context) {
    let console = context.console
    if console.isJSON { return context.printJSON(quote.json) }
    if isMarkdown { return console.write(quote.markdown) }
    console.write(quote.text(width: console.isOutputTerminal ? min(console.width, 100) : nil))
  }
}
