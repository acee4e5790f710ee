extension Program {
  /// The visible commands as a table in Markdown, a row for each topic; a test compares the README with it.
  package var commandTable: String {
    let rows = topics.map { topic in
      let calls = topic.commands.filter { !$0.isHidden }.map { command in
        let names = command.subcommands.filter { !$0.isHidden }.map(\.name)
        let words = names.isEmpty ? command.arguments.map(\.usage) : [names.joined(separator: "/")]
        return "`" + ([command.name] + words).joined(separator: " ") + "`"
      }
      return "| \(topic.title) | \(calls.joined(separator: ", ")) |\n"
    }
    return "| | commands |\n|---|---|\n" + rows.joined()
  }
}
