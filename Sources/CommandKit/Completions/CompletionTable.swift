/// The shells that a completion script can be made for.
package enum Shell: String, Sendable, CaseIterable {
  case bash, zsh, fish
}

extension Program {
  /// The scripts call `PROGRAM __complete KIND PREFIX WORD…`, the words being those of the line so far. It is not a
  /// declared command: the prefix is taken as it is, dashes included.
  static let completionCall = "__complete"

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

/// The table that the three scripts are made from: the tree of commands, and the words that may follow each node.
struct CompletionTable {
  /// A node of the tree, as the path of commands to it; the empty path is the program itself.
  struct Node {
    let path: [Command]
    /// Hidden ones too: they are completed once they are typed.
    let subcommands: [Command]
    /// Without the program's own options, which may follow every node.
    let options: [OptionDeclaration]
    let arguments: [ArgumentDeclaration]

    /// "queue add"
    var name: String { path.map(\.name).joined(separator: " ") }
    var offeredCommands: [Command] { subcommands.filter { !$0.isHidden } }
    var offeredOptions: [OptionDeclaration] { options.filter { !$0.isHidden } }
  }

  let program: String
  let nodes: [Node]
  let globalOptions: [OptionDeclaration]
  let subjects: [Choice]

  init(of program: Program) {
    self.program = program.name
    globalOptions = program.options
    subjects = program.subjects
    var nodes = [Node(path: [], subcommands: program.commands, options: [], arguments: [])]
    for command in program.commands { Self.add(command, after: [], of: program, to: &nodes) }
    self.nodes = nodes
  }

  private static func add(_ command: Command, after path: [Command], of program: Program, to nodes: inout [Node]) {
    let path = path + [command]
    nodes.append(
      Node(
        path: path, subcommands: command.subcommands, options: program.commandOptions(at: path),
        arguments: command.arguments))
    for subcommand in command.subcommands { add(subcommand, after: path, of: program, to: &nodes) }
  }

  var offeredGlobalOptions: [OptionDeclaration] { globalOptions.filter { !$0.isHidden } }

  /// The program's name where a script needs an identifier.
  var identifier: String { String(program.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }

  /// Replaces the tokens of a script's template by their texts, after `@NAME@`, `@PROGRAM@` and `@CALL@`.
  func filled(_ template: String, _ texts: [(token: String, text: String)]) -> String {
    let common = [("@NAME@", "_" + identifier), ("@PROGRAM@", program), ("@CALL@", Program.completionCall)]
    return (common + texts).reduce(template) { $0.replacing($1.0, with: $1.1) }
  }
}

extension OptionDeclaration {
  var plainHelp: String { plain(help) }
}

extension [ArgumentDeclaration] {
  /// Each argument with the number of words before it: `from...` where it repeats, else `from` alone. Arguments behind a
  /// repeated one are left out, as no word can be told to be theirs.
  var numbered: [(argument: ArgumentDeclaration, from: Int)] {
    let end = firstIndex(where: \.repeats).map { $0 + 1 } ?? count
    return prefix(end).enumerated().map { ($1, $0) }
  }
}

/// Text without its backticks, on one line.
func plain(_ text: String) -> String {
  String(text.filter { $0 != "`" }.map { $0.isNewline ? " " : $0 })
}
