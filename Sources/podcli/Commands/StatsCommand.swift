import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum StatsCommand {
  private static let days = Option<Int>(
    "days", value: "N", kind: .integer(in: 1...36_500), help: "only the last N days, today among them")

  static let face = Face(
    command: Command(
      "stats", synonyms: ["statistics"], summary: "show how much you listened, and to what",
      discussion: "By day, by week and by podcast, and how much time speed and trimmed silence saved. Days are UTC.",
      options: [days],
      examples: [
        Example("podcli stats", "all of it"),
        Example("podcli stats --days 7 --json", "the last week, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    let now = Timestamp.now
    let since = invocation[days].map { StatisticsPage.midnight(now).seconds - Int64($0 - 1) * 86_400 }
    try await context.withStore(.readOnly) { store in
      let statistics = try await store.statistics(since: since.map { Timestamp(seconds: $0) })
      show(statistics, now, context)
    }
  }

  private static func show(_ statistics: ListeningStatistics, _ now: Timestamp, _ context: Context) {
    let console = context.console
    if console.isJSON { return context.printJSON(StatisticsPage.json(statistics)) }
    if statistics.days.isEmpty {
      return console.say("Nothing has been listened to yet. Start something with: podcli play EPISODE")
    }
    let page = StatisticsPage(width: console.width, paint: Paint(console), today: StatisticsPage.midnight(now))
    console.write(console.isOutputTerminal ? page.rendered(statistics) : StatisticsPage.tabSeparated(statistics))
  }
}
