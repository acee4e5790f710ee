/// Colours text, where the screen has colours.
struct Paint {
  var usesColor: Bool

  init(usesColor: Bool) { self.usesColor = usesColor }
  init(_ console: Console) { self.init(usesColor: console.usesColor) }

  func bold(_ text: String) -> String { painted(text, "1") }
  func dim(_ text: String) -> String { painted(text, "2") }
  func green(_ text: String) -> String { painted(text, "32") }
  func red(_ text: String) -> String { painted(text, "31") }

  private func painted(_ text: String, _ code: String) -> String {
    usesColor && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
