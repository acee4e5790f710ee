@testable import CommandKit

/// Compares the options that help, manual and completion scripts show with the declared ones. It reads the finished
/// texts, not the code that makes them.
extension Program {
  /// The path to every command that is not hidden.
  var visiblePaths: [[Command]] {
    func below(_ path: [Command], _ commands: [Command]) -> [[Command]] {
      commands.filter { !$0.isHidden }.flatMap { [path + [$0]] + below(path + [$0], $0.subcommands) }
    }
    return below([], commands)
  }

  func faults(inHelp text: String, of name: String) -> [String] {
    guard let path = resolve(name.split(separator: " ").map(String.init)) else {
      return ["there is no command \(name)"]
    }
    return faults(inHelp: text, at: path)
  }

  func faults(inHelp text: String, at path: [Command]) -> [String] {
    differences(
      between: Set(visible(options(at: path)).map(\.long)), and: rowOptions(in: text),
      in: "the help of \(path.map(\.name).joined(separator: " "))", complete: false)
  }

  func faults(inManual text: String) -> [String] {
    let shown = manualOptions(text)
    var faults = differences(
      between: Set(visible(options).map(\.long)), and: shown["", default: []], in: "the manual", complete: true)
    for path in visiblePaths {
      let name = path.map(\.name).joined(separator: " ")
      let declared = Set(visible(path.last?.options ?? []).map(\.long))
      faults += differences(
        between: declared, and: shown[name, default: []], in: "the manual's \(name)", complete: true)
    }
    return faults
  }

  func faults(inScript text: String, for shell: Shell) -> [String] {
    let table = CompletionTable(of: self)
    let shown = scriptOptions(text, for: shell, table)
    return table.nodes.flatMap { node in
      let declared = node.path.isEmpty ? table.offeredGlobalOptions : node.offeredOptions
      return differences(
        between: Set(declared.map(\.long)), and: shown[node.name, default: []],
        in: "the \(shell.rawValue) completion of \(node.path.isEmpty ? name : node.name)", complete: true)
    }
  }

  private func visible(_ options: [OptionDeclaration]) -> [OptionDeclaration] { options.filter { !$0.isHidden } }

  /// - Parameter complete: an option that is shown but not declared is a fault, too.
  private func differences(
    between declared: Set<String>, and shown: Set<String>, in text: String, complete: Bool
  ) -> [String] {
    declared.subtracting(shown).sorted().map { "\(text) lacks \($0)" }
      + (complete ? shown.subtracting(declared).sorted().map { "\(text) has \($0), which is not declared" } : [])
  }
}

// MARK: - Reading the finished texts

/// Every `--word` in a text.
func optionWords(in text: some StringProtocol) -> Set<String> {
  let words = String(text).split { !($0.isLetter || $0.isNumber || $0 == "-") }
  return Set(words.filter { $0.hasPrefix("--") && $0.count > 2 }.map(String.init))
}

/// The options that have a row of their own on a help page.
private func rowOptions(in text: String) -> Set<String> {
  let rows = text.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.first?.hasPrefix("-") == true }
  return rows.reduce(into: []) { found, row in
    // The option's spellings and its placeholder; help begins behind them.
    for word in row.prefix(while: { $0.hasPrefix("-") }) { found.formUnion(optionWords(in: word)) }
  }
}

/// The options by command; the empty name is the program.
private func manualOptions(_ text: String) -> [String: Set<String>] {
  var found: [String: Set<String>] = [:]
  var command: String?
  var isTerm = false
  for line in unformatted(text).split(separator: "\n") {
    if line.hasPrefix(".SH") { command = line.contains("OPTIONS OF EVERY COMMAND") ? "" : nil }
    if line.hasPrefix(".SS") {
      let words = line.dropFirst(5).split { " \"".contains($0) }
      command = words.prefix { $0.first?.isLowercase == true }.joined(separator: " ")
    }
    if isTerm, let command { found[command, default: []].formUnion(optionWords(in: line)) }
    isTerm = line == ".TP"
  }
  return found
}

/// The text without changes of font, and with plain dashes.
private func unformatted(_ text: String) -> String {
  var plain = ""
  var rest = text[...]
  while let character = rest.popFirst() {
    if character != "\\" {
      plain.append(character)
    } else if rest.first == "f" {
      rest = rest.dropFirst(2)
    } else if rest.first == "-" {
      plain.append("-")
      rest = rest.dropFirst()
    }
  }
  return plain
}

private func scriptOptions(_ text: String, for shell: Shell, _ table: CompletionTable) -> [String: Set<String>] {
  var found: [String: Set<String>] = [:]
  var function = ""
  let names = Dictionary(
    table.nodes.map { (([table.identifier] + $0.path.map(\.name)).joined(separator: "_"), $0.name) },
    uniquingKeysWith: { first, _ in first })
  for line in text.split(separator: "\n") {
    let quoted = line.split(separator: "'", omittingEmptySubsequences: false)
    switch shell {
    case .bash where line.contains("kind+='"): found[String(quoted[1]), default: []] = optionWords(in: line)
    case .bash where line.hasPrefix("  kind='words "): found["", default: []] = optionWords(in: line)
    case .fish where line.hasPrefix("complete ") && line.contains(" -l "):
      let words = line.split(separator: " ")
      guard let mark = words.firstIndex(of: "-l"), mark + 1 < words.count else { continue }
      let command = line.contains("_at '") ? String(quoted[1]) : ""
      found[command, default: []].insert("--" + words[mark + 1])
    case .zsh:
      if line.hasSuffix("() {") { function = String(line.dropFirst().dropLast(4)) }
      guard let command = names[function] else { continue }
      // In `'(-n --limit)--limit=[help]…'` the option stands right before its help.
      let options = line.split(separator: "[").dropLast().compactMap { part in
        optionWords(in: part.split { ")*'".contains($0) }.last ?? "").first
      }
      found[command, default: []].formUnion(options)
    default: continue
    }
  }
  return found
}
