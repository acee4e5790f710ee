/// What a command line asks for.
package enum Request: Sendable {
  /// A command, with its values.
  case run(Invocation)
  /// Text about the program itself, see `Program.text(of:in:)`.
  case show(Page)
  /// A shell is completing a word and wants what the library holds; in its own order; see `Program.answer(_:)`.
  /// The invocation has what the line says so far of the options that every command takes.
  case candidates(kind: String, prefix: String, on: Invocation)
}

/// A text the kit writes itself.
package enum Page: Sendable, Equatable {
  package enum Length: Sendable { case short, long }

  /// Of the program where the path is empty.
  case help(path: [String], Length)
  /// One of the manual's own sections.
  case section(String)
  case manual
  /// The commands in Markdown, for a README.
  case commandTable
  case completions(Shell)
  case version
}

/// A command and the values it was given. Keys that the command does not declare read as absent.
package struct Invocation: Sendable {
  /// The names from the program to the command, aliases and defaults resolved: `["queue", "list"]`.
  package let path: [String]
  let values: [String: [any Sendable]]

  /// The path as one word to switch over: "queue list".
  package var name: String { path.joined(separator: " ") }

  package subscript(_ flag: Flag) -> Bool { values[flag.declaration.long] != nil }

  package subscript<Value>(_ option: Option<Value>) -> Value? { values[option.declaration.long]?.last as? Value }

  package subscript<Value>(_ options: Options<Value>) -> [Value] { all(options.declaration.long) }

  package subscript<Value>(_ argument: OptionalArgument<Value>) -> Value? {
    values[argument.declaration.name]?.last as? Value
  }

  package subscript<Value>(_ arguments: Arguments<Value>) -> [Value] { all(arguments.declaration.name) }

  /// Parsing saw to it that the value is there, so only a key of another command can fail here.
  package subscript<Value>(_ argument: Argument<Value>) -> Value {
    guard let value = values[argument.declaration.name]?.last as? Value else {
      preconditionFailure("\(name) does not declare the argument \(argument.declaration.name)")
    }
    return value
  }

  private func all<Value>(_ key: String) -> [Value] { (values[key] ?? []).compactMap { $0 as? Value } }
}
