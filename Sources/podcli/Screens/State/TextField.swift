import ScreenKit

/// A line of text that is being typed.
struct TextField: Hashable, Sendable {
  private(set) var text = ""
  /// A longer text was pasted by mistake.
  private static let longest = 1000

  init(_ text: String = "") { self.text = text }

  mutating func replace(with text: String) { self.text = text }

  /// True when the key changed the text.
  mutating func take(_ key: Key) -> Bool {
    let before = text
    switch (key.code, key.modifiers) {
    case (.character(let character), []): insert(String(character))
    case (.backspace, _), (.character("h"), .control): if !text.isEmpty { text.removeLast() }
    case (.character("u"), .control): text = ""
    case (.character("w"), .control): deleteWord()
    default: break
    }
    return text != before
  }

  /// A paste is one line here.
  mutating func insert(_ more: String) {
    // By scalars: a combining character is typed on its own, and would be one character with the `x`.
    text.unicodeScalars += CleanText.line("x" + more).unicodeScalars.dropFirst()
    text = String(text.prefix(Self.longest))
  }

  private mutating func deleteWord() {
    while text.last == " " { text.removeLast() }
    while let last = text.last, last != " " { text.removeLast() }
  }
}
