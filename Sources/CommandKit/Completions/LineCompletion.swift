/// The words that may stand at the end of an unfinished command line, for a program that completes its own lines; shells
/// have the scripts.
package enum LineCompletion: Sendable, Equatable {
  /// These, all of which begin as the last word does.
  case words([String])
  /// The program knows the values of this kind.
  case dynamic(kind: String, prefix: String)
}

extension Program {
  /// Whether a line that begins with this word is meant as a command.
  package func hasCommand(_ word: String) -> Bool { commands.contains { $0.answers(to: word) } }

  /// Completes the last word of a line without the program's name; a new, empty one where `isNewWord`.
  package func completion(ofLine line: [String], isNewWord: Bool) -> LineCompletion {
    var words = line[...]
    let prefix = isNewWord ? "" : words.popLast() ?? ""
    var path: [Command] = []
    var arguments = 0
    var open: OptionDeclaration?
    for word in words {
      if open != nil {
        open = nil
      } else if word.hasPrefix("-") {
        open = option(word, at: path).flatMap { $0.takesValue && !word.contains("=") ? $0 : nil }
      } else if arguments == 0, let next = (path.last?.subcommands ?? commands).first(where: { $0.answers(to: word) }) {
        path.append(next)
      } else {
        arguments += 1
      }
    }
    if let open { return Self.answer(open.kind.completion, prefix, subjects) }
    if prefix.hasPrefix("-") { return .words(optionNames(at: path).filter { $0.hasPrefix(prefix) }) }
    return argument(arguments, at: path, prefix)
  }

  private func argument(_ number: Int, at path: [Command], _ prefix: String) -> LineCompletion {
    let names = (path.last?.subcommands ?? commands).filter { !$0.isHidden }.map(\.name)
    let fitting = number == 0 ? names.filter { $0.hasPrefix(prefix) } : []
    if !fitting.isEmpty || path.isEmpty { return .words(fitting) }
    let numbered = ((path.last?.standIn ?? path.last)?.arguments ?? []).numbered
    guard let (argument, from) = numbered.last(where: { $0.from <= number }), argument.repeats || from == number else {
      return .words([])
    }
    return Self.answer(argument.kind.completion, prefix, subjects)
  }

  private static func answer(_ completion: Completion, _ prefix: String, _ subjects: [Choice]) -> LineCompletion {
    switch completion {
    case .dynamic(let kind): .dynamic(kind: kind, prefix: prefix)
    case .subject: .words(subjects.map(\.word).filter { $0.hasPrefix(prefix) })
    default: .words(completion.choices.map(\.word).filter { $0.hasPrefix(prefix) })
    }
  }

  private func option(_ word: String, at path: [Command]) -> OptionDeclaration? {
    options(at: path).first { $0.spellings.contains(String(word.prefix { $0 != "=" })) }
  }

  private func optionNames(at path: [Command]) -> [String] {
    options(at: path).filter { !$0.isHidden }.map(\.long)
  }
}
