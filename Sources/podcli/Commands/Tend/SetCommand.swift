import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

enum SetCommand {
  private static let podcast = Argument("PODCAST", kind: .dynamic("podcast"), help: "for which one")
  private static let assignments = Arguments(
    "KEY=VALUE", kind: .assignment(completion: "podcast-setting"), orNone: true, help: "what to set; `key=` unsets")

  static let entry = CommandEntry(
    command: Command(
      "set", summary: "set how one podcast is played and kept",
      discussion: "Without KEY=VALUE it shows what is set. `podcli config list` explains the keys.",
      arguments: [podcast, assignments],
      examples: [
        Example("podcli set daily speed=1.4 skip-intro=30s", "two settings"),
        Example("podcli set daily speed=", "as for all others again"),
        Example("podcli set daily", "what is set"),
      ])
  ) { invocation, context throws(Failure) in
    let assignments = invocation[assignments]
    let config = try context.config()
    try check(assignments)
    try await context.withStore(assignments.isEmpty ? .readOnly : .readWrite) { store in
      let podcast = try await context.podcast(invocation[podcast], in: store)
      if !assignments.isEmpty {
        let values = Dictionary(assignments.map { ($0.key, $0.value) }) { _, last in last }
        try await store.set(values, of: podcast.id)
      }
      let settings = Settings(podcast: try await store.settings(of: podcast.id), config: config)
      show(settings, of: podcast, changed: assignments.map(\.key), context)
    }
  }

  private static func check(_ assignments: [SettingAssignment]) throws(Failure) {
    let perPodcast = SettingKeys.all.filter { $0.scope == .podcast }.map(\.name)
    if let global = assignments.first(where: { !perPodcast.contains($0.key) }) {
      throw Failure(SettingError.notPerPodcast(global.key))
    }
  }

  private static func show(_ settings: Settings, of podcast: PodcastEntry, changed: [String], _ context: Context) {
    let rows = SettingRow.all(settings).filter { $0.key.scope == .podcast }
    if changed.isEmpty || context.console.isJSON { return SettingRow.listing.print(rows, context) }
    for row in rows where changed.contains(row.key.name) {
      context.console.say("\(CleanText.line(podcast.title)): \(row.key.name) = \(row.cleanValue)")
    }
  }
}
