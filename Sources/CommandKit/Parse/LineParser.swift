extension Program {
  /// Parses the words after the program's name. It runs no command, and reads no file or variable.
  package func parse(_ arguments: some Sequence<String>) throws(UsageError) -> Request {
    let words = Array(arguments)
    if let request = completionRequest(words) { return request }
    var parser = LineParser(program: self, words: words)
    do throws(UsageError) {
      return try parser.request()
    } catch {
      // `--help` beside a mistake shows the help, not the mistake; of a command that is not there is none.
      guard parser.asksForHelp, !parser.namesNoCommand else { throw error }
      return .show(.help(path: parser.path.map(\.name), .long))
    }
  }
}

/// Parses the words in one pass: options and arguments in any order, commands as they are named.
struct LineParser {
  private let program: Program
  private let words: [String]
  private var rest: ArraySlice<String>
  private(set) var path: [Command] = []
  private var arguments: [String] = []
  private var options: [OptionDeclaration] = []
  private var values: [GivenValue] = []
  private var given: [(option: String, word: String)] = []
  private var helpLength: Page.Length?
  /// A word stands where only a command may, and is none.
  private(set) var namesNoCommand = false

  init(program: Program, words: [String]) {
    self.program = program
    self.words = words
    rest = words[...]
  }

  private var wording: Wording { Wording(program: program.name, path: path) }

  var asksForHelp: Bool {
    helpLength != nil || words.prefix { $0 != "--" }.contains { $0 == "-h" || $0 == "--help" }
  }

  mutating func request() throws(UsageError) -> Request {
    while let word = rest.popFirst() { try take(word) }
    if let helpLength { return .show(.help(path: path.map(\.name), helpLength)) }
    if values.contains(where: { $0.name == Program.versionFlag.declaration.long }) { return .show(.version) }
    guard let command = path.last else { return .start(Invocation(path: [], values: values, given: given)) }
    if !command.subcommands.isEmpty { try enterStandIn(of: command) }
    try checkThatOptionsBelong()
    try values += assignedArguments()
    return try program.builtInRequest(for: Invocation(path: path.map(\.name), values: values, given: given))
  }

  private mutating func take(_ word: String) throws(UsageError) {
    if word == "--" {
      while let word = rest.popFirst() { try takePlain(word) }
    } else if word.hasPrefix("--") {
      try takeLong(word)
    } else if word.hasPrefix("-"), word != "-", !isSignedArgument(word) {
      try takeShorts(word)
    } else {
      try takePlain(word)
    }
  }

  /// Takes the name of a subcommand as long as there are subcommands, then arguments.
  private mutating func takePlain(_ word: String) throws(UsageError) {
    let choices = path.last?.subcommands ?? program.commands(near: word)
    if choices.isEmpty { return arguments.append(word) }
    guard let command = choices.first(where: { $0.answers(to: word) }) else {
      // A default subcommand that takes any word would hide every mistyped name.
      if let standIn = path.last?.standIn, let argument = standIn.arguments.first, accepts(word, argument),
        !accepts("", argument)
      {
        path.append(standIn)
        return arguments.append(word)
      }
      namesNoCommand = true
      throw wording.unknownCommand(word, near: suggestions(for: word, among: choices))
    }
    path.append(command)
  }

  private mutating func enterStandIn(of command: Command) throws(UsageError) {
    guard let standIn = command.standIn else {
      throw wording.missingCommand(command.subcommands.filter { !$0.isHidden }.map(\.name))
    }
    path.append(standIn)
  }
}

// MARK: - Options

extension LineParser {
  private mutating func takeLong(_ word: String) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let spelling = parts.first ?? word
    guard let option = program.options(at: path).first(where: { $0.long == spelling }) else {
      throw unknownOption(spelling)
    }
    switch (option.takesValue, parts.count > 1 ? parts[1] : nil) {
    case (false, nil): note(option, asLong: true)
    case (false, let value?): throw wording.unwantedValue(option, value)
    case (true, nil) where option.implied != nil: note(option, asLong: true)
    case (true, nil): try read(nextValue(of: option, as: spelling), for: option, as: spelling)
    case (true, let value?): try read(value, for: option, as: spelling)
    }
  }

  /// `-q`, `-qv`, `-n5`, `-n=5`, `-n 5`: flags may be joined; the rest behind an option that takes a value is its value.
  private mutating func takeShorts(_ word: String) throws(UsageError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let spelling = "-\(letter)"
      guard let option = program.options(at: path).first(where: { $0.short == letter }) else {
        throw unknownOption(letters.isEmpty ? spelling : word)
      }
      guard option.takesValue else {
        note(option, asLong: false)
        continue
      }
      if letters.first == "=" { letters = letters.dropFirst() }
      return try read(
        letters.isEmpty ? nextValue(of: option, as: spelling) : String(letters), for: option, as: spelling)
    }
  }

  private mutating func note(_ flag: OptionDeclaration, asLong: Bool) {
    if flag.name == Program.help.declaration.name { helpLength = asLong ? .long : .short }
    options.append(flag)
    given.append((flag.long, flag.long))
    values.append(GivenValue(name: flag.long, value: flag.implied ?? true))
  }

  private mutating func read(_ word: String, for option: OptionDeclaration, as spelling: String) throws(UsageError) {
    options.append(option)
    given.append((option.long, "\(option.long)=\(word)"))
    values.append(GivenValue(name: option.long, value: try value(of: word, for: spelling, option.kind)))
  }

  /// Refuses a word that looks like another option, so that a forgotten value does not swallow it.
  private mutating func nextValue(of option: OptionDeclaration, as spelling: String) throws(UsageError) -> String {
    guard let next = rest.first, next == "-" || !next.hasPrefix("-") || next.looksSigned else {
      throw wording.missingValue(option, as: spelling, before: rest.first)
    }
    rest.removeFirst()
    return next
  }

  private func value(
    of word: String, for name: String, _ kind: ValueKind<any Sendable>
  ) throws(UsageError) -> any Sendable {
    do throws(BadValue) {
      if let value = try kind.read(word) { return value }
    } catch {
      throw wording.badValue(word, for: name, kind, reason: error.reason)
    }
    throw wording.badValue(word, for: name, kind, reason: nil)
  }

  /// `queue --watch add`: options before the subcommand must be options of it, too.
  private func checkThatOptionsBelong() throws(UsageError) {
    let valid = program.options(at: path)
    for option in options where !valid.contains(where: { $0.name == option.name }) {
      throw unknownOption(option.long)
    }
  }

  private func unknownOption(_ spelling: String) -> UsageError {
    let valid = program.options(at: path).filter { !$0.isHidden }
    let name = String(spelling.drop { $0 == "-" })
    var near = name.count > 1 ? nearest(to: name, among: valid.map(\.name)).map { "--" + $0 } : []
    if near.isEmpty, spelling.looksSigned { near = ["-- " + spelling] }
    if near.isEmpty, path.isEmpty { near = program.commands.filter { !$0.isHidden && $0.name == name }.map(\.name) }
    let owners = program.commands.filter { command in
      !command.isHidden && program.commandOptions(at: [command]).contains { !$0.isHidden && $0.long == spelling }
    }
    return wording.unknownOption(spelling, near: near, owners: Array(owners.map(\.name).prefix(3)))
  }
}

// MARK: - Arguments

extension LineParser {
  private var declared: [ArgumentDeclaration] {
    guard let command = path.last else { return [] }
    return command.subcommands.isEmpty ? command.arguments : command.standIn?.arguments ?? []
  }

  /// `-1m` and `-5` are arguments where the command declares a signed one.
  private func isSignedArgument(_ word: String) -> Bool {
    word.looksSigned && declared.contains { $0.kind.isSigned }
      && !program.options(at: path).contains { $0.short == word.dropFirst().first }
  }

  /// Assigns words to arguments: each leaves enough words for the required ones behind it.
  private func assignedArguments() throws(UsageError) -> [GivenValue] {
    var assigned: [GivenValue] = []
    var words = arguments[...]
    for (index, argument) in declared.enumerated() {
      let behind = declared[(index + 1)...]
      let spare = words.count - behind.count(where: \.isRequired)
      if spare < 1 {
        // The words there are count as the first of the required ones.
        if argument.isRequired {
          throw wording.missingArgument(declared.filter(\.isRequired).dropFirst(arguments.count).first ?? argument)
        }
        continue
      }
      if argument.count == .optional, spare <= behind.count(where: { !$0.isRequired }), !accepts(words.first, argument)
      {
        continue
      }
      let share = words.prefix(argument.repeats ? spare : 1)
      for word in share {
        assigned.append(
          GivenValue(name: argument.name, value: try value(of: word, for: argument.name, argument.kind)))
      }
      words.removeFirst(share.count)
    }
    if !words.isEmpty {
      throw wording.tooManyArguments(Array(words), after: arguments.dropLast(words.count))
    }
    return assigned
  }

  private func accepts(_ word: String?, _ argument: ArgumentDeclaration) -> Bool {
    guard let word else { return false }
    return (try? argument.kind.read(word)) != nil
  }
}

// MARK: - Suggestions

extension LineParser {
  private func suggestions(for word: String, among commands: [Command]) -> [String] {
    let visible = commands.filter { !$0.isHidden }
    if let meant = visible.first(where: { $0.synonyms.contains(word.lowercased()) }) { return [meant.name] }
    let near = nearest(to: word, among: visible.map(\.name))
    if !near.isEmpty { return near }
    let groups = visible.filter { $0.subcommands.contains { !$0.isHidden && $0.name == word } }
    return groups.map { "\($0.name) \(word)" }
  }
}

extension String {
  /// `-5`, `-1m`, `-.5`: a value that begins with a dash.
  fileprivate var looksSigned: Bool {
    let second = dropFirst().first
    return hasPrefix("-") && (second?.isWholeNumber == true || second == ".")
  }
}
