@testable import CommandKit

extension Program {
  /// The faults of the declarations, a line each. A finished program has none.
  func faults() -> [String] {
    var check = DeclarationCheck(program: self)
    check.run()
    return check.faults
  }
}

struct DeclarationCheck {
  let program: Program
  private(set) var faults: [String] = []

  init(program: Program) { self.program = program }

  mutating func run() {
    for option in program.options { check(option, of: program.name) }
    checkSiblings(program.commands, of: program.name)
    for command in program.commands { check(command, at: [command]) }
    for section in program.sections {
      if program.commands.contains(where: { $0.answers(to: section.name) }) {
        faults.append("help \(section.name) is a command as well as a section")
      }
      if section.summary.isBlank { faults.append("the section \(section.name) has no summary") }
    }
    check(program.examples, of: [])
    checkMentions()
    faults += program.faults(inManual: program.manual)
    for path in program.visiblePaths { faults += program.faults(inHelp: helpText(path), at: path) }
    for shell in Shell.allCases {
      faults += program.faults(inScript: program.completionScript(for: shell), for: shell)
    }
  }

  private func helpText(_ path: [Command]) -> String {
    program.text(of: .help(path: path.map(\.name), .long), in: TextStyle(width: 100))
  }
}

// MARK: - Each declaration

extension DeclarationCheck {
  private mutating func check(_ command: Command, at path: [Command]) {
    let name = path.map(\.name).joined(separator: " ")
    if command.summary.isBlank { faults.append("\(name) has no summary") }
    if !command.name.isSafe { faults.append("\(name) is not a name for a command") }
    if !command.subcommands.isEmpty, !command.arguments.isEmpty {
      faults.append("\(name) has both subcommands and arguments")
    }
    if let standIn = command.defaultSubcommand, command.standIn == nil {
      faults.append("\(name) has no subcommand \(standIn) to stand in")
    }
    for option in command.options { check(option, of: name) }
    for argument in command.arguments { check(argument, of: name) }
    checkThatOptionsDiffer(at: path, name)
    for argument in repeated(command.arguments.map(\.name)) { faults.append("\(name) has two arguments \(argument)") }
    if command.arguments.count(where: \.repeats) > 1 { faults.append("\(name) has two arguments that repeat") }
    check(command.examples, of: path)
    checkSiblings(command.subcommands, of: name)
    for subcommand in command.subcommands { check(subcommand, at: path + [subcommand]) }
  }

  private mutating func check(_ option: OptionDeclaration, of owner: String) {
    if option.help.isBlank { faults.append("\(owner) \(option.long) has no help") }
    if !option.name.isSafe || option.name.count < 2 {
      faults.append("\(owner) \(option.long) is not a name for an option")
    }
    if let short = option.short, !(short.isASCII && short.isLetter) {
      faults.append("\(owner) -\(short) is not a letter")
    }
    check(option.kind.completion, of: "\(owner) \(option.long)")
  }

  private mutating func check(_ argument: ArgumentDeclaration, of owner: String) {
    if argument.help.isBlank { faults.append("\(owner) \(argument.name) has no help") }
    check(argument.kind.completion, of: "\(owner) \(argument.name)")
  }

  /// The words are copied into shell scripts, so they must need no quotes.
  private mutating func check(_ completion: Completion, of owner: String) {
    for choice in completion.choices where !choice.word.isSafe {
      faults.append("\(owner) offers '\(choice.word)', which a shell would have to quote")
    }
    if case .dynamic(let kind) = completion, !kind.isSafe {
      faults.append("\(owner) asks for '\(kind)', which a shell would have to quote")
    }
  }
}

// MARK: - Declarations side by side

extension DeclarationCheck {
  private mutating func checkSiblings(_ commands: [Command], of owner: String) {
    for name in repeated(commands.flatMap { [$0.name] + $0.aliases }) {
      faults.append("\(owner) has two commands \(name)")
    }
  }

  private mutating func checkThatOptionsDiffer(at path: [Command], _ name: String) {
    let options = program.options(at: path)
    for spelling in repeated(options.flatMap(\.spellings)) { faults.append("\(name) has two options \(spelling)") }
  }

  private func repeated(_ names: [String]) -> [String] {
    Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys.sorted()
  }
}

// MARK: - Texts

extension DeclarationCheck {
  private mutating func check(_ examples: [Example], of path: [Command]) {
    for example in examples {
      let calls = program.calls(in: example.line)
      if calls.isEmpty { faults.append("the example '\(example.line)' does not call \(program.name)") }
      if example.explanation.isBlank { faults.append("the example '\(example.line)' is not explained") }
      var ran: [[String]] = []
      for call in calls {
        do throws(UsageError) {
          if case .run(let invocation) = try program.parse(call) { ran.append(invocation.path) }
        } catch {
          faults.append("the example '\(example.line)' is wrong: \(error.message)")
          ran.append(path.map(\.name))
        }
      }
      if let command = path.first, !ran.isEmpty, !ran.contains(where: { $0.first == command.name }) {
        faults.append("the example '\(example.line)' does not show \(command.name)")
      }
    }
  }

  /// Texts must not mention options that do not exist.
  private mutating func checkMentions() {
    // An option of jq, which a status bar's example needs.
    let known = Set(program.visiblePaths.flatMap { program.options(at: $0) }.filter { !$0.isHidden }.map(\.long))
      .union(["--unbuffered"])
    for path in [[]] + program.visiblePaths {
      for word in optionWords(in: helpText(path)) where !known.contains(word) {
        faults.append("the help of \(Wording(program: program.name, path: path).subject) speaks of \(word)")
      }
    }
    let sections = program.sections.map { program.text(of: .section($0.name)) }
    for (section, text) in zip(program.sections, sections) {
      for word in optionWords(in: text) where !known.contains(word) {
        faults.append("the section \(section.name) speaks of \(word)")
      }
    }
  }
}

extension String {
  fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// Letters, digits and a few signs without meaning in any shell; no leading dash.
  fileprivate var isSafe: Bool {
    !isEmpty && !hasPrefix("-") && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.+/".contains($0)) }
  }
}
