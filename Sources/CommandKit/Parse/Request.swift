/// The meaning of a parsed command line.
package enum Request: Sendable {
  /// A command, with its values.
  case run(Invocation)
  /// A text about the program itself; see `Program.text(of:in:)`.
  case show(Page)
  /// No command, with the options that every command takes.
  case start(Invocation)
  /// A shell completes a word, and asks for values of a kind in their own order; see `Program.answer(_:)`. The invocation
  /// has the global options of the line so far.
  case candidates(kind: String, prefix: String, on: Invocation)
}

/// A text that the kit writes.
package enum Page: Sendable, Equatable {
  /// `-h` or `--help`.
  package enum Length: Sendable { case short, long }

  /// Help for a command; for the program where the path is empty.
  case help(path: [String], Length)
  /// A section of the manual.
  case section(String)
  case manual
  /// The commands in Markdown, for a README.
  case commandTable
  case completions(Shell)
  case version
}

/// A value of the line, under its option's long spelling or its argument's name. The few of a line are searched in an
/// array: the first use of a dictionary takes 200,000 instructions.
struct GivenValue: Sendable {
  let name: String
  let value: any Sendable
}

/// A command with its values. Keys that the command does not declare read as absent.
package struct Invocation: Sendable {
  /// The names from the program to the command, aliases and defaults resolved: `["queue", "list"]`.
  package let path: [String]
  let values: [GivenValue]
  var given: [(option: String, word: String)] = []

  /// The path as one word to switch over: "queue list".
  package var name: String { path.joined(by: " ") }

  /// True when the flag was given.
  package subscript(_ flag: Flag) -> Bool { values.contains { $0.name == flag.declaration.long } }

  /// The last value given.
  package subscript<Value>(_ option: Option<Value>) -> Value? { last(option.declaration.long) as? Value }

  /// Every value given.
  package subscript<Value>(_ options: Options<Value>) -> [Value] { all(options.declaration.long) }

  /// The words that gave these options, for another command line: `["--speed=1.4", "--boost"]`.
  package func words(of options: [any OptionKey]) -> [String] {
    let names = Set(options.map(\.declaration.long))
    return given.filter { names.contains($0.option) }.map(\.word)
  }

  /// The value, if one was given.
  package subscript<Value>(_ argument: OptionalArgument<Value>) -> Value? {
    last(argument.declaration.name) as? Value
  }

  /// Every value given.
  package subscript<Value>(_ arguments: Arguments<Value>) -> [Value] { all(arguments.declaration.name) }

  /// Parsing guarantees the value, so only a key of another command traps here.
  package subscript<Value>(_ argument: Argument<Value>) -> Value {
    guard let value = last(argument.declaration.name) as? Value else {
      preconditionFailure("\(name) does not declare the argument \(argument.declaration.name)")
    }
    return value
  }

  private func last(_ name: String) -> (any Sendable)? { values.last { $0.name == name }?.value }

  private func all<Value>(_ name: String) -> [Value] {
    // Without `compactMap`, whose types would be made in every command.
    var found: [Value] = []
    for value in values where value.name == name {
      if let value = value.value as? Value { found.append(value) }
    }
    return found
  }
}
