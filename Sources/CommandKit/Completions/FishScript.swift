/// The completion script for fish.
func fishScript(_ table: CompletionTable) -> String {
  let valued = table.nodes.flatMap { node in node.options.valued.map { "\(node.name) \($0)" } }
  return table.filled(
    fishTemplate,
    [
      ("@GLOBALS@", fishList(table.globalOptions.valued)), ("@VALUED@", fishList(valued)),
      ("@MOVES@", fishMoves(table)), ("@LINES@", fishLines(table, "__" + table.identifier)),
    ])
}

private func fishMoves(_ table: CompletionTable) -> String {
  table.nodes.flatMap { node in
    node.subcommands.map { command in
      let spellings = ([command.name] + command.aliases).map { "'\(node.name) \($0)'" }
      let target = [node.name, command.name].filter { !$0.isEmpty }.joined(separator: " ")
      return "                case \(spellings.joined(separator: " "))\n                    set place '\(target)'"
    }
  }.joined(separator: "\n")
}

private func fishLines(_ table: CompletionTable, _ name: String) -> String {
  var lines = table.offeredGlobalOptions.map { fishOption($0, table, name, at: nil) }
  for node in table.nodes {
    let here = "-n \"\(name)_at '\(node.name)'\""
    lines += node.offeredCommands.map { command in
      "complete -c \(table.program) \(here) -a \(command.name) -d \(fishQuoted(plain(command.summary)))"
    }
    lines += node.offeredOptions.map { fishOption($0, table, name, at: here) }
    lines += node.arguments.numbered.compactMap { argument, from in
      guard let offer = fishOffer(argument.kind.completion, table, name) else { return nil }
      let rest = argument.repeats ? " on" : ""
      return "complete -c \(table.program) -n \"\(name)_argument '\(node.name)' \(from)\(rest)\" \(offer)"
    }
  }
  return lines.joined(separator: "\n")
}

private func fishOption(_ option: OptionDeclaration, _ table: CompletionTable, _ name: String, at condition: String?)
  -> String
{
  var words = ["complete -c \(table.program)"]
  if let condition { words.append(condition) }
  if let short = option.short { words.append("-s \(short)") }
  words.append("-l \(option.name)")
  if option.takesNextWord { words.append("-r " + (fishOffer(option.kind.completion, table, name) ?? "-f")) }
  return (words + ["-d \(fishQuoted(option.plainHelp))"]).joined(separator: " ")
}

private func fishOffer(_ completion: Completion, _ table: CompletionTable, _ name: String) -> String? {
  switch completion {
  case .none: nil
  case .file: "-F"
  case .directory: "-f -a \"(__fish_complete_directories (\(name)_value))\""
  case .words(let choices): "-f -a \(fishChoices(choices))"
  case .list(let choices): "-f -a \"(\(name)_list \(choices.map(\.word).joined(separator: " ")))\""
  case .subject: "-f -a \(fishChoices(table.subjects))"
  case .dynamic(let kind): "-f -k -a \"(\(name)_ask \(kind))\""
  }
}

/// Prints one word a line, with its meaning behind a tab.
private func fishChoices(_ choices: [Choice]) -> String {
  if choices.allSatisfy(\.help.isEmpty) { return fishQuoted(choices.map(\.word).joined(separator: " ")) }
  let lines = choices.map { fishQuoted("\($0.word)\t\(plain($0.help))") }
  return fishQuoted("(printf '%s\\n' \(lines.joined(separator: " ")))")
}

private func fishQuoted(_ text: String) -> String {
  "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
}

private func fishList(_ words: [String]) -> String { words.map(fishQuoted).joined(separator: " ") }

extension [OptionDeclaration] {
  fileprivate var valued: [String] { filter(\.takesNextWord).flatMap(\.spellings) }
}

/// Each `complete` line has a condition: the part of a command line where its option is offered.
private let fishTemplate = #"""
  # fish completion for @PROGRAM@

  # Does the option $argv[2] of the command $argv[1] take a value?
  function _@NAME@_takes_value
      contains -- $argv[2] @GLOBALS@
      or contains -- "$argv" @VALUED@
  end

  # Prints the command that the line before the cursor names, and how many arguments it has.
  function _@NAME@_state
      set -l place ''
      set -l count 0
      set -l wanted no
      set -l plain no
      set -l words (commandline -opc)
      set -e words[1]
      for word in $words
          if test $wanted = yes
              set wanted no
          else if test $plain = no; and test "$word" = --
              set plain yes
          else if test $plain = no; and string match -qr -- '^--' $word
              _@NAME@_takes_value "$place" $word; and set wanted yes
          else if test $plain = no; and string match -qr -- '^-[^0-9.]' $word
              # Flags may be joined; what follows a letter that takes a value is that value.
              set -l letters (string split '' -- (string sub -s 2 -- $word))
              for index in (seq (count $letters))
                  if _@NAME@_takes_value "$place" -$letters[$index]
                      test $index = (count $letters); and set wanted yes
                      break
                  end
              end
          else
              switch "$place $word"
  @MOVES@
                  case '*'
                      set count (math $count + 1)
              end
          end
      end
      echo "$place"
      echo $count
  end

  function _@NAME@_at
      set -l state (_@NAME@_state)
      test "$state[1]" = "$argv[1]"
  end

  # Is argument number $argv[2] of the command $argv[1] wanted, or with a third word any from there on?
  function _@NAME@_argument
      set -l state (_@NAME@_state)
      test "$state[1]" = "$argv[1]"; or return
      if set -q argv[3]
          test $state[2] -ge $argv[2]
      else
          test $state[2] -eq $argv[2]
      end
  end

  # The value under the cursor: without quotes, and without the option it is joined to.
  function _@NAME@_value
      set -l token (commandline -ct)
      # A quote may still be open.
      set -l value (string unescape -- $token; or string unescape -- $token\'; or string unescape -- $token\")
      string replace -r -- '^(--[^=]*=|-[^-0-9.])' '' "$value"
  end

  function _@NAME@_ask
      command @PROGRAM@ @CALL@ $argv[1] (_@NAME@_value) (commandline -opc)[2..-1] 2>/dev/null
  end

  # Words with commas between them: those that are there, followed by each of the rest.
  function _@NAME@_list
      set -l before (string match -r -- '^.*,' (_@NAME@_value))
      printf '%s\n' $before$argv
  end

  complete -c @PROGRAM@ -e
  complete -c @PROGRAM@ -f

  @LINES@

  """#
