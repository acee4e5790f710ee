extension Program {
  /// The visible commands as a table in Markdown, for a README that a test holds against it.
  package var commandTable: String {
    let rows = topics.flatMap { topic in
      topic.commands.filter { !$0.isHidden }.enumerated().map { index, command in
        let call = ([command.name] + command.arguments.map(\.usage)).joined(separator: " ")
        return "| \(index == 0 ? topic.title : "") | `\(call)` | \(command.summary) |\n"
      }
    }
    return "| | command | what it does |\n|---|---|---|\n" + rows.joined()
  }
}
