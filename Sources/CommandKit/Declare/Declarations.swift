/// An option as parsing, help, manual and completions see it: its key without the value's type.
package struct OptionDeclaration: Sendable {
  /// Without the dashes.
  let name: String
  let short: Character?
  /// The word for the value in help; nil for a flag, which takes none.
  let placeholder: String?
  let repeats: Bool
  let help: String
  let isHidden: Bool
  let kind: ValueKind<any Sendable>
  /// The value of the bare option. Any other value follows an equals sign.
  var implied: (any Sendable)?

  var takesValue: Bool { placeholder != nil }
  /// The next word is its value.
  var takesNextWord: Bool { takesValue && implied == nil }
  var long: String { "--" + name }
  /// `-n` and `--limit`.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [long] }
}

/// An argument as parsing, help, manual and completions see it.
package struct ArgumentDeclaration: Sendable {
  enum Count: Sendable {
    case one, optional, some, any
  }

  let name: String
  let count: Count
  let help: String
  let kind: ValueKind<any Sendable>

  var isRequired: Bool { count == .one || count == .some }
  var repeats: Bool { count == .some || count == .any }

  /// As a usage line shows it.
  var usage: String {
    let word = repeats ? name + "…" : name
    return isRequired ? word : "[\(word)]"
  }
}
