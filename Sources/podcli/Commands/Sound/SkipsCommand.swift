import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum SkipsCommand {
  private static let podcast = Argument("PODCAST", kind: .dynamic("podcast"), help: "whose episodes")

  static let entry = CommandEntry(
    command: Command(
      "skips", summary: "show what repeats from episode to episode, and what is skipped",
      discussion: """
        Intros, jingles, outros and adverts that several episodes share, five seconds to five minutes long, are found \
        in the sound of the newest 20 measured episodes that are on this machine: each is compared with the five \
        that were published nearest to it. In music nothing is looked for. Nothing is skipped unless you say so: \
        `podcli set PODCAST skip-repeats=intro,outro` (or inserted) leaves such stretches out where they are found; \
        going back into one plays it. A stretch is an \
        intro or an outro where most episodes have it in their first or last part, and inserted otherwise. Ranges \
        that you marked with the keys { and } are listed, too; `podcli undo` takes the last one back, from the next playing on. In a pipe: number, kind, start and end in seconds, in \
        how many of how many other episodes, title.
        """,
      arguments: [podcast],
      examples: [
        Example("podcli skips daily", "what repeats"),
        Example("podcli skips daily --json", "the same, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    let config = try context.config()
    try await context.withStore(.readWrite) { store in
      let podcast = try await context.podcast(invocation[podcast], in: store)
      let search = context.live.repeatSearch(store: store)
      try await update(podcast.id, search, context)
      let settings = Settings(podcast: try await store.settings(of: podcast.id), config: config)
      let measured = try await store.measuredEpisodes(of: podcast.id, limit: RepeatSearch.mostEpisodes + 1)
      let looked = Array(measured.prefix(RepeatSearch.mostEpisodes))
      let episodes = try await episodes(of: podcast.id, looked, store, context)
      if context.console.isJSON { return context.printJSON(document(podcast, settings, episodes)) }
      let emptyText = emptyText(measured.count, isMusic: try await search.isMusic(podcast.id))
      show(podcast, settings, episodes, emptyText, context)
    }
  }

  private static func update(
    _ podcast: PodcastID, _ search: RepeatSearch, _ context: Context
  ) async throws(StoreError) {
    let progress = ProgressLine(context.console, total: 0, unit: "episodes")
    defer { progress.clear() }
    do throws(StoreError) {
      try await search.update(podcast) { number, count in
        progress.show("looking for what repeats: episode \(number) of \(count)")
      }
    } catch {
      // Where nothing can be written, what was found before is shown.
      guard error.code == .full || error.code == .readOnly else { throw error }
    }
  }

  private struct Found {
    var entry: EpisodeEntry
    var repeats: [Repeat]
    var marked: [Range<Duration>]
  }

  private static func episodes(
    of podcast: PodcastID, _ measured: [EpisodeID], _ store: PodcastStore, _ context: Context
  ) async throws(StoreError) -> [Found] {
    let search = context.live.repeatSearch(store: store)
    var found: [Found] = []
    let marked = try await store.episodesWithSkips(of: podcast)
    for id in measured + marked.filter({ !measured.contains($0) }) {
      guard let entry = try await store.episode(id) else { continue }
      let episode = Found(
        entry: entry, repeats: await search.repeats(of: entry), marked: try await store.skips(of: id))
      if !episode.repeats.isEmpty || !episode.marked.isEmpty { found.append(episode) }
    }
    return found
  }

  // MARK: Text

  private struct Row {
    var entry: EpisodeEntry
    var range: Range<Duration>
    /// Nil for a range that the user marked.
    var stretch: Repeat?

    var kind: String { stretch?.kind.rawValue ?? "marked" }
  }

  private static func show(
    _ podcast: PodcastEntry, _ settings: Settings, _ episodes: [Found], _ emptyText: String, _ context: Context
  ) {
    let rows = episodes.flatMap { episode in
      let repeats = episode.repeats.map { Row(entry: episode.entry, range: $0.range, stretch: $0) }
      let all = repeats + episode.marked.map { Row(entry: episode.entry, range: $0) }
      return all.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
    listing(emptyText).print(rows, context)
    let rules = SettingRow.all(settings).filter { $0.key.name.hasPrefix("skip-") && $0.origin != .standard }
    for rule in rules { context.console.say("\(CleanText.line(podcast.title)): \(rule.key.name) = \(rule.cleanValue)") }
    let skipped = settings[SettingKeys.skipRepeats]
    var kinds = Set(episodes.flatMap(\.repeats).map(\.kind)).subtracting(skipped)
    if kinds.count > 1 { kinds.remove(.inserted) }
    guard !kinds.isEmpty else { return }
    let words = Repeat.Kind.allCases.filter(kinds.union(skipped).contains).map(\.rawValue).joined(separator: ",")
    context.console.say("To leave such stretches out: podcli set \(podcast.id.rawValue) skip-repeats=\(words)")
  }

  private static func emptyText(_ measured: Int, isMusic: Bool) -> String {
    if isMusic { return "This podcast is music, where nothing that repeats is looked for, and nothing was marked." }
    return switch measured {
    case 0: "No episode is measured. Download some, then: podcli measure downloaded"
    case 1: "One episode is measured: what repeats is found in two and more. Then: podcli measure downloaded"
    case ...RepeatSearch.mostEpisodes: "Nothing repeats in the \(measured) measured episodes, and nothing was marked."
    default: "Nothing repeats in the newest \(RepeatSearch.mostEpisodes) measured episodes, and nothing was marked."
    }
  }

  private static func listing(_ emptyText: String) -> Listing<Row> {
    Listing(
      columns: [
        Column(limit: 10, isAlignedRight: true) { String($0.entry.episode.id.rawValue) },
        Column(limit: 8) { $0.kind },
        Column(limit: 20, isAlignedRight: true, full: { seconds($0.range.lowerBound) }) {
          ClockText.short($0.range.lowerBound) + "–" + ClockText.short($0.range.upperBound)
        },
        .onlyInPipe { seconds($0.range.upperBound) },
        Column(limit: 24, full: { $0.stretch.map { String($0.count) } ?? "" }) {
          $0.stretch.map { "in \($0.count) of \(counted($0.total, "episode"))" } ?? "by you"
        },
        .onlyInPipe { $0.stretch.map { String($0.total) } ?? "" },
        Column(full: { $0.entry.episode.title }) { $0.entry.distinctTitle },
      ], json: { _ in .null }, emptyText: emptyText)
  }

  private static func seconds(_ position: Duration) -> String { EpisodeJSON.seconds(position).compact }

  // MARK: JSON

  private static func document(_ podcast: PodcastEntry, _ settings: Settings, _ episodes: [Found]) -> JSON {
    let skipped = settings[SettingKeys.skipRepeats]
    return [
      "podcast": EpisodeJSON.podcast(podcast.reference),
      "skipIntro": EpisodeJSON.seconds(settings[SettingKeys.skipIntro]),
      "skipOutro": EpisodeJSON.seconds(settings[SettingKeys.skipOutro]),
      "skipChapters": .array(settings[SettingKeys.skipChapters].map { JSON($0) }),
      "skipRepeats": .array(Repeat.Kind.allCases.filter(skipped.contains).map { JSON($0.rawValue) }),
      "episodes": .array(
        episodes.map { episode in
          [
            "episode": EpisodeJSON.document(episode.entry),
            "repeats": .array(episode.repeats.map { stretch($0, isSkipped: skipped.contains($0.kind)) }),
            "marked": .array(episode.marked.map(range)),
          ]
        }),
    ]
  }

  private static func stretch(_ stretch: Repeat, isSkipped: Bool) -> JSON {
    let more: JSON = [
      "kind": JSON(stretch.kind.rawValue), "count": JSON(stretch.count), "of": JSON(stretch.total),
      "skipped": JSON(isSkipped),
    ]
    return range(stretch.range).adding(more)
  }

  private static func range(_ range: Range<Duration>) -> JSON {
    ["start": EpisodeJSON.seconds(range.lowerBound), "end": EpisodeJSON.seconds(range.upperBound)]
  }
}
