import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum HistoryCommand {
  private static let podcast = Option("podcast", value: "PODCAST", kind: .dynamic("podcast"), help: "only of this one")
  private static let number = Option<Int>(
    "number", short: "n", value: "N", kind: .integer(in: 1...1_000_000), help: "show the last N times")

  static let entry = CommandEntry(
    command: Command(
      "history", summary: "show what you listened to, the last first",
      discussion: """
        By day, one line for each time you listened. In a pipe: number, moment, podcast, title, where it began and \
        ended, and how long you listened, in seconds. FILTER words narrow it to some episodes.
        """,
      arguments: [FilterWords.argument], options: [podcast, number],
      examples: [
        Example("podcli history", "the last times"),
        Example("podcli history --podcast daily -n 5", "of one podcast"),
        Example("podcli history inprogress", "what was begun and not finished"),
        Example("podcli history --json | jq '[.[].listened] | add'", "seconds in all"),
      ])
  ) { invocation, context throws(Failure) in
    let limit = invocation[number] ?? (context.console.isOutputTerminal && !context.console.isJSON ? 50 : .max)
    let filter = try FilterWords.readUnsorted(invocation[FilterWords.argument], in: "the history")
    try await context.withLookup(filter) { store in
      if invocation[podcast] == nil, filter.conditions.isEmpty {
        return listing().print(try await store.history(limit: min(limit, filter.limit ?? .max)), context)
      }
      var found = try await store.history(limit: .max)
      let hasHeard = !found.isEmpty
      if let name = invocation[podcast] {
        let podcast = try await context.podcast(name, in: store).id
        found.removeAll { $0.entry.podcast.id != podcast }
      }
      found = try await found.matching(filter, in: store) { $0.entry.episode.id }
      let emptyText = hasHeard ? "Nothing that has been listened to matches." : nothingYet
      listing(whenEmpty: emptyText).print(Array(found.prefix(limit)), context)
    }
  }

  private static let nothingYet = "Nothing has been listened to yet. Start something with: podcli play EPISODE"

  private static func listing(whenEmpty emptyText: String = nothingYet) -> Listing<HistoryEntry> {
    let now = Timestamp.now
    return Listing(
      columns: [
        Column(limit: 10, isAlignedRight: true) { String($0.entry.episode.id.rawValue) },
        Column(limit: 5, full: { $0.session.startedAt.description }) { LocalTime.clock($0.session.startedAt) },
        Column(limit: 26, from: 60) { $0.entry.podcast.title },
        Column(full: { $0.entry.episode.title }) { $0.entry.distinctTitle },
        Column(limit: 20, isAlignedRight: true, from: 100, full: { seconds($0.session.startPosition) }) {
          ClockText.short($0.session.startPosition) + " – " + ClockText.short($0.session.endPosition)
        },
        .onlyInPipe { seconds($0.session.endPosition) },
        Column(limit: 12, isAlignedRight: true, full: { seconds($0.session.listened) }) {
          ClockText.words($0.session.listened)
        },
      ], json: json, emptyText: emptyText,
      heading: { LocalTime.heading($0.session.startedAt, now: now) })
  }

  private static func seconds(_ length: Duration) -> String { String(length.components.seconds) }

  private static func json(_ line: HistoryEntry) -> JSON {
    let session = line.session
    return [
      "episode": EpisodeJSON.document(line.entry), "startedAt": JSON(session.startedAt),
      "endedAt": JSON(session.endedAt), "from": EpisodeJSON.seconds(session.startPosition),
      "to": EpisodeJSON.seconds(session.endPosition), "listened": EpisodeJSON.seconds(session.listened),
      "savedBySpeed": EpisodeJSON.seconds(session.savedBySpeed),
      "savedByTrim": EpisodeJSON.seconds(session.savedByTrim),
    ]
  }
}
