import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum ChaptersCommand {
  private static let source = SideDocumentSource.argument("chapters")

  static let entry = CommandEntry(
    command: Command(
      "chapters", summary: "show the chapters of an episode",
      discussion: """
        Those the feed has or links to, which are fetched and kept; else those inside the media file, when it was \
        downloaded or played; else those in the show notes; else what repeats from episode to episode, where that was \
        measured: see `podcli help skips`. While an episode plays, those inside its file go first: they move with its adverts.
        """,
      arguments: [source],
      examples: [
        Example("podcli chapters 142", "the episode with that number"),
        Example("podcli chapters chapters.json --json", "a file, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    let source = invocation[source]
    if SideDocumentSource.isFile(source) {
      guard let chapters = SideDocuments.chapters(in: try SideDocumentSource.bytes(source)) else {
        throw Failure(.failed, "\(source) has no chapters that podcli can read", hint: "it reads JSON chapters and PSC")
      }
      return show(chapters, context)
    }
    try await context.withIndexedStore { store in
      let entry = try await context.episode(source, in: store).entry
      let published = try await context.live.sideDocuments(store: store).chapters(of: entry.episode.id)
      show(await context.live.repeatSearch(store: store).chapters(published.filter(\.isListed), of: entry), context)
    }
  }

  private static func show(_ chapters: [Chapter], _ context: Context) {
    let chapters = chapters.filter(\.isListed)
    if context.console.isJSON {
      return context.printJSON(["chapters": .array(chapters.map(DetailsJSON.chapter))])
    }
    listing.print(chapters, context)
  }

  /// The title. What was found in the sound has an end of its own.
  static func text(_ chapter: Chapter) -> String {
    guard chapter.isMeasured, let end = chapter.end else { return chapter.title }
    return "\(chapter.title), to \(ClockText.position(end))"
  }

  private static var listing: Listing<Chapter> {
    Listing(
      columns: [
        Column(limit: 9, isAlignedRight: true) { ClockText.position($0.start) }, Column { text($0) },
        Column(from: 80) { $0.link ?? "" },
      ], json: DetailsJSON.chapter, emptyText: "This episode has no chapters.")
  }
}
