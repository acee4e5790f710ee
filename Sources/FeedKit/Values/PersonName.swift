/// Somebody's name, beside which many feeds write a mail address: `mail@example.org (Name)`, as RSS asks for it,
/// `Name (mail@example.org)` and `Name <mail@example.org>`.
enum PersonName {
  static let addressMark = UInt8(ascii: "@")

  /// The address itself where there is nothing else.
  static func withoutAddress(_ text: String) -> String {
    guard text.utf8.contains(addressMark) else { return text }
    switch text.last {
    case ")": return outer(of: text, "(") ?? inner(of: text) ?? text
    case ">": return outer(of: text, "<") ?? text
    default: return text
    }
  }

  /// The name in `Name (mail@example.org)`.
  private static func outer(of text: String, _ bracket: Character) -> String? {
    guard let mark = text.lastIndex(of: bracket), isAddress(text[mark...].dropFirst().dropLast()) else { return nil }
    return name(text[..<mark])
  }

  /// The name in `mail@example.org (Name)`, or the address when there is none.
  private static func inner(of text: String) -> String? {
    guard let mark = text.firstIndex(of: "(") else { return nil }
    let address = trimmed(text[..<mark])
    return isAddress(address) ? name(text[mark...].dropFirst().dropLast()) ?? String(address) : nil
  }

  private static func isAddress(_ text: Substring) -> Bool {
    text.utf8.contains(addressMark) && !text.contains(" ")
  }

  private static func name(_ text: Substring) -> String? {
    var name = trimmed(text)
    if name.count > 2, name.first == "\"", name.last == "\"" { name = trimmed(name.dropFirst().dropLast()) }
    return name.isEmpty ? nil : String(name)
  }

  /// Within one line there are no other blanks.
  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0 == " " }
    return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
  }
}
