/// The completion script for zsh.
func zshScript(_ table: CompletionTable) -> String {
  table.filled(
    zshTemplate, [("@FUNCTIONS@", table.nodes.map { zshFunction($0, table) }.joined(separator: "\n\n"))])
}

private func zshFunction(_ node: CompletionTable.Node, _ table: CompletionTable) -> String {
  let function = zshName(node.path, table)
  var specs = node.offeredOptions.map { zshOption($0, table) }
  specs += node.arguments.numbered.map { zshArgument($0.argument, table) }
  let isTop = node.path.isEmpty
  let globals = table.offeredGlobalOptions.map { zshOption($0, table) }
  let head =
    isTop
    ? "\(function)() {\n  local -a shared=(\n    \(globals.joined(separator: "\n    "))\n  )\n" : "\(function)() {\n"
  if node.subcommands.isEmpty {
    return head + "  _arguments -s -S \(([#""$shared[@]""#] + specs).joined(separator: " \\\n    "))\n}"
  }
  specs += [#"'1: :->command'"#, #"'*:: :->rest'"#]
  let offered = node.offeredCommands.map { zshQuoted("\($0.name):\(plain($0.summary))") }
  let branches = node.subcommands.map { command in
    "        \(([command.name] + command.aliases).joined(separator: "|"))) \(zshName(node.path + [command], table)) ;;"
  }
  return head + #"""
      local curcontext=$curcontext state line
      local -A opt_args
      local -a subcommands=(
        \#(offered.joined(separator: "\n    "))
      )
      # Options behind the command are the command's to take.
      _arguments -s -S -A '-*' -C \#(([#""$shared[@]""#] + specs).joined(separator: " \\\n    ")) && return
      case $state in
        command) _describe -t commands command subcommands ;;
        rest)
          case $line[1] in
    \#(branches.joined(separator: "\n"))
          esac ;;
      esac
    }
    """#
}

private func zshName(_ path: [Command], _ table: CompletionTable) -> String {
  "_" + ([table.identifier] + path.map(\.name)).joined(separator: "_")
}

private func zshOption(_ option: OptionDeclaration, _ table: CompletionTable) -> String {
  let help = "[\(zshEscaped(option.plainHelp))]"
  let placeholder = option.takesNextWord ? option.placeholder : nil
  let value = placeholder.map { ":\(zshEscaped($0)):\(zshAction(option.kind.completion, $0, table))" } ?? ""
  let others = option.repeats ? "*" : "(\(option.spellings.joined(separator: " ")))"
  return option.spellings.map { spelling in
    let joint = option.takesNextWord ? (spelling.hasPrefix("--") ? "=" : "+") : ""
    return zshQuoted("\(others)\(spelling)\(joint)\(help)\(value)")
  }.joined(separator: " ")
}

private func zshArgument(_ argument: ArgumentDeclaration, _ table: CompletionTable) -> String {
  let lead = argument.repeats ? "*:" : argument.isRequired ? ":" : "::"
  let label = argument.name
  // Without a guard, `_arguments` offers a label where an option could follow.
  let action =
    argument.kind.completion == .none
    ? "_guard \(zshLiteral("^-*")) \(zshLiteral(label))" : zshAction(argument.kind.completion, label, table)
  return zshQuoted("\(lead)\(zshEscaped(label)):\(action)")
}

/// A blank before the call keeps `_arguments` from adding words of its own to it.
private func zshAction(_ completion: Completion, _ label: String, _ table: CompletionTable) -> String {
  let name = "_" + table.identifier
  return switch completion {
  case .none: " "
  case .file: "_files"
  case .directory: "_path_files -/"
  case .words(let choices): " \(name)_offer \(zshLiteral(label)) \(zshChoices(choices))"
  case .list(let choices): "_values -s , \(zshLiteral(label)) \(choices.map(\.word).joined(separator: " "))"
  case .subject: " \(name)_offer \(zshLiteral(label)) \(zshChoices(table.subjects))"
  case .dynamic(let kind): " \(name)_ask \(kind)"
  }
}

private func zshChoices(_ choices: [Choice]) -> String {
  choices.map { choice in
    // An apostrophe would have to be quoted for three readers of the line, which not all of them undo.
    zshLiteral(choice.help.isEmpty ? choice.word : "\(choice.word):\(plain(choice.help).replacing("'", with: "’"))")
  }.joined(separator: " ")
}

/// A word inside an action, which `_arguments` splits at colons first and a shell evaluates then.
private func zshLiteral(_ text: String) -> String {
  zshEscaped(zshQuoted(text))
}

/// Colons, brackets and backslashes mean something in a specification.
private func zshEscaped(_ text: String) -> String {
  text.map { ":[]\\".contains($0) ? "\\\($0)" : String($0) }.joined()
}

private func zshQuoted(_ text: String) -> String {
  "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
}

/// Zsh's own `_arguments` gets one list of specifications for each command.
private let zshTemplate = #"""
  #compdef @PROGRAM@

  # Asks the program for values of kind $1, and keeps their order. Their case need not be that of what was typed,
  # nor their beginning. Some are beginnings themselves, such as podcast: and so end without a blank.
  @NAME@_ask() {
    local -a answers beginnings
    local -a matching=(-M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]} l:|=* r:|=*')
    local line value
    for line in "${(@f)$(command @PROGRAM@ @CALL@ "$1" "${(Q)PREFIX}" "${(@Q)${(z)LBUFFER}[2,-1]}" 2>/dev/null)}"; do
      [[ -n $line ]] || continue
      # A colon would end the value here.
      value=${${line%%$'\t'*}//(#m)[\\:]/\\$MATCH}
      if [[ $line == *$'\t'* ]]; then value+=:${line#*$'\t'}; fi
      if [[ ${line%%$'\t'*} == *[:=/\<] ]]; then beginnings+=("$value"); else answers+=("$value"); fi
    done
    _describe -V -t $1 $1 answers $matching -- beginnings $matching -S ''
  }

  # Offers words of kind $1, given as word:meaning.
  @NAME@_offer() {
    local -a choices=("${@:2}")
    _describe -t values $1 choices
  }

  @FUNCTIONS@

  if [[ $funcstack[1] == @NAME@ ]]; then
    @NAME@ "$@"
  else
    compdef @NAME@ @PROGRAM@
  fi

  """#
