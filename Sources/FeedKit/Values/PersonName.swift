/// Removes the mail address beside a person's name: `mail@example.org (Name)`, as RSS prescribes it,
/// `Name (mail@example.org)` and `Name <mail@example.org>`.
enum PersonName {
  static let atSign = UInt8(ascii: "@")

  /// The name, or the address when there is no name.
  static func withoutAddress(_ text: String) -> String {
    guard text.utf8.contains(atSign) else { return text }
    switch text.last {
    case ")": return outer(of: text, "(") ?? inner(of: text) ?? text
    case ">": return outer(of: text, "<") ?? text
    default: return text
    }
  }

  /// The name in `Name (mail@example.org)`.
  private static func outer(of text: String, _ bracket: Character) -> String? {
    guard let opening = text.lastIndex(of: bracket), isAddress(text[opening...].dropFirst().dropLast()) else {
      return nil
    }
    return name(text[..<opening])
  }

  /// The name in `mail@example.org (Name)`, or the address when there is none.
  private static func inner(of text: String) -> String? {
    guard let opening = text.firstIndex(of: "(") else { return nil }
    let address = trimmed(text[..<opening])
    return isAddress(address) ? name(text[opening...].dropFirst().dropLast()) ?? String(address) : nil
  }

  private static func isAddress(_ text: Substring) -> Bool {
    text.utf8.contains(atSign) && !text.contains(" ")
  }

  private static func name(_ text: Substring) -> String? {
    var name = trimmed(text)
    if name.count > 2, name.first == "\"", name.last == "\"" { name = trimmed(name.dropFirst().dropLast()) }
    return name.isEmpty ? nil : String(name)
  }

  /// A line has no blanks besides spaces.
  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " }
    return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
  }
}
