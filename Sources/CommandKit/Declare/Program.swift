/// A program: its commands by topic, the options of all commands, and the sections of its manual.
package struct Program: Sendable {
  let name: String
  /// The version, without the name.
  package let version: String
  let summary: String
  let discussion: String
  let topics: [Topic]
  /// Options that every command takes, before or after its name; `--help` and `--version` are always among them.
  let options: [OptionDeclaration]
  /// Command lines of the overview, to copy.
  package let examples: [Example]
  /// Sections of the manual beside the commands; each is also a page of `help`.
  package var sections: [ManualSection] { makeSections() }
  /// Made on first use: a command that plays or lists does not need the manual.
  private let makeSections: @Sendable () -> [ManualSection]
  private let find: @Sendable (String) -> Command?

  /// Declares a program. `--help` and `--version` are added to its options. `find` makes the command of a name without
  /// making all others, as every start of the program would.
  package init(
    _ name: String, version: String, summary: String, discussion: String = "", topics: [Topic],
    options: [any OptionKey] = [], examples: [Example] = [],
    find: @escaping @Sendable (String) -> Command? = { _ in nil },
    sections: @autoclosure @escaping @Sendable () -> [ManualSection] = []
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.discussion = discussion
    self.topics = topics
    self.options = options.map(\.declaration) + [Self.help.declaration, Self.versionFlag.declaration]
    self.examples = examples
    self.find = find
    makeSections = sections
  }

  /// The commands of all topics.
  package var commands: [Command] { topics.flatMap(\.commands) }

  /// The commands of which one may have this name.
  func commands(near name: String) -> [Command] { find(name).map { [$0] } ?? commands }

  static let help = Flag("help", short: "h", help: "explain the command (`-h`: in brief)")
  static let versionFlag = Flag("version", help: "say which version this is")

  /// The commands along a path of names (or aliases); nil where a name leads nowhere.
  func resolve(_ path: some Sequence<String>) -> [Command]? {
    var found: [Command] = []
    for name in path {
      let choices = found.last?.subcommands ?? commands(near: name)
      guard let next = choices.first(where: { $0.answers(to: name) }) else { return nil }
      found.append(next)
    }
    return found
  }

  /// The subjects that `help` can explain: visible commands and the manual's sections.
  var subjects: [Choice] {
    commands.filter { !$0.isHidden }.map { Choice($0.name, $0.summary) }
      + sections.map { Choice($0.name, $0.summary) }
  }

  /// The options that hold at the end of a path: the program's, those of each command on the way, and of the
  /// subcommand that stands in at its end.
  func options(at path: [Command]) -> [OptionDeclaration] {
    options + commandOptions(at: path)
  }

  func commandOptions(at path: [Command]) -> [OptionDeclaration] {
    path.flatMap(\.options) + (path.last?.standIn?.options ?? [])
  }
}

/// Commands that belong together, under one heading of the overview.
package struct Topic: Sendable {
  let title: String
  var commands: [Command] { makeCommands() }
  private let makeCommands: @Sendable () -> [Command]

  /// Declares a topic, whose commands are made on use.
  package init(_ title: String, _ commands: @escaping @autoclosure @Sendable () -> [Command]) {
    self.title = title
    makeCommands = commands
  }
}

/// A part of the manual given as data. `help NAME` shows it too.
package struct ManualSection: Sendable {
  let name: String
  let title: String
  let summary: String
  /// The contents.
  package var blocks: [Block] { makeBlocks() }
  /// Made on use: the list of sections needs none of them.
  private let makeBlocks: @Sendable () -> [Block]

  /// Declares a section.
  ///
  /// - Parameters:
  ///   - name: one lower-case word for `help`: "filters".
  ///   - title: the heading in the manual; the name in capitals when absent.
  package init(
    _ name: String, title: String? = nil, summary: String, _ blocks: @escaping @autoclosure @Sendable () -> [Block]
  ) {
    self.name = name
    self.title = title ?? name.uppercased()
    self.summary = summary
    makeBlocks = blocks
  }
}
