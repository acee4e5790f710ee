extension Program {
  /// The whole program on one page, in roff (`man` macros).
  var manual: String {
    var page = RoffPage(title: name.uppercased(), section: 1, source: "\(name) \(version)")
    page.heading("NAME")
    page.add(.paragraph("\(name) - \(summary)"))
    page.heading("SYNOPSIS")
    page.add(.paragraph("`\(name)` COMMAND [options] [arguments]"))
    page.heading("DESCRIPTION")
    for block in paragraphs(discussion) { page.add(block) }
    addCommands(to: &page)
    page.heading("OPTIONS OF EVERY COMMAND")
    page.add(.definitions(definitions(of: options)))
    for section in sections {
      page.heading(section.title)
      for block in section.blocks { page.add(block) }
    }
    if !examples.isEmpty {
      page.heading("EXAMPLES")
      page.add(.examples(examples))
    }
    return page.text
  }

  private func addCommands(to page: inout RoffPage) {
    for topic in topics {
      let visible = topic.commands.filter { !$0.isHidden }
      if visible.isEmpty { continue }
      page.heading("COMMANDS: \(topic.title.uppercased())")
      for command in visible { add(command, after: [], to: &page) }
    }
  }

  private func add(_ command: Command, after path: [Command], to page: inout RoffPage) {
    let path = path + [command]
    page.subheading(usage(of: command, as: path.map(\.name).joined(separator: " ")))
    page.add(.paragraph(command.summary.sentence))
    for block in paragraphs(command.discussion) { page.add(block) }
    if !command.aliases.isEmpty {
      page.add(.paragraph("Also: " + command.aliases.map { "`\($0)`" }.joined(separator: ", ") + "."))
    }
    if let standIn = command.standIn { page.add(.paragraph("Alone it does `\(command.name) \(standIn.name)`.")) }
    let rows = definitions(of: command.arguments) + definitions(of: command.options)
    if !rows.isEmpty { page.add(.definitions(rows)) }
    if !command.examples.isEmpty { page.add(.examples(command.examples)) }
    for subcommand in command.subcommands where !subcommand.isHidden { add(subcommand, after: path, to: &page) }
  }
}

extension String {
  /// Makes a sentence of a summary, which is a fragment.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
