/// Tells a JSON document from all others by its first two bytes besides blanks: `{` and the quote of a name.
struct FormatGuess {
  private(set) var isJSON = false
  /// True until there are enough bytes.
  private(set) var isOpen = true
  private var start: [UInt8] = []

  /// No document has so many blanks first.
  private static let longest = 1 << 10

  /// Decides by the bytes so far. Returns those that were kept back before these; nil while nothing is decided, when these
  /// are kept back, too.
  mutating func decide(by bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    let isJSON = Self.verdict(start + bytes.prefix(Self.longest))
    guard isJSON != nil || start.count > Self.longest else {
      start += bytes
      return nil
    }
    self.isJSON = isJSON ?? false
    return takeEnd()
  }

  /// The bytes that were kept back.
  mutating func takeEnd() -> [UInt8] {
    isOpen = false
    defer { start = [] }
    return start
  }

  private static func verdict(_ bytes: [UInt8]) -> Bool? {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop(while: Bytes.isBlank)
    guard let first = rest.first else { return nil }
    // A byte-order mark of which the rest is missing.
    if first == 0xEF, rest.startIndex == 0, bytes.count < 3 { return nil }
    guard first == UInt8(ascii: "{") else { return false }
    return rest.dropFirst().first { !Bytes.isBlank($0) }.map { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "}") }
  }
}
