/// Finds the end of a document type declaration, whose internal subset has tags, quotes and comments. Only the
/// declarations of entities in it are kept.
struct DeclarationSkipper {
  /// The inside of each `<!ENTITY …>`.
  private(set) var entities: [[UInt8]] = []

  private var depth = 1
  private var quote: UInt8?
  private var isComment = false
  /// The last four bytes, to recognise the ends of comments across chunks.
  private var recent: UInt32 = 0
  /// The bytes of the open declaration.
  private var inner: [UInt8] = []

  /// A longer declaration is not kept.
  private static let longest = 8 << 10
  private static let mostEntities = 1000

  /// The index behind the declaration; nil while its end is missing.
  mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    for index in start..<bytes.count {
      let byte = bytes[index]
      recent = recent << 8 | UInt32(byte)
      if depth > 1, !isComment, inner.count <= Self.longest { inner.append(byte) }
      if isComment {
        if recent & 0xFFFFFF == 0x2D_2D3E { isComment = false }
      } else if let open = quote {
        if byte == open { quote = nil }
      } else if take(byte) {
        return index + 1
      }
    }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "<"):
      depth += 1
      inner.removeAll(keepingCapacity: true)
    case UInt8(ascii: ">"):
      depth -= 1
      keepEntity()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
    case UInt8(ascii: "-") where recent == 0x3C21_2D2D:
      isComment = true
      depth -= 1
    default: break
    }
    return depth == 0
  }

  private mutating func keepEntity() {
    guard depth == 1, inner.starts(with: "!ENTITY".utf8), inner.count <= Self.longest,
      entities.count < Self.mostEntities
    else { return }
    entities.append(Array(inner.dropFirst(7).dropLast()))
  }
}
