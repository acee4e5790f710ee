import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum StatsCommand {
  private static let days = Option<Int>(
    "days", value: "N", kind: .integer(in: 1...36_500), help: "only the last N days, today among them")

  static let entry = CommandEntry(
    command: Command(
      "stats", synonyms: ["statistics"], summary: "show how much you listened, and to what",
      discussion:
        """
        By day, by week and by podcast, and how much time speed and trimmed silence saved. Days are those of your clock, \
        and a session counts for the one on which it began.
        """,
      options: [days],
      examples: [
        Example("podcli stats", "all of it"),
        Example("podcli stats --days 7 --json", "the last week, for a program"),
      ])
  ) { invocation, context throws(Failure) in
    let today = StatisticsPage.midnight(LocalTime.shifted(.now))
    let first = invocation[days].map { Timestamp(seconds: today.seconds - Int64($0 - 1) * 86_400) }
    try await context.withStore(.readOnly) { store in
      show(try await store.statistics(sinceDay: first), since: first, today, context)
    }
  }

  private static func show(
    _ statistics: ListeningStatistics, since first: Timestamp?, _ today: Timestamp, _ context: Context
  ) {
    let console = context.console
    if console.isJSON { return context.printJSON(StatisticsPage.json(statistics)) }
    if statistics.days.isEmpty {
      return console.say(
        first == nil
          ? "Nothing has been listened to yet. Start something with: podcli play EPISODE"
          : "Nothing was listened to in that time. podcli stats shows all of it")
    }
    let page = StatisticsPage(width: console.width, paint: Paint(console), today: today)
    guard console.isOutputTerminal else { return console.write(StatisticsPage.tabSeparated(statistics)) }
    Pager.show(page.rendered(statistics), console)
  }
}
