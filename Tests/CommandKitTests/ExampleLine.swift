@testable import CommandKit

extension Program {
  /// The calls of this program in a shell line, each as the words behind its name: pipes and lists are split, quotes
  /// removed, redirections left out.
  func calls(in line: String) -> [[String]] {
    var reader = ShellReader()
    for character in line { reader.take(character) }
    return reader.commands().compactMap { words in
      let call = words.drop { $0.contains("=") }
      return call.first == name ? Array(call.dropFirst()) : nil
    }
  }
}

/// Reads the part of shell syntax that examples use.
private struct ShellReader {
  private var finished: [[String]] = []
  private var words: [String] = []
  private var word: String?
  private var quote: Character?
  private var isEscaped = false
  private var isRedirecting = false

  mutating func take(_ character: Character) {
    if isEscaped {
      isEscaped = false
      word = (word ?? "") + String(character)
    } else if character == "\\", quote != "'" {
      isEscaped = true
    } else if let open = quote {
      if character == open { quote = nil } else { word = (word ?? "") + String(character) }
    } else {
      takeBare(character)
    }
  }

  private mutating func takeBare(_ character: Character) {
    switch character {
    case "'", "\"":
      quote = character
      word = word ?? ""
    case " ", "\n", "\t": endWord()
    case "|", ";", "&", "(", ")": endCommand()
    case "<", ">":
      // Digits right before it are a descriptor, as in 2>.
      if word?.allSatisfy(\.isWholeNumber) != true { endWord() }
      word = nil
      isRedirecting = true
    default: word = (word ?? "") + String(character)
    }
  }

  private mutating func endWord() {
    guard let ended = word else { return }
    if !isRedirecting { words.append(ended) }
    (word, isRedirecting) = (nil, false)
  }

  private mutating func endCommand() {
    endWord()
    finished.append(words)
    words = []
  }

  mutating func commands() -> [[String]] {
    endCommand()
    return finished
  }
}
