/// An option as parsing, help, manual and completions see it: its key without the value's type.
package struct OptionDeclaration: Sendable {
  /// Without the dashes.
  package let name: String
  package let short: Character?
  /// What stands for the value in help; nil for a flag, which takes none.
  package let placeholder: String?
  package let repeats: Bool
  package let help: String
  package let isHidden: Bool
  let kind: ValueKind<any Sendable>

  var takesValue: Bool { placeholder != nil }
  var long: String { "--" + name }
  /// `-n` and `--limit`.
  var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [long] }
}

/// An argument as parsing, help, manual and completions see it.
package struct ArgumentDeclaration: Sendable {
  package enum Count: Sendable {
    case one, optional, some, any
  }

  package let name: String
  package let count: Count
  package let help: String
  let kind: ValueKind<any Sendable>

  var isRequired: Bool { count == .one || count == .some }
  var repeats: Bool { count == .some || count == .any }

  /// As a usage line shows it.
  var usage: String {
    let word = repeats ? name + "…" : name
    return isRequired ? word : "[\(word)]"
  }
}
