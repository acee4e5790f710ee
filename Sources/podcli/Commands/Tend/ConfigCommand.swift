import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

enum ConfigCommand {
  private static let podcast = Option("podcast", value: "PODCAST", kind: .dynamic("podcast"), help: "as it holds there")
  private static let key = Argument("KEY", kind: .settingName, help: "which setting")
  private static let keys = Arguments("KEY", kind: .settingName, help: "which settings")
  private static let assignments = Arguments(
    "KEY=VALUE", kind: .assignment(completion: "setting"), help: "what to set; `key=` unsets")

  static let entry = CommandEntry(
    command: Command(
      "config", synonyms: ["settings", "preferences"], summary: "set how podcli works, for all podcasts",
      discussion: """
        What is set for one podcast with `podcli set`, or said on the command line, goes before. The file is yours to \
        edit: `podcli config path` tells where it is.
        """,
      examples: [
        Example("podcli config", "every setting, its value, and where that comes from"),
        Example("podcli config set speed=1.4 trim=mild", "a little faster, for all podcasts"),
      ],
      subcommands: [
        Command(
          "list", summary: "every setting, its value, and where that comes from", options: [podcast],
          examples: [Example("podcli config list --podcast daily", "what holds for one podcast")]),
        Command(
          "get", summary: "one value", arguments: [key], options: [podcast],
          examples: [Example("podcli config get speed", "for a script")]),
        Command(
          "set", summary: "set values", arguments: [assignments],
          examples: [Example("podcli config set resume=never", "always play from the start")]),
        Command(
          "unset", summary: "go back to what is built in", arguments: [keys],
          examples: [Example("podcli config unset speed trim", "as it came")]),
        Command("path", summary: "where the file is", examples: [Example("podcli config path", "to edit it")]),
      ], defaultSubcommand: "list")
  ) { invocation, context throws(Failure) in
    switch invocation.path.last {
    case "get": try await get(invocation, context)
    case "set": try set(invocation[assignments], context)
    case "unset": try unset(invocation[keys], context)
    case "path": showPath(context)
    default: try await list(invocation, context)
    }
  }

  private static func get(_ invocation: Invocation, _ context: Context) async throws(Failure) {
    let rows = try await rows(invocation[podcast], context)
    guard let row = rows.first(where: { $0.key.name == invocation[key] }) else { return }
    if context.console.isJSON { context.printJSON(row.json) } else { context.console.write(row.cleanValue + "\n") }
  }

  private static func list(_ invocation: Invocation, _ context: Context) async throws(Failure) {
    SettingRow.listing.print(try await rows(invocation[podcast], context), context)
  }

  private static func rows(_ podcast: String?, _ context: Context) async throws(Failure) -> [SettingRow] {
    let config = try context.configFile()
    guard let podcast else { return SettingRow.all(Settings(config: config)) }
    return try await context.withStore(.readOnly) { store in
      let podcast = try await context.podcast(podcast, in: store)
      return SettingRow.all(Settings(podcast: try await store.settings(of: podcast.id), config: config))
    }
  }

  private static func unset(_ keys: [String], _ context: Context) throws(Failure) {
    var assignments: [SettingAssignment] = []
    for key in keys {
      do throws(SettingError) {
        assignments.append(try SettingAssignment(key: key, value: ""))
      } catch {
        throw Failure(error)
      }
    }
    try set(assignments, context)
  }

  private static func set(_ assignments: [SettingAssignment], _ context: Context) throws(Failure) {
    let former: [String: String]
    do throws(ConfigFile.Mistake) {
      former = try context.live.config.values()
      try context.live.config.set(assignments)
    } catch {
      throw Failure(error, in: context.live.config.path)
    }
    let rows = rows(assignments, try context.configFile())
    if context.console.isJSON { return context.printJSON(.array(rows.map(\.json))) }
    for (row, before) in zip(rows, self.rows(assignments, former)) {
      let change =
        row.value == before.value ? "" : " (it was \(before.cleanValue.isEmpty ? "unset" : before.cleanValue))"
      let value = row.cleanValue.isEmpty ? " is unset" : " = " + row.cleanValue
      context.console.say(row.key.name + value + change)
    }
  }

  private static func rows(_ assignments: [SettingAssignment], _ config: [String: String]) -> [SettingRow] {
    SettingRow.all(Settings(config: config)).filter { row in assignments.contains { $0.key == row.key.name } }
  }

  private static func showPath(_ context: Context) {
    let path = context.live.config.path
    if context.console.isJSON { return context.printJSON(["path": JSON(path)]) }
    // Blanks are part of a path, and stay as they are.
    let isUnsafe = path.unicodeScalars.contains(where: \.isUnsafeToShow)
    context.console.write((isUnsafe ? CleanText.line(path, limit: .max) : path) + "\n")
  }
}

/// A setting, its value, and the origin of the value.
struct SettingRow {
  var key: SettingDeclaration
  var value: String
  var origin: Settings.Origin

  static func all(_ settings: Settings) -> [SettingRow] {
    SettingKeys.all.map { key in
      let (value, origin) = settings.value(of: key)
      return SettingRow(key: key, value: shown(value, of: key), origin: origin)
    }
  }

  /// Hides the value of a secret.
  private static func shown(_ value: String, of key: SettingDeclaration) -> String {
    key.isSecret && !value.isEmpty ? "(set)" : value
  }

  /// The value as a terminal may show it.
  var cleanValue: String { CleanText.line(value, limit: .max) }

  static var choices: [Choice] { SettingKeys.all.map { Choice($0.name, $0.help) } }

  var json: JSON {
    ["key": JSON(key.name), "value": JSON(value), "origin": JSON(origin.rawValue), "help": JSON(key.help)]
  }

  static var listing: Listing<SettingRow> {
    Listing(
      columns: [
        Column(limit: 22) { $0.key.name }, Column(limit: 16) { $0.value },
        Column(limit: 11, from: 60) { $0.origin.rawValue },
        Column(from: 60) { $0.key.help },
      ], json: \.json, emptyText: "")
  }
}

extension ValueKind where Value == String {
  /// The name of a setting.
  fileprivate static var settingName: Self {
    ValueKind(completion: .words(SettingRow.choices)) { text throws(BadValue) in
      if SettingKeys.all.contains(where: { $0.name == text }) { return text }
      throw BadValue("there is no setting '\(text)'")
    }
  }
}
