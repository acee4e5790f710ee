import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum ImportCommand {
  private static let source = OptionalArgument(
    "FILE", kind: .file, help: "an OPML file, an app's library or backup, a folder with one, or `-` for standard input")
  private static let app = Option<String>(
    "from", value: "APP",
    kind: .choice(LibraryReader.apps.map { Choice($0.name, $0.title) }),
    help: "the library of that app, where it usually is")
  private static let dryRun = Flag("dry-run", short: "n", help: "only show what is in it, and what would come")
  private static let jobs = Option<Int>(
    "jobs", short: "j", value: "N", kind: .integer(in: 1...256), help: "fetch N feeds at a time")
  private static let readAsPlayed = Flag(
    "read-as-played", help: "of newsboat: an episode whose notes were read is played")

  static let entry = CommandEntry(
    command: Command(
      "import", summary: "move in from another app, or follow everything in an OPML file",
      discussion: """
        The libraries of other apps, and their backups, are recognised by their content. Their podcasts are followed; \
        positions, what was played, favourites, bookmarks and the queue come along as far as the app keeps them, where \
        nothing newer is here. Episodes that a feed does not list yet wait for it. Nothing is downloaded, and one undo \
        takes it all back.

        Outlines around a feed become its tags. What is followed already stays as it is, and what fails does not stop \
        the rest: the status is then 6, and running the command again tries those once more.
        """,
      arguments: [source], options: [app, dryRun, jobs, readAsPlayed],
      examples: [
        Example("podcli import podcasts.opml", "from another program"),
        Example("podcli import podcasts.opml --dry-run --json", "see what is in it"),
      ])
  ) { invocation, context throws(Failure) in
    let found = try read(invocation)
    // Of a folder or an app's usual place, which may have several.
    if invocation[source] != found.path { context.console.say("Reading \(found.path)") }
    guard !invocation[dryRun] else {
      return try await context.withStore(.readOnly) { store in try await show(found, store, context) }
    }
    let jobs = try context.refreshJobs(invocation[jobs])
    async let _: Void = context.live.prepareClient()
    try await context.withStore(.readWrite) { store in try await bring(found, jobs, store, context) }
  }

  private static func read(_ invocation: Invocation) throws(Failure) -> FoundLibrary {
    let reader = LibraryReader(.process, readsAsPlayed: invocation[readAsPlayed])
    let (path, name) = (invocation[source], invocation[app])
    guard (path == nil) != (name == nil) else {
      throw Failure(.usage, "import needs a FILE or --from APP, one of them", hint: "podcli help import")
    }
    do throws(ImportError) {
      if let name { return try reader.read(app: name) }
      return try reader.read(path ?? "-")
    } catch {
      throw Failure(error)
    }
  }

  // MARK: A dry run

  private static func show(_ found: FoundLibrary, _ store: PodcastStore, _ context: Context) async throws {
    let found = try await context.live.importer(store: store).prepared(found)
    let (applied, known) = try await context.live.importer(store: store).compare(found)
    let feeds = found.library.subscriptions.filter(\.isSubscribed).map { record in
      FeedOutline(url: SafeAddress.withoutUser(record.feedURL), title: record.title, folders: record.tags)
    }
    var counts = found.library.counts
    counts.kept = applied.kept
    let episodes = ImportedEpisodes(found, counts)
    if context.console.isJSON {
      let list = FeedDocument.json(outlines: feeds).adding(found.isCutOff ? ImportReport.incomplete : nil)
      return context.printJSON(list.adding(episodes.json))
    }
    for feed in feeds {
      let fields = [SafeAddress.shown(feed.url), feed.title ?? "", feed.folders.joined(separator: ", ")]
      context.console.write(TabSeparated.line(fields))
    }
    if found.isCutOff { context.console.say(ImportReport.cutOff) }
    guard found.app != nil else { return }
    let already = known > 0 ? ", \(known) followed already" : ""
    context.console.say("\(counted(feeds.count, "podcast"))\(already)")
    episodes.lines.forEach { context.console.say($0) }
  }

  // MARK: Following

  private static func bring(
    _ found: FoundLibrary, _ jobs: Int, _ store: PodcastStore, _ context: Context
  ) async throws {
    let importer = context.live.importer(store: store)
    let found = try await importer.prepared(found)
    let total = found.library.subscriptions.count(where: \.isSubscribed)
    let progress = ProgressLine(context.console, total: total, unit: "feeds")
    defer { progress.clear() }
    var report = ImportReport()
    report.isCutOff = found.isCutOff
    report.withoutAddress = found.withoutAddress.count
    do throws(FollowError) {
      let applied = try await importer.run(found, jobs: jobs) { record, result in
        if let line = report.add(record, result), !context.console.isJSON {
          progress.say(line, isFailure: (try? result.get()) == nil)
        }
        progress.step(record.title ?? SafeAddress.shown(record.feedURL))
      }
      report.episodes = ImportedEpisodes(found, applied)
    } catch {
      throw Failure(error, called: "the list", hint: nil)
    }
    progress.clear()
    _ = try? await store.backUpWeekly()
    if context.console.isJSON, report.failure.leavesResults { context.printJSON(report.json) }
    if !context.console.isJSON { report.summary.forEach { context.console.say($0) } }
    if let failure = report.failure { throw failure }
  }
}
