import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum ImportCommand {
  private static let file = Argument("FILE", kind: .file, help: "an OPML file, or `-` for standard input")
  private static let dryRun = Flag("dry-run", short: "n", help: "only show what is in it")
  private static let jobs = Option<Int>(
    "jobs", short: "j", value: "N", kind: .integer(in: 1...256), help: "fetch N feeds at a time")

  static let entry = CommandEntry(
    command: Command(
      "import", summary: "follow everything in an OPML file",
      discussion: """
        Outlines around a feed become its tags. What is followed already stays as it is, and what fails does not stop \
        the rest: the status is then 6, and running the command again tries those once more.
        """,
      arguments: [file], options: [dryRun, jobs],
      examples: [
        Example("podcli import podcasts.opml", "from another program"),
        Example("podcli import podcasts.opml --dry-run --json", "see what is in it"),
      ])
  ) { invocation, context throws(Failure) in
    let feeds = try read(invocation[file])
    guard !invocation[dryRun] else { return show(feeds, context) }
    let jobs = try context.refreshJobs(invocation[jobs])
    async let _: Void = context.live.prepareClient()
    try await context.withStore(.readWrite) { store in try await follow(feeds, jobs, store, context) }
  }

  private static func read(_ file: String) throws(Failure) -> [FeedOutline] {
    do throws(FollowError) {
      return try SubscriptionList.feeds(in: FeedFile.bytes(file))
    } catch {
      if case .feed(let failure) = error, failure.reason == .notAFeed {
        throw Failure(.notAFeed, "\(file) is not a list of subscriptions: \(failure.message)")
      }
      throw Failure(error, about: file)
    }
  }

  private static func show(_ feeds: [FeedOutline], _ context: Context) {
    if context.console.isJSON { return context.printJSON(feeds.json(SafeAddress.withoutUser)) }
    for feed in feeds {
      let fields = [SafeAddress.shown(feed.url), feed.title ?? "", feed.folders.joined(separator: ", ")]
      context.console.write(TabSeparated.line(fields))
    }
  }

  // MARK: Following

  private static func follow(
    _ feeds: [FeedOutline], _ jobs: Int, _ store: PodcastStore, _ context: Context
  ) async throws {
    let progress = ProgressLine(context.console, total: feeds.count, unit: "feeds")
    defer { progress.clear() }
    var report = ImportReport()
    do throws(FollowError) {
      try await context.live.subscriber(store: store).subscribe(to: feeds, jobs: jobs) { outline, result in
        if let line = report.add(outline, result), !context.console.isJSON { progress.say(line) }
        progress.step(outline.title ?? SafeAddress.shown(outline.url))
      }
    } catch {
      throw Failure(error, called: "the list", hint: nil)
    }
    progress.clear()
    _ = try? await store.backUpWeekly()
    if context.console.isJSON, report.failure.leavesResults { context.printJSON(report.json) }
    if !context.console.isJSON { context.console.say(report.summary) }
    if let failure = report.failure { throw failure }
  }
}

extension [FeedOutline] {
  /// A list of subscriptions, for programs.
  func json(_ shown: (String) -> String = { $0 }) -> JSON {
    ["feeds": .array(map { ["url": JSON(shown($0.url)), "title": JSON($0.title), "folders": JSON($0.folders)] })]
  }
}
