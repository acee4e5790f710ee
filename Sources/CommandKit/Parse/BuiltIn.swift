/// The commands that explain the program. A program lists them under a topic.
extension Command {
  /// Shows help for the program, a command or a section, the manual, or the table of commands.
  package static let help = Command(
    "help", summary: "explain the program, a command or a subject",
    arguments: [HelpKeys.subject], options: [HelpKeys.man, HelpKeys.table])

  /// Prints a completion script.
  package static let completions = Command(
    "completions", summary: "print a script that lets a shell complete command lines",
    arguments: [CompletionKeys.shell])

  /// Prints name and version.
  package static let version = Command("version", summary: "say which version this is")
}

private enum HelpKeys {
  static let subject = Arguments("COMMAND", kind: .subject, orNone: true, help: "what to explain")
  static let man = Flag("man", help: "print the whole manual, for `man -l -`")
  static let table = Flag("table", help: "print the commands as a table in Markdown", isHidden: true)
}

private enum CompletionKeys {
  static let shell = Argument<Shell>("SHELL", kind: .choice, help: "for which shell")
}

extension ValueKind where Value == String {
  fileprivate static var subject: Self { ValueKind(completion: .subject) { word throws(BadValue) in word } }
}

extension Program {
  func completionRequest(_ words: [String]) -> Request? {
    guard words.first == Self.completionCall, words.count > 1 else { return nil }
    return .candidates(
      kind: words[1], prefix: words.count > 2 ? words[2] : "", on: sharedOptions(in: words.dropFirst(3)))
  }

  /// The shared options of an unfinished line. Words that cannot be read are skipped.
  private func sharedOptions(in words: ArraySlice<String>) -> Invocation {
    var values: [GivenValue] = []
    var rest = words.prefix { $0 != "--" }
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = options.first(where: { $0.takesNextWord && $0.long == parts.first }),
        let value = parts.count > 1 ? parts[1] : rest.popFirst()
      else { continue }
      if let value = try? option.kind.read(value) { values.append(GivenValue(name: option.long, value: value)) }
    }
    return Invocation(path: [], values: values)
  }

  /// The answer to `Request.candidates`, for standard output. Values with control characters are left out.
  package func answer(_ candidates: some Sequence<Choice>) -> String {
    candidates.filter { $0.word.isHarmless && !$0.word.isEmpty }
      .map { $0.help.isEmpty ? "\($0.word)\n" : "\($0.word)\t\($0.help.harmless)\n" }.joined()
  }

  /// The kit's own commands become pages; every other command is for the program to run.
  func builtInRequest(for invocation: Invocation) throws(UsageError) -> Request {
    switch invocation.name {
    case Command.help.name: try .show(helpPage(for: invocation))
    case Command.completions.name: .show(.completions(invocation[CompletionKeys.shell]))
    case Command.version.name: .show(.version)
    default: .run(invocation)
    }
  }

  private func helpPage(for invocation: Invocation) throws(UsageError) -> Page {
    if invocation[HelpKeys.man] { return .manual }
    if invocation[HelpKeys.table] { return .commandTable }
    let subject = invocation[HelpKeys.subject]
    if subject.count == 1, let section = sections.first(where: { $0.name == subject[0] }) {
      return .section(section.name)
    }
    if let path = resolve(subject) { return .help(path: path.map(\.name), .long) }
    let word = subject.joined(separator: " ")
    throw Wording(program: name, path: [])
      .unknownCommand(word, near: nearest(to: word, among: subjects.map(\.word)))
  }
}
