import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum DownloadCommand {
  private static let episodes = EpisodeWords.argument("which ones, or filter words", orFilters: true)
  private static let folder = Option<String>(
    "to", value: "DIR", kind: .directory, help: "also copy to DIR/podcast/date title.ext, for other players")

  static let entry = CommandEntry(
    command: Command(
      "download", aliases: ["get"], summary: "keep episodes on this machine",
      discussion: """
        Three at a time, two from one server. What is interrupted, by Ctrl-C or anything else, goes on where it \
        stopped when the same command is given again; a file that the publisher has changed meanwhile is fetched \
        anew. `podcli play` then needs no network; chapters and transcripts are kept, too.

        FILTER words work, too: `unplayed`, `podcast:daily`, `age<7d`, `limit:5`; see `podcli help filters`.
        """,
      arguments: [episodes], options: [folder],
      examples: [
        Example("podcli download 142 \"late night/latest\"", "two episodes"),
        Example("podcli download unplayed podcast:daily limit:5", "what filter words find"),
        Example("podcli queue --json | podcli download -", "what lies ahead"),
        Example("podcli download 142 --to /media/player", "also for a player with a card"),
      ])
  ) { invocation, context throws(Failure) in
    if invocation[folder]?.isEmpty == true {
      throw Failure(.usage, "--to names no folder", hint: "for example: podcli download 142 --to /media/player")
    }
    try await context.withStore(.readWrite) { store in
      let entries = try await EpisodeWords.entriesOrMatches(invocation[episodes], in: store, context)
      if entries.isEmpty, !context.console.isJSON { return context.console.say("No episode matches.") }
      try await download(entries, copyingTo: invocation[folder], store, context)
    }
  }

  private static func download(
    _ entries: [EpisodeEntry], copyingTo folder: String?, _ store: PodcastStore, _ context: Context
  ) async throws {
    var report = await fetch(entries, store, context)
    if let folder { copy(&report, to: folder, context.console) }
    try await show(report, entries, store, context)
  }

  private static func fetch(
    _ entries: [EpisodeEntry], _ store: PodcastStore, _ context: Context
  ) async -> DownloadReport {
    let display = DownloadDisplay(context.console, count: entries.count)
    let downloader = context.live.downloader(
      store: store, isAutomatic: false, words: DownloadDisplay.words, report: display.show)
    let complete = await downloader.download(entries)
    let report = display.end()
    let new = report.finished.filter { !$0.file.wasHere }.map(\.entry.episode.id)
    await context.live.sideDocuments(store: store).keep(for: complete, new: Set(new))
    context.live.startExamining(new)
    return report
  }

  private static func copy(_ report: inout DownloadReport, to folder: String, _ console: Console) {
    for (entry, file) in report.finished {
      do throws(DownloadError) {
        let path = try DownloadFiles.copy(entry, from: file.path, to: folder)
        if !console.isJSON { console.say("Copied to " + CleanText.line(path, limit: .max)) }
      } catch {
        let failure = failure(error, entry)
        report.add(uncopied: failure)
        if !console.isJSON, report.finished.count > 1 { console.say(CleanText.line(failure.message, limit: .max)) }
      }
    }
  }

  /// A fault of that folder is not a fault of the library.
  private static func failure(_ error: DownloadError, _ entry: EpisodeEntry) -> Failure {
    let hint = "what was downloaded is kept; choose another folder with --to DIR"
    return switch error {
    case .fileSystem(let path, let reason): Failure(.failed, "\(path): \(reason)", hint: hint)
    case .diskFull(let path): Failure(.diskFull, "disk full: \(path)", hint: hint)
    default: Failure(error, about: entry)
    }
  }

  private static func show(
    _ report: DownloadReport, _ entries: [EpisodeEntry], _ store: PodcastStore, _ context: Context
  ) async throws {
    let failure = report.failure(isJSON: context.console.isJSON)
    if context.console.isJSON, failure.leavesResults {
      var documents: [JSON] = []
      for entry in entries {
        let error = report.failures.first { $0.episode == entry.episode.id }?.failure
        documents.append(
          EpisodeJSON.document(try await store.episode(entry.episode.id) ?? entry)
            .adding(["error": error.map { ["code": JSON($0.code.rawValue), "message": JSON($0.message)] }]))
      }
      context.printJSON(.array(documents))
    }
    if !context.console.isJSON, entries.count > 1 { context.console.say(report.summary) }
    if let failure { throw failure }
  }
}
