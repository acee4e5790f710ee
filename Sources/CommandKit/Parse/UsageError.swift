/// An error in a command line, with a hint on what to type instead. Both are one line, without a full stop.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  /// The mistake.
  package let message: String
  /// The correction to type, or a pointer to help.
  package let hint: String

  package var description: String { "\(message); \(hint)" }
}

/// The wording of errors in a command line.
struct Wording {
  let program: String
  let path: [Command]

  /// "podcli queue add"
  var line: String { ([program] + path.map(\.name)).joined(separator: " ") }

  /// "queue add", or the program's name where there is no command yet.
  var subject: String { path.isEmpty ? program : path.map(\.name).joined(separator: " ") }

  var seeHelp: String { "\(line) -h shows how it is used" }

  /// The command's first example, else a pointer to its help.
  var example: String { path.last?.examples.first.map { "for example: \($0.line)" } ?? seeHelp }

  func unknownOption(_ spelling: String, near: [String], owners: [String]) -> UsageError {
    UsageError(
      message: "\(subject) has no option \(spelling.harmless)",
      hint: didYouMean(near) ?? (owners.isEmpty ? seeHelp : "it belongs to \(listing(owners, with: "and"))"))
  }

  func unknownCommand(_ word: String, near: [String]) -> UsageError {
    UsageError(
      message: path.isEmpty ? "there is no command \(word.quoted)" : "\(subject) has no command \(word.quoted)",
      hint: didYouMean(near) ?? "\(line) -h lists the commands")
  }

  func missingCommand(_ choices: [String]) -> UsageError {
    UsageError(message: "\(subject) needs a command: \(listing(choices, with: "or"))", hint: seeHelp)
  }

  func missingArgument(_ argument: ArgumentDeclaration) -> UsageError {
    UsageError(message: "\(subject) needs \(argument.name.withArticle)", hint: example)
  }

  /// Most often a name with blanks without quotes, so the hint quotes it.
  func tooManyArguments(_ surplus: [String], after taken: [String]) -> UsageError {
    guard let first = surplus.first else { return UsageError(message: "\(subject): too many words", hint: seeHelp) }
    guard let last = taken.last else {
      return UsageError(message: "\(subject) takes no argument, but got \(first.quoted)", hint: seeHelp)
    }
    let words = taken.dropLast().map(\.shellQuoted) + [([last] + surplus).joined(separator: " ").shellQuoted]
    return UsageError(
      message: "\(first.quoted) is one word too many for \(subject)",
      hint: "if the words belong together, quote them: \(line) \(words.joined(separator: " "))".harmless)
  }

  func missingValue(_ option: OptionDeclaration, as spelling: String, before next: String?) -> UsageError {
    let placeholder = option.placeholder ?? "VALUE"
    let hint =
      switch next {
      case let next?: "a value that begins with a dash is written \(option.long)=\(next.harmless)"
      case nil: "write \(spelling) \(placeholder)"
      }
    return UsageError(message: "\(spelling) needs a value, \(placeholder)", hint: hint)
  }

  func unwantedValue(_ option: OptionDeclaration, _ value: String) -> UsageError {
    UsageError(message: "\(option.long) takes no value, but got \(value.quoted)", hint: "write \(option.long) alone")
  }

  func badValue(_ word: String, for name: String, _ kind: ValueKind<any Sendable>, reason: String?) -> UsageError {
    let message =
      reason.map { "\(name): \($0)" }
      ?? "\(name) \(kind.expectation().map { "must be \($0), not" } ?? "cannot be") \(word.quoted)"
    let words = kind.completion.choices.map(\.word)
    let parts = if case .list = kind.completion { word.split(separator: ",").map(String.init) } else { [word] }
    let near = parts.first { !words.contains($0) }.map { nearest(to: $0, among: words) } ?? []
    return UsageError(message: message, hint: didYouMean(near) ?? seeHelp)
  }

  private func didYouMean(_ words: [String]) -> String? {
    words.isEmpty ? nil : "did you mean \(listing(words, with: "or"))?"
  }
}

extension String {
  fileprivate var quoted: String { "'\(harmless)'" }

  fileprivate var withArticle: String {
    guard let first, last != "S" else { return self }
    // The name of the letter X begins with a vowel.
    return ((count == 1 ? "AEFHILMNORSX" : "AEIOU").contains(first) ? "an " : "a ") + self
  }

  /// The text with the quotes that a shell needs.
  package var shellQuoted: String {
    let safe = allSatisfy { $0.isLetter || $0.isNumber || "-_./:@%+,=".contains($0) }
    return safe && !isEmpty
      ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
