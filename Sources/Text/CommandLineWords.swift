/// The words of a command line, without any other meaning of a shell: blanks part them, quotes and backslashes keep blanks.
package enum CommandLineWords {
  /// In order.
  package static func split(_ line: String) -> [String] { scan(line).words }

  /// The index at which the last word begins; the end after a blank.
  package static func startOfLastWord(_ line: String) -> String.Index? { scan(line).lastStart }

  /// A word as it has to be typed.
  package static func quoted(_ word: String) -> String {
    guard word.contains(where: { " '\"\\".contains($0) }) else { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }

  private static func scan(_ line: String) -> (words: [String], lastStart: String.Index) {
    var words: [String] = []
    var word: String?
    var start = line.startIndex
    var quote: Character?
    var isEscaped = false
    for index in line.indices {
      let character = line[index]
      if word == nil, quote == nil, character != " " { start = index }
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        (word, isEscaped) = (word ?? "", true)
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        (word, quote) = (word ?? "", character)
      } else if character == " ", quote == nil {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return (words, word == nil ? line.endIndex : start)
  }
}
