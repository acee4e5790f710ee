import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum InfoCommand {
  private static let subject = Argument(
    "EPISODE", kind: .dynamic("episode"),
    help: "an episode, or a podcast by its title or address; `-` reads episodes from standard input")
  private static let isPodcast = Flag("podcast", help: "a number means a podcast, not an episode")

  static let entry = CommandEntry(
    command: Command(
      "info", aliases: ["show"], synonyms: ["notes"], summary: "show everything known about an episode or a podcast",
      discussion: """
        Show notes come as readable text, with their links at the end. A title shows the podcast that is called so; \
        add `/latest` for its newest episode.
        """,
      arguments: [subject], options: [isPodcast],
      examples: [
        Example("podcli info 142", "the episode with that number"),
        Example("podcli info \"late night/latest\"", "the newest of a podcast"),
        Example("podcli info \"late night\"", "the podcast"),
        Example("podcli info 142 --json | jq -r .text", "the show notes alone"),
        Example("podcli queue | podcli info -", "what lies ahead, at length"),
      ])
  ) { invocation, context throws(Failure) in
    let words = invocation[subject]
    try await context.withIndexedStore { store in
      if let podcast = try await podcast(words, isSure: invocation[isPodcast], store, context) {
        return try await show(podcast, store, context)
      }
      var found: [(EpisodeDetails, EpisodeSound?)] = []
      let config = try context.config()
      for choice in try await EpisodeWords.choices([words], in: store, context) {
        guard var details = try await store.details(of: choice.entry.episode.id) else { continue }
        details.entry = context.live.downloadFiles(store: store).checked(details.entry)
        // On the page the notes show their own.
        let chapters = context.console.isJSON ? SideDocuments.knownChapters(of: details) : details.chapters
        details.chapters = await context.live.repeatSearch(store: store).chapters(chapters, of: details.entry)
        found.append((details, try await EpisodeSound(of: details, in: store, config: config)))
      }
      show(found, asList: words == "-", context)
    }
  }

  /// Tries a number as an episode first, other words as a podcast first.
  private static func podcast(_ words: String, isSure: Bool, _ store: PodcastStore, _ context: Context) async throws
    -> PodcastID?
  {
    if words == "-" { return nil }
    if isSure { return try await context.podcast(words, in: store).id }
    if let number = Int64(words), try await store.episode(EpisodeID(rawValue: number)) != nil { return nil }
    if let podcast = try await store.podcast(at: words) { return podcast.id }
    let selection = Selection(in: store)
    do throws(SelectionError) {
      let podcast = try await selection.podcast(words)
      // `PODCAST/3` is an episode, unless a podcast is called so.
      let isCalledSo = podcast.title.lowercased() == words.lowercased()
      return Selection.isNumbered(words) && !isCalledSo ? nil : podcast.id
    } catch {
      switch error {
      case .store(let error): throw error
      // The question which podcast is asked once, and only where the words name no episode.
      case .severalPodcasts where (try? await selection.episode(words)) == nil:
        return try await context.podcast(words, in: store).id
      default: return nil
      }
    }
  }

  private static func show(_ id: PodcastID, _ store: PodcastStore, _ context: Context) async throws(StoreError) {
    guard let details = try await store.details(of: id) else { return }
    if context.console.isJSON { return context.printJSON(DetailsJSON.document(details)) }
    let page = PodcastPage(layout: InfoLayout(context.console)).rendered(details)
    Pager.show(page, below: await picture(of: details, above: page, context), context.console)
  }

  /// Empty where the terminal draws no pictures, or there is none.
  private static func picture(
    of details: PodcastDetails, above page: String, _ context: Context
  ) async -> (text: String, rows: Int) {
    let console = context.console
    guard console.isOutputTerminal, let url = details.entry.image else { return ("", 0) }
    let isLong = Pager.isNeeded(for: page, below: PictureText.highest, console)
    guard let renderer = PictureTerminal(console).renderer(inPager: isLong),
      let picture = await context.live.artwork.picture(at: url)
    else { return ("", 0) }
    return (renderer.rendered(picture), renderer.rows)
  }

  private static func show(_ found: [(EpisodeDetails, EpisodeSound?)], asList: Bool, _ context: Context) {
    if context.console.isJSON {
      let documents = found.map { DetailsJSON.document($0, $1) }
      if asList { return context.printJSON(.array(documents)) }
      return documents.forEach(context.printJSON)
    }
    let page = EpisodePage(layout: InfoLayout(context.console))
    Pager.show(found.map { page.rendered($0, $1) }.joined(separator: "\n\n"), context.console)
  }
}
