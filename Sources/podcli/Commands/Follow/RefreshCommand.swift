import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum RefreshCommand {
  private static let podcasts = Arguments(
    "PODCAST", kind: .dynamic("podcast"), orNone: true,
    help: "only these, all when none is named; `-` reads them from standard input")
  private static let jobs = Option<Int>(
    "jobs", short: "j", value: "N", kind: .integer(in: 1...256), help: "fetch N feeds at a time")
  private static let force = Flag("force", short: "f", help: "ask whatever was said before, and for everything")
  private static let scheduled = Flag("scheduled", help: "for timers: also mind how often publishers want to be asked")

  static let entry = CommandEntry(
    command: Command(
      "refresh", aliases: ["update"], synonyms: ["fetch", "reload"], summary: "look for new episodes",
      discussion: """
        Feeds that fail are asked less often; naming one asks it at once. A server that asks for a pause gets it, but for `--force`, which asks all. \
        One failure never stops the rest: the status is then 6, and `podcli podcasts` shows what went wrong.

        With `podcli config set notify=on`, or `podcli set` for one podcast, the desktop is told of new episodes by \
        `notify-send`, where that is installed.
        """,
      arguments: [podcasts], options: [jobs, force, scheduled],
      examples: [
        Example("podcli refresh", "look for new episodes everywhere"),
        Example("podcli refresh \"late night\"", "look at one podcast"),
        Example(
          "podcli podcasts --json | jq -c '.[] | select(.error)' | podcli refresh -", "once more those that failed"),
        Example("podcli refresh --scheduled --quiet", "from a timer"),
      ])
  ) { invocation, context throws(Failure) in
    let names = invocation[podcasts]
    var options = Refresher.Options()
    options.jobs = try context.refreshJobs(invocation[jobs])
    options.occasion =
      invocation[force] ? .forced : !names.isEmpty ? .named : invocation[scheduled] ? .scheduled : .all
    async let _: Void = context.live.prepareClient(forFeeds: false)
    try await context.withStore(.readWrite) { [options] store in
      let feeds = try await feeds(names, store, context)
      if feeds.isEmpty, names.isEmpty, !context.console.isJSON {
        context.console.say("You follow nothing yet. Follow a podcast with: podcli subscribe <feed-url>")
      }
      if let failure = try await refresh(feeds, options, store, context) { throw failure }
    }
  }

  private static func feeds(
    _ names: [String], _ store: PodcastStore, _ context: Context
  ) async throws -> [FeedState] {
    guard !names.isEmpty else { return try await store.feeds() }
    var feeds: [FeedState] = []
    for podcast in try await context.podcasts(names, in: store) {
      guard !feeds.contains(where: { $0.podcast.id == podcast.id }) else { continue }
      if let feed = try await store.feed(of: podcast.id) { feeds.append(feed) }
    }
    return feeds
  }

  private static func refresh(
    _ feeds: [FeedState], _ options: Refresher.Options, _ store: PodcastStore, _ context: Context
  ) async throws -> Failure? {
    let console = context.console
    // A line that cannot be read is an error before any feed is fetched.
    let config = try context.config()
    let progress = ProgressLine(console, total: feeds.count, unit: "feeds")
    var report = RefreshReport()
    var news: [AfterRefresh.News] = []
    report.isVerbose = console.isVerbose
    defer { progress.clear() }
    try await context.live.refresher(store: store).refresh(feeds, options, words: words) { outcome in
      // Of a podcast that another machine brought nothing is news.
      if case .merged(let result) = outcome.result, !result.isNew { news.append(.init(result.podcast, result.added)) }
      let line = report.add(outcome)
      // Of one feed that fails, the error at the end says it.
      if let line, !console.isJSON, feeds.count > 1 || report.failures.isEmpty {
        progress.say(line, isFailure: outcome.isFailure)
      }
      progress.step(outcome.podcast.title)
    }
    progress.clear()
    var downloads: DownloadDisplay?
    defer { _ = downloads?.end() }
    let after = context.live.afterRefresh(store: store, config: config, words: DownloadDisplay.words)
    try await after.run(after: feeds.map(\.podcast.id), options.occasion, news: news, text: NewsText.texts) { count in
      let display = DownloadDisplay(console, count: count, isAutomatic: true)
      downloads = display
      return display.show
    } conclude: {
      if let downloads { report.add(downloads.end()) }
      show(report, hasFeeds: !feeds.isEmpty, context)
    }
    await context.live.syncer(store: store).runQuietly(atMost: .seconds(20), withServer: true)
    return report.failure
  }

  private static func show(_ report: RefreshReport, hasFeeds: Bool, _ context: Context) {
    if context.console.isJSON {
      if report.failure.leavesResults { context.printJSON(report.json) }
    } else if hasFeeds {
      context.console.say(report.summary)
    }
  }

  /// The code and the message that the library keeps for lists, which show the address beside them.
  private static let words: Refresher.Words = { error in
    let failure = error.isGone ? nil : Failure(error, called: "the feed", hint: nil)
    return (failure?.code.rawValue ?? "gone", failure?.message ?? "gone for good (410); its episodes stay")
  }
}
