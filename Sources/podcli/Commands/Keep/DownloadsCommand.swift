import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum DownloadsCommand {
  private static let remove = Options<String>(
    "remove", value: "EPISODE", kind: .dynamic("episode"), help: "throw its file away; `-` reads standard input")
  private static let clean = Flag("clean", help: "throw away what was played, unless a favourite or queued")

  private static let watch = Flag("watch", short: "w", help: "show it again as it changes, whoever downloads")

  static let entry = CommandEntry(
    command: Command(
      "downloads", summary: "show what is kept on this machine",
      discussion: """
        Number, podcast, title and how far it is; in a pipe also where the file lies and why a \
        download failed, parted by tabs. What was played and where you stopped stays known when a file is thrown away.
        """,
      arguments: [FilterWords.argument], options: [remove, clean, watch],
      examples: [
        Example("podcli downloads", "what is here, and what is on its way"),
        Example("podcli downloads podcast:daily", "of one podcast"),
        Example("podcli downloads --watch", "from another terminal"),
        Example("podcli downloads --remove 142", "throw one away"),
        Example("podcli downloads --clean", "make room"),
      ])
  ) { invocation, context throws(Failure) in
    let words = invocation[remove]
    let filter = try FilterWords.readUnsorted(invocation[FilterWords.argument], in: "the list of files")
    guard !words.isEmpty || invocation[clean] else {
      return invocation[watch] ? try await follow(filter, context) : try await show(filter, context)
    }
    guard filter.conditions.isEmpty, filter.limit == nil else {
      throw Failure(
        .usage, "a filter chooses what is shown, not what is thrown away",
        hint: "podcli downloads FILTER | podcli downloads --remove -")
    }
    if invocation[watch] {
      throw Failure(.usage, "--watch only shows, and throws nothing away", hint: "leave out --watch")
    }
    try await context.withStore(.readWrite) { store in
      let files = context.live.downloadFiles(store: store)
      var entries = words.isEmpty ? [] : try await EpisodeWords.entries(words, in: store, context)
      if let stranger = entries.first(where: { $0.download == nil }) {
        throw Failure(.notFound, "\(stranger.episode.title) is not downloaded", hint: "podcli downloads shows what is")
      }
      if let busy = entries.first(where: { files.isFilled($0) && !files.isUnderway($0) }) {
        throw Self.inUse(busy)
      }
      if invocation[clean] { entries += try await files.done() }
      try await throwAway(entries, files, context)
    }
  }

  private static func throwAway(
    _ entries: [EpisodeEntry], _ files: DownloadFiles, _ context: Context
  ) async throws {
    var freed: Int64 = 0
    var removed: [EpisodeEntry] = []
    var fileCount = 0
    var failure: Failure?
    // One that was named may be done, too.
    for entry in entries where !removed.contains(where: { $0.episode.id == entry.episode.id }) {
      let id = entry.episode.id
      let isUnderway = files.isUnderway(entry)
      guard let bytes = try await isUnderway ? files.end(id) : files.remove(id) else {
        failure = isUnderway ? unended(entry) : inUse(entry)
        continue
      }
      freed += bytes
      if bytes > 0 { fileCount += 1 }
      removed.append(entry)
    }
    if let failure, removed.isEmpty { throw failure }
    if context.console.isJSON {
      context.printJSON(["removed": .array(removed.map { JSON($0.episode.id.rawValue) }), "bytes": JSON(freed)])
    } else {
      context.console.say(text(files: fileCount, freed, others: removed.count - fileCount))
    }
    if let failure { throw Failure(.partial, failure.message, hint: failure.hint) }
  }

  private static func inUse(_ entry: EpisodeEntry) -> Failure {
    Failure(
      .failed, "another podcli uses the file of \(entry.episode.title)",
      hint: "podcli stop ends a player; then run the command again")
  }

  private static func unended(_ entry: EpisodeEntry) -> Failure {
    Failure(
      .failed, "\(entry.episode.title) is off the list, but the podcli that downloads it has not stopped yet",
      hint: "it stops as soon as it goes on, and its file goes then")
  }

  /// `others`: downloads that failed and left no file.
  private static func text(files: Int, _ freed: Int64, others: Int) -> String {
    let listed = counted(others, "download") + " from the list"
    if files == 0 { return others == 0 ? "There is nothing to throw away." : "Removed \(listed)." }
    return "Threw away \(counted(files, "file")): \(SizeText.short(freed)) free"
      + (others == 0 ? "" : "; removed \(listed)")
  }

  private static func show(_ filter: EpisodeFilter, _ context: Context) async throws(Failure) {
    try await context.withLookup(filter) { store in listing.print(try await entries(filter, store, context), context) }
  }

  private static func entries(
    _ filter: EpisodeFilter, _ store: PodcastStore, _ context: Context
  ) async throws(StoreError) -> [EpisodeEntry] {
    try await context.live.downloadFiles(store: store).entries().matching(filter, in: store) { $0.episode.id }
  }

  /// As JSON, each list is a line; in a pipe, an empty line ends each list.
  private static func follow(_ filter: EpisodeFilter, _ context: Context) async throws(Failure) {
    let console = context.console
    try await Watch(context).show(before: { try await FilterWords.check(filter, in: $0) }) { store in
      let entries = try await entries(filter, store, context)
      if console.isJSON { return JSON.array(entries.map(EpisodeJSON.document)).compact + "\n" }
      guard console.isOutputTerminal else { return listing.text(entries, console) + "\n" }
      return entries.isEmpty ? "Nothing is downloaded. What comes will be shown.\n" : listing.text(entries, console)
    }
  }

  private static var listing: Listing<EpisodeEntry> {
    var table = Table<EpisodeEntry>(
      columns: [
        Column(limit: 9, isAlignedRight: true) { String($0.episode.id.rawValue) },
        Column(limit: 24, from: 50) { $0.podcast.title },
        Column(full: { $0.episode.title }) { $0.distinctTitle },
        Column(limit: 18, full: { $0.download?.state.rawValue ?? "" }) { stateText($0.download) },
        .onlyInPipe { $0.download?.progress.map { "\($0)" } ?? "" },
        .onlyInPipe { path($0.download) ?? "" },
        .onlyInPipe { $0.download?.error ?? "" },
      ])
    table.complaint = { $0.download?.error.map { "  ! " + CleanText.line($0) } }
    return Listing(
      table: table, json: EpisodeJSON.document,
      emptyText: "Nothing is downloaded. Keep an episode with: podcli download EPISODE")
  }

  private static func stateText(_ download: Download?) -> String {
    guard let download else { return "" }
    guard download.state != .complete else { return "complete" }
    return download.state.rawValue + (download.progress.map { " \(Int($0 * 100)) %" } ?? "")
  }

  private static func path(_ download: Download?) -> String? {
    download?.state == .complete ? download?.path : nil
  }
}
