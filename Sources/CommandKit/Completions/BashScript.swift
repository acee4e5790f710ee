/// The completion script for bash.
func bashScript(_ table: CompletionTable) -> String {
  table.filled(
    bashTemplate,
    [
      ("@MOVES@", bashMoves(table)), ("@VALUES@", bashValues(table)), ("@ARGUMENTS@", bashArguments(table)),
      ("@GLOBALS@", bashWords(table.offeredGlobalOptions.flatMap(\.spellings))), ("@OPTIONS@", bashOptions(table)),
    ])
}

private func bashMoves(_ table: CompletionTable) -> String {
  lines(of: table.nodes) { node in
    node.subcommands.map { command in
      let spellings = ([command.name] + command.aliases).map { "'\(node.name) \($0)'" }
      return
        "\(spellings.joined(separator: " | "))) place='\(([node.name, command.name].filter { !$0.isEmpty }).joined(separator: " "))' ;;"
    }
  }
}

private func bashValues(_ table: CompletionTable) -> String {
  func rows(_ options: [OptionDeclaration], pattern: (String) -> String) -> [String] {
    options.filter(\.takesNextWord).map { option in
      "\(option.spellings.map(pattern).joined(separator: " | "))) kind='\(bashKind(option.kind.completion, table))' ;;"
    }
  }
  let own = lines(of: table.nodes) { node in rows(node.options) { "'\(node.name) \($0)'" } }
  let global = rows(table.globalOptions) { "*' \($0)'" }.map(indented)
  return ([own].filter { !$0.isEmpty } + global).joined(separator: "\n")
}

private func bashArguments(_ table: CompletionTable) -> String {
  lines(of: table.nodes) { node in
    if !node.subcommands.isEmpty {
      return ["'\(node.name):'*) kind='words \(bashWords(node.offeredCommands.map(\.name)))' ;;"]
    }
    return node.arguments.numbered.map { argument, from in
      let pattern = argument.repeats ? "'\(node.name):'*" : "'\(node.name):\(from)'"
      return "\(pattern)) kind='\(bashKind(argument.kind.completion, table))' ;;"
    }
  }
}

private func bashOptions(_ table: CompletionTable) -> String {
  lines(of: table.nodes) { node in
    let spellings = node.offeredOptions.flatMap(\.spellings)
    return spellings.isEmpty ? [] : ["'\(node.name)') kind+=' \(bashWords(spellings))' ;;"]
  }
}

private func bashKind(_ completion: Completion, _ table: CompletionTable) -> String {
  switch completion {
  case .none: "none"
  case .file: "file"
  case .directory: "directory"
  case .words(let choices): "words " + bashWords(choices.map(\.word))
  case .list(let choices): "list " + bashWords(choices.map(\.word))
  case .subject: "words " + bashWords(table.subjects.map(\.word))
  case .dynamic(let kind): "ask " + kind
  }
}

private func bashWords(_ words: [String]) -> String { words.joined(separator: " ") }

private func lines(of nodes: [CompletionTable.Node], _ rows: (CompletionTable.Node) -> [String]) -> String {
  nodes.flatMap(rows).map(indented).joined(separator: "\n")
}

private func indented(_ line: String) -> String { "    " + line }

/// Bash hands over words that it has split at `:`, `=`, `@` and more, with their quotes. So the script splits the line
/// itself, and gives back only the part behind the last such break, quoted as the line is at the cursor.
private let bashTemplate = #"""
  # bash completion for @PROGRAM@

  # Splits the line before the cursor. Sets words (without quotes, the last one under the cursor),
  # quote (the one that is open) and kept (how much of the last word stands before what bash replaces).
  @NAME@_split() {
    local line=$1 word='' char='' started='' outside=0 i
    words=() quote='' kept=0
    for (( i = 0; i < ${#line}; i++ )); do
      char=${line:i:1}
      if [[ $quote == "'" ]]; then
        if [[ $char == "'" ]]; then quote='' kept=$outside; else word+=$char; fi
      elif [[ $char == \\ ]]; then
        (( ++i ))
        # Between double quotes a backslash protects few characters, and stands for itself before the others.
        [[ $quote == '"' && ${line:i:1} != [\$\`\"\\] ]] && word+=\\
        word+=${line:i:1} started=1
      elif [[ $quote == '"' ]]; then
        if [[ $char == '"' ]]; then quote='' kept=$outside; else word+=$char; fi
      elif [[ $char == [\'\"] ]]; then
        quote=$char outside=$kept kept=${#word} started=1
      elif [[ $char == [[:blank:]] ]]; then
        if [[ -n $word$started ]]; then words+=("$word"); fi
        word='' started='' kept=0
      else
        # An @ is a break, but bash replaces it, too.
        if [[ $char == @ && $COMP_WORDBREAKS == *@* ]]; then kept=${#word}; fi
        word+=$char started=1
        if [[ $char != @ && $COMP_WORDBREAKS == *"$char"* ]]; then kept=${#word}; fi
      fi
    done
    words+=("$word")
  }

  # Moves to the command that word $1 names at this place.
  @NAME@_enter() {
    case "$place $1" in
  @MOVES@
      *) return 1 ;;
    esac
  }

  # Sets kind to what the value of option $1 may be; fails where the option takes none.
  @NAME@_value() {
    case "$place $1" in
  @VALUES@
      *) return 1 ;;
    esac
  }

  # Sets kind to what the next argument may be.
  @NAME@_argument() {
    case "$place:$count" in
  @ARGUMENTS@
      *) kind=none ;;
    esac
  }

  @NAME@_options() {
    kind='words @GLOBALS@'
    case $place in
  @OPTIONS@
    esac
  }

  # For a cluster of short options: sets option to the one that takes a value, and attached to what follows it.
  @NAME@_cluster() {
    local i
    for (( i = 1; i < ${#1}; i++ )); do
      option=-${1:i:1} attached=${1:i+1}
      if @NAME@_value "$option"; then return 0; fi
    done
    return 1
  }

  # Asks the program for values of kind $1 that begin like $2, in any case of letters. Sets found and notes.
  # What begins otherwise may replace what was typed only where nothing else could be meant.
  @NAME@_ask() {
    local -a lines=()
    local line value
    mapfile -t lines < <(command @PROGRAM@ @CALL@ "$1" "$2" "${words[@]:1}" 2>/dev/null)
    for line in "${lines[@]}"; do
      value=${line%%$'\t'*}
      if [[ ${value,,} == "${2,,}"* ]] || (( ${#lines[@]} == 1 )); then
        found+=("$value")
        if [[ $line == *$'\t'* ]]; then notes+=("${line#*$'\t'}"); else notes+=(''); fi
      fi
    done
    if [[ ${#found[@]} == 1 && ${found[0]} == *[:=/\<] ]]; then compopt -o nospace 2>/dev/null; fi
    compopt -o nosort 2>/dev/null
  }

  # Quotes text as the line is at the cursor.
  @NAME@_quote() {
    case $quote in
      \') text=${text//\'/\'\\\'\'} ;;
      \")
        text=${text//\\/\\\\} text=${text//\$/\\\$}
        text=${text//\`/\\\`} text=${text//\"/\\\"}
        # Within these quotes nothing keeps bash from taking the rest for an event of its history.
        text=${text//!/\"\\!\"} ;;
      # Of nothing that is left to insert, %q would make a pair of quotes.
      *) if [[ -n $text ]]; then printf -v text %q "$text"; text=${text//\\,/,}; fi ;;
    esac
  }

  # Puts notes beside candidates that are only shown: what is inserted is at most what all of them begin with.
  @NAME@_annotate() {
    local i width=0 text
    for text in "${COMPREPLY[@]}"; do
      if (( ${#text} > width )); then width=${#text}; fi
    done
    for i in "${!COMPREPLY[@]}"; do
      printf -v text '%*s' $(( width - ${#COMPREPLY[i]} )) ''
      text=${COMPREPLY[i]}$text${notes[i]:+  ${notes[i]}}
      COMPREPLY[i]=${text:0:${COLUMNS:-80}-1}
    done
    # One wider than half the screen keeps the list in one column.
    printf -v text '%*s' $(( ${COLUMNS:-80} / 2 + 1 )) ''
    text=${COMPREPLY[0]}$text
    COMPREPLY[0]=${text:0:${COLUMNS:-80}-1}
  }

  # Answers with what kind has to offer for value $2; $1 stands before it in the same word.
  @NAME@_offer() {
    local -a found=() notes=() choices=()
    local choice before='' text
    case $kind in
      file) compopt -o filenames 2>/dev/null; mapfile -t found < <(compgen -f -- "$2") ;;
      directory) compopt -o filenames 2>/dev/null; mapfile -t found < <(compgen -d -- "$2") ;;
      ask\ *) @NAME@_ask "${kind#ask }" "$2" ;;
      list\ *)
        compopt -o nospace 2>/dev/null
        if [[ $2 == *,* ]]; then before=${2%,*},; fi ;;
    esac
    if [[ $kind == words\ * || $kind == list\ * ]]; then
      read -ra choices <<< "${kind#* }"
      for choice in "${choices[@]}"; do
        if [[ $before$choice == "$2"* ]]; then found+=("$before$choice"); fi
      done
    fi
    for text in "${found[@]}"; do
      text=$1$text
      text=${text:kept}
      # File names are quoted by bash.
      if [[ $kind != file && $kind != directory ]]; then @NAME@_quote; fi
      COMPREPLY+=("$text")
    done
    # The three ways of asking for a list: ? ! and @.
    if (( ${#notes[@]} > 1 )) && [[ $COMP_TYPE == 63 || $COMP_TYPE == 33 || $COMP_TYPE == 64 ]]; then
      @NAME@_annotate
    fi
  }

  @NAME@() {
    local -a words
    local quote kept place='' count=0 kind='' option='' attached='' wanted='' plain='' word last
    local IFS=$' \t\n'
    COMPREPLY=()
    @NAME@_split "${COMP_LINE:0:COMP_POINT}"
    last=${words[-1]}
    for word in "${words[@]:1:${#words[@]}-2}"; do
      if [[ -n $wanted ]]; then
        wanted=''
      elif [[ -z $plain && $word == -- ]]; then
        plain=1
      elif [[ -z $plain && $word == --* ]]; then
        if @NAME@_value "$word"; then wanted=$word; fi
      elif [[ -z $plain && $word == -[!0-9.]* ]]; then
        if @NAME@_cluster "$word" && [[ -z $attached ]]; then wanted=$option; fi
      elif ! @NAME@_enter "$word"; then
        (( ++count ))
      fi
    done
    if [[ -n $wanted ]]; then
      @NAME@_value "$wanted"
      @NAME@_offer '' "$last"
    elif [[ -z $plain && $last == --*=* ]]; then
      if @NAME@_value "${last%%=*}"; then @NAME@_offer "${last%%=*}=" "${last#*=}"; fi
    elif [[ -z $plain && $last == -[!-0-9.]* ]] && @NAME@_cluster "$last"; then
      @NAME@_offer "${last:0:${#last}-${#attached}}" "$attached"
    elif [[ -z $plain && $last == -* && $last != -[0-9.]* ]]; then
      @NAME@_options
      @NAME@_offer '' "$last"
    else
      @NAME@_argument
      @NAME@_offer '' "$last"
    fi
  }

  complete -F @NAME@ @PROGRAM@

  """#
