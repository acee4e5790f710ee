/// How to declare a command: name its options and arguments once, as typed keys, and list them in a `Command`.
///
///     enum Play {
///       static let resume = Flag("resume", help: "continue where you stopped")
///       static let speed = Option("speed", value: "X", kind: .decimal(in: 0.25...4), help: "play X times as fast")
///       static let episode = Argument("EPISODE", kind: .dynamic("episode"), help: "what to play")
///       static let command = Command(
///         "play", summary: "play an episode", arguments: [episode], options: [resume, speed],
///         examples: [Example("podcli play daily --speed 1.4", "the newest one, a little faster")])
///     }
///
/// Put the command under a `Topic` of the `Program`. `program.parse(arguments)` then answers a `Request`; in its
/// `Invocation`, `invocation[Play.resume]` is a `Bool`, `invocation[Play.speed]` a `Double?` and
/// `invocation[Play.episode]` a `String`. Help, the manual page and the completions follow from the same lines.
package struct Command: Sendable {
  /// The name on the command line.
  package let name: String
  /// Other names of the command. Help mentions them, completions do not offer them.
  let aliases: [String]
  /// Wrong names that lead to "did you mean".
  let synonyms: [String]
  /// A line fragment in the imperative: "play an episode".
  let summary: String
  /// Paragraphs, parted by an empty line; `` `literal` `` words stand between backticks.
  let discussion: String
  let arguments: [ArgumentDeclaration]
  let options: [OptionDeclaration]
  /// Command lines to copy.
  package let examples: [Example]
  /// Commands below this one, such as `queue add`.
  package let subcommands: [Command]
  /// The subcommand that runs when none is named: `queue` alone does `queue list`.
  let defaultSubcommand: String?
  let isHidden: Bool

  /// Declares a command. Keys are typed; the rest of the kit sees their declarations.
  package init(
    _ name: String, aliases: [String] = [], synonyms: [String] = [], summary: String, discussion: String = "",
    arguments: [any ArgumentKey] = [], options: [any OptionKey] = [], examples: [Example] = [],
    subcommands: [Command] = [], defaultSubcommand: String? = nil, isHidden: Bool = false
  ) {
    self.name = name
    self.aliases = aliases
    self.synonyms = synonyms
    self.summary = summary
    self.discussion = discussion
    self.arguments = arguments.map(\.declaration)
    self.options = options.map(\.declaration)
    self.examples = examples
    self.subcommands = subcommands
    self.defaultSubcommand = defaultSubcommand
    self.isHidden = isHidden
  }

  func answers(to word: String) -> Bool { name == word || aliases.contains(word) }

  /// The subcommand that stands in when none is named.
  var standIn: Command? {
    defaultSubcommand.flatMap { name in subcommands.first { $0.name == name } }
  }
}

/// A command line to copy, with its explanation.
package struct Example: Sendable {
  /// The line, as a shell takes it.
  package let line: String
  let explanation: String

  /// Declares an example.
  package init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
