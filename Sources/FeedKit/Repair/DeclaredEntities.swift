internal import Text

/// The entities that a document declares inside itself: text only, and little of it. Those that are too long, or refer to
/// one that is not declared before them, stay names, and so do external ones. Nothing can multiply.
struct DeclaredEntities {
  enum Outcome {
    case text(String, end: Int)
    case undeclared
    case incomplete
  }

  /// Asked for every reference of a document.
  private(set) var isEmpty = true
  private var texts: [String: String] = [:]
  /// The bytes that references may still become.
  private var left = 1 << 20

  private static let longestText = 4 << 10
  private static let longestName = 64

  /// Takes the insides of the declarations: ` name "text"`.
  mutating func declare(_ declarations: [[UInt8]], isWindows1252: Bool) {
    for declaration in declarations {
      declaration.withUnsafeBufferPointer { declare($0, isWindows1252) }
    }
  }

  private mutating func declare(_ bytes: UnsafeBufferPointer<UInt8>, _ isWindows1252: Bool) {
    guard let first = bytes.first, Bytes.isBlank(first), let start = bytes.firstIndex(where: { !Bytes.isBlank($0) })
    else { return }
    let nameEnd = TagScan.nameEnd(bytes, from: start)
    guard nameEnd > start, let open = bytes[nameEnd...].firstIndex(where: { !Bytes.isBlank($0) }), open > nameEnd,
      bytes[open] == UInt8(ascii: "\"") || bytes[open] == UInt8(ascii: "'"),
      let close = bytes[(open + 1)...].firstIndex(of: bytes[open])
    else { return }
    let name = String(decoding: bytes[start..<nameEnd], as: UTF8.self)
    guard texts[name] == nil, !Self.predefined.contains(name) else { return }
    let value = bytes[(open + 1)..<close]
    let source =
      isWindows1252
      ? String(String.UnicodeScalarView(value.map(HTMLEntities.windows1252))) : String(decoding: value, as: UTF8.self)
    texts[name] = text(of: source)
    isEmpty = texts.isEmpty
  }

  private static let predefined: Set<String> = ["lt", "gt", "amp", "quot", "apos"]

  /// The text with its references replaced: first characters, then entities, as XML has it.
  private mutating func text(of source: String) -> String? {
    var bytes = Array(Self.withoutNumbers(source).utf8)
    if bytes.contains(UInt8(ascii: "&")) {
      guard let replaced = replaced(bytes) else { return nil }
      bytes = replaced
    }
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter(Self.isAllowed)
    return bytes.count <= Self.longestText ? String(String.UnicodeScalarView(text)) : nil
  }

  /// Nil for a reference to nothing that is known.
  private mutating func replaced(_ bytes: [UInt8]) -> [UInt8]? {
    var output: [UInt8] = []
    var rest = bytes[...]
    while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")), output.count <= Self.longestText {
      output += rest[..<ampersand]
      guard let end = rest[ampersand...].firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let name = String(decoding: rest[(ampersand + 1)..<end], as: UTF8.self)
      if let text = texts[name] {
        output += text.utf8
      } else {
        let count = output.count
        HTMLTokenizer.appendDecoded(rest[ampersand...end], to: &output)
        guard output.count - count < end - ampersand + 1 else { return nil }
      }
      rest = rest[(end + 1)...]
    }
    return output + rest
  }

  /// The text with its numbered references decoded.
  private static func withoutNumbers(_ source: String) -> String {
    guard source.contains("&#") else { return source }
    var output: [UInt8] = []
    for (number, part) in source.split(separator: "&#", omittingEmptySubsequences: false).enumerated() {
      if number == 0 {
        output += part.utf8
      } else {
        let end = part.firstIndex(of: ";").map(part.index(after:)) ?? part.endIndex
        HTMLTokenizer.appendDecoded(Array("&#\(part[..<end])".utf8)[...], to: &output)
        output += part[end...].utf8
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    (scalar.value >= 0x20 || scalar == "\n" || scalar == "\t") && scalar.value & 0xFFFE != 0xFFFE
  }

  /// Reads the reference that an ampersand begins.
  mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, at ampersand: Int, isLast: Bool) -> Outcome {
    let start = ampersand + 1
    let end = TagScan.nameEnd(bytes, from: start)
    guard end > start || start == bytes.count, end - start <= Self.longestName else { return .undeclared }
    guard end < bytes.count else { return isLast ? .undeclared : .incomplete }
    guard bytes[end] == UInt8(ascii: ";"), let text = texts[String(decoding: bytes[start..<end], as: UTF8.self)],
      text.utf8.count <= left
    else { return .undeclared }
    left -= text.utf8.count
    return .text(text, end: end + 1)
  }
}
