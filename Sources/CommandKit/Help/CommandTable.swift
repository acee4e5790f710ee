extension Program {
  /// The visible commands as a table in Markdown; a test compares the README with it.
  package var commandTable: String {
    let rows = topics.flatMap { topic in
      topic.commands.filter { !$0.isHidden }.enumerated().map { index, command in
        let names = command.subcommands.filter { !$0.isHidden }.map(\.name)
        let words = names.isEmpty ? command.arguments.map(\.usage) : [names.joined(separator: "/")]
        let call = ([command.name] + words).joined(separator: " ")
        return "| \(index == 0 ? topic.title : "") | `\(call)` | \(command.summary) |\n"
      }
    }
    return "| | command | what it does |\n|---|---|---|\n" + rows.joined()
  }
}
