import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Synchronization
import System
import Text

enum MeasureCommand {
  private static let episodes = EpisodeWords.argument("which ones, or filter words", orFilters: true)
  /// For podcli itself, after downloads: one such process at a time, without a word.
  private static let background = Flag("background", help: "wait for others that measure", isHidden: true)

  /// The same while an episode is streamed. Not in turn: when another process is done, more of the file is here.
  private static let firstPart = Flag("first-part", help: "what is here of one that is not whole", isHidden: true)

  static let entry = CommandEntry(
    command: Command(
      "measure", summary: "measure how loud episodes are, and where nothing is said",
      discussion: """
        Every show then plays equally loud, and trimming cuts pauses without touching a voice. One quiet pass over a \
        file that is on this machine, some twenty seconds for an hour; interrupted, the same command goes on where it \
        stopped. Downloads are measured by themselves, and so is the beginning of what \
        plays: `podcli config set auto-measure=off` stops that.
        """,
      arguments: [episodes], options: [background, firstPart],
      examples: [
        Example("podcli measure 142", "one episode"),
        Example("podcli measure 1 142 --json", "what was measured, as JSON"),
      ])
  ) { invocation, context throws(Failure) in
    let isPart = invocation[firstPart]
    let isHidden = invocation[background] || isPart
    let lock = isHidden ? context.live.waitToMeasure(patience: isPart ? .zero : .seconds(86_400)) : nil
    // The library was removed meanwhile, and is not made anew.
    if isHidden, lock == nil || (try? PodcastStore.exists(at: context.live.paths.library)) != true { return }
    defer { withExtendedLifetime(lock) {} }
    try await context.withStore(.readWrite) { store in
      let entries = try await EpisodeWords.entriesOrMatches(invocation[episodes], in: store, context)
      if entries.isEmpty, !context.console.isJSON { return context.console.say("No episode matches.") }
      guard isPart else { return try await measure(entries, store, context) }
      for entry in entries { await context.live.measureFirstPart(of: entry, in: store) }
    }
  }

  private static func measure(_ entries: [EpisodeEntry], _ store: PodcastStore, _ context: Context) async throws {
    let console = context.console
    let progress = ProgressLine(console, total: entries.count, unit: "episodes")
    let ended = Mutex<(documents: [JSON], failures: [Failure])>(([], []))
    await context.live.measurer(store: store) { report in
      switch report {
      case .progress(let entry, let heard):
        let length = entry.duration.map { " of " + ClockText.short($0) } ?? ""
        progress.show("\(ClockText.short(heard))\(length)  \(CleanText.line(entry.headline))")
      case .ended(let entry, .success(let sounding)):
        progress.clear()
        ended.withLock { $0.documents.append(document(entry, sounding)) }
        if !console.isJSON { console.report("\(CleanText.line(entry.headline)): \(SoundingText.line(sounding))") }
      case .ended(let entry, .failure(let error)):
        progress.clear()
        let failure = Failure(error, about: entry)
        ended.withLock { $0.failures.append(failure) }
        if !console.isJSON, entries.count > 1 { console.say(CleanText.line(failure.message)) }
      }
    }.measure(entries)
    let (documents, failures) = ended.withLock { $0 }
    if console.isJSON, failures.isEmpty || !documents.isEmpty { context.printJSON(.array(documents)) }
    if let failure = failure(failures, of: entries.count) { throw failure }
  }

  private static func document(_ entry: EpisodeEntry, _ sounding: Sounding) -> JSON {
    let head: JSON = ["id": JSON(entry.episode.id.rawValue), "title": JSON(entry.episode.title)]
    return head.adding(SoundingText.json(sounding))
  }

  private static func failure(_ failures: [Failure], of count: Int) -> Failure? {
    guard let first = failures.first, count > 1 else { return failures.first }
    return Failure(
      failures.count == count ? first.code : .partial, "\(failures.count) of \(count) episodes could not be measured",
      hint: first.hint)
  }
}
