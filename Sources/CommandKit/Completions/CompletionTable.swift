extension Program {
  /// A script that teaches a shell to complete this program's command lines.
  func completionScript(for shell: Shell) -> String {
    let table = CompletionTable(of: self)
    return switch shell {
    case .bash: bashScript(table)
    case .zsh: zshScript(table)
    case .fish: fishScript(table)
    }
  }
}

/// What the three scripts have in common: every place a command line can be at, and what may follow there.
struct CompletionTable {
  /// A path of commands, the empty one being the program itself.
  struct Place {
    let path: [Command]
    /// All of them, since hidden ones and aliases are completed once they are typed.
    let subcommands: [Command]
    /// Without the program's own, which may follow everywhere.
    let options: [OptionDeclaration]
    let arguments: [ArgumentDeclaration]

    /// "queue add"
    var name: String { path.map(\.name).joined(separator: " ") }
    var offeredCommands: [Command] { subcommands.filter { !$0.isHidden } }
    var offeredOptions: [OptionDeclaration] { options.filter { !$0.isHidden } }
  }

  let program: String
  let places: [Place]
  let globalOptions: [OptionDeclaration]
  let subjects: [Choice]

  init(of program: Program) {
    self.program = program.name
    globalOptions = program.options
    subjects = program.subjects
    var places = [Place(path: [], subcommands: program.commands, options: [], arguments: [])]
    for command in program.commands { Self.add(command, after: [], of: program, to: &places) }
    self.places = places
  }

  private static func add(_ command: Command, after path: [Command], of program: Program, to places: inout [Place]) {
    let path = path + [command]
    places.append(
      Place(
        path: path, subcommands: command.subcommands, options: program.commandOptions(at: path),
        arguments: command.arguments))
    for subcommand in command.subcommands { add(subcommand, after: path, of: program, to: &places) }
  }

  var offeredGlobalOptions: [OptionDeclaration] { globalOptions.filter { !$0.isHidden } }

  /// The program's name where a script needs an identifier.
  var identifier: String { String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }
}

extension OptionDeclaration {
  /// `-n` and `--limit`.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [long] }
  var plainHelp: String { plain(help) }
}

extension [ArgumentDeclaration] {
  /// Each argument with the number of words that stand before it: `from...`, or `from` alone.
  /// Nothing behind a repeated argument can be told from it.
  var placed: [(argument: ArgumentDeclaration, from: Int)] {
    let end = firstIndex(where: \.repeats).map { $0 + 1 } ?? count
    return prefix(end).enumerated().map { ($1, $0) }
  }
}

/// Text without its backticks, on one line.
func plain(_ text: String) -> String {
  String(text.filter { $0 != "`" }.map { $0.isNewline ? " " : $0 })
}
