extension Program {
  /// A page as text, ready to print.
  package func text(of page: Page, in style: TextStyle = TextStyle()) -> String {
    switch page {
    case .help(let path, let length): TextLayout.text(helpBlocks(path, length), in: style)
    case .section(let name): TextLayout.text(sectionBlocks(name), in: style)
    case .manual: manual
    case .commandTable: commandTable
    case .completions(let shell): completionScript(for: shell)
    case .version: "\(name) \(version)\n"
    }
  }

  func helpBlocks(_ path: [String], _ length: Page.Length) -> [Block] {
    guard let path = resolve(path), let command = path.last else { return overview(length) }
    return commandHelp(command, path, length)
  }

  private func sectionBlocks(_ name: String) -> [Block] {
    guard let section = sections.first(where: { $0.name == name }) else { return [] }
    return [.heading(section.title.capitalizedFirst)] + section.blocks
  }
}

// MARK: - The program

extension Program {
  private func overview(_ length: Page.Length) -> [Block] {
    var blocks: [Block] = [
      .heading("\(name): \(summary)"),
      .paragraph("`\(name)` COMMAND [options] [arguments]"),
    ]
    if length == .long { blocks += paragraphs(discussion) }
    for topic in topics {
      blocks += titled(topic.title, definitions(of: topic.commands))
    }
    blocks += titled("Options of every command", definitions(of: options))
    if length == .long {
      if !examples.isEmpty { blocks += [.heading("Examples"), .examples(examples)] }
      blocks += titled("More to read", sections.map { Definition("`\(name) help \($0.name)`", $0.summary) })
    }
    let more = length == .short ? "; `\(name) --help` says more" : ""
    return blocks + [.paragraph("`\(name) help COMMAND` explains a command\(more).")]
  }
}

// MARK: - A command

extension Program {
  private func commandHelp(_ command: Command, _ path: [Command], _ length: Page.Length) -> [Block] {
    let full = ([name] + path.map(\.name)).joined(separator: " ")
    var blocks: [Block] = [.heading("\(full): \(command.summary)"), .paragraph(usage(of: command, as: full))]
    if length == .long {
      blocks += paragraphs(command.discussion)
      if !command.aliases.isEmpty {
        blocks.append(.paragraph("Also: " + command.aliases.map { "`\($0)`" }.joined(separator: ", ")))
      }
    }
    blocks += titled("Commands", definitions(of: command.subcommands, standIn: command.defaultSubcommand))
    blocks += titled("Arguments", definitions(of: command.arguments))
    blocks += titled("Options", definitions(of: commandOptions(at: path)))
    if length == .long {
      if !command.examples.isEmpty { blocks += [.heading("Examples"), .examples(command.examples)] }
      return blocks + titled("Options of every command", definitions(of: options))
    }
    return blocks + [.paragraph("`\(full) --help` says more.")]
  }

  func usage(of command: Command, as line: String) -> String {
    var words = ["`\(line)`"]
    if !command.subcommands.isEmpty { words.append(command.standIn == nil ? "COMMAND" : "[COMMAND]") }
    if !command.options.isEmpty || command.standIn?.options.isEmpty == false { words.append("[options]") }
    words += command.arguments.map(\.usage)
    return words.joined(separator: " ")
  }

  func titled(_ title: String, _ definitions: [Definition]) -> [Block] {
    definitions.isEmpty ? [] : [.heading(title), .definitions(definitions)]
  }
}

// MARK: - Rows

func definitions(of commands: [Command], standIn: String? = nil) -> [Definition] {
  commands.filter { !$0.isHidden }.map { command in
    let term = [Span(command.name, .literal)] + command.arguments.flatMap { [Span(" "), Span($0.usage, .placeholder)] }
    let note = command.name == standIn ? " (when none is named)" : ""
    return Definition(term: term, meaning: spans(command.summary + note))
  }
}

func definitions(of arguments: [ArgumentDeclaration]) -> [Definition] {
  arguments.map { argument in
    Definition(
      term: [Span(argument.usage, .placeholder)],
      meaning: spans(argument.help + choiceNote(argument.kind, unlessIn: argument.name)))
  }
}

func definitions(of options: [OptionDeclaration]) -> [Definition] {
  let visible = options.filter { !$0.isHidden }
  // Long names line up only where some option has a short one to stand before them.
  let pad = visible.contains { $0.short != nil } ? "    " : ""
  return visible.map { option in
    var term = option.short.map { [Span("-\($0)", .literal), Span(", ")] } ?? (pad.isEmpty ? [] : [Span(pad)])
    term.append(Span(option.long, .literal))
    if let placeholder = option.placeholder {
      let isOptional = option.implied != nil
      term += [Span(isOptional ? "[=" : " "), Span(placeholder, .placeholder)] + (isOptional ? [Span("]")] : [])
    }
    let note = choiceNote(option.kind, unlessIn: option.placeholder ?? "")
    return Definition(term: term, meaning: spans(option.help + note + (option.repeats ? " (may be repeated)" : "")))
  }
}

/// ": auto, always or never", unless the placeholder already says so.
private func choiceNote(_ kind: ValueKind<any Sendable>, unlessIn placeholder: String) -> String {
  let words = kind.completion.choices.map(\.word)
  if words.isEmpty || words.allSatisfy(pieces(of: placeholder, at: "|").contains) { return "" }
  let conjunction = if case .list = kind.completion { "and" } else { "or" }
  return ": " + listing(words.map { "`\($0)`" }, with: conjunction)
}

extension String {
  /// A heading in capitals reads better as a word on a help page.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
