/// Finds the end of a document type declaration, whose internal subset has tags, quotes and comments. Nothing in it is
/// used: its entities could only do harm.
struct DeclarationSkipper {
  private var depth = 1
  private var quote: UInt8?
  private var isComment = false
  /// The last four bytes, to recognise the ends of comments across chunks.
  private var recent: UInt32 = 0

  /// The index behind the declaration; nil while its end is missing.
  mutating func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    for index in start..<bytes.count {
      let byte = bytes[index]
      recent = recent << 8 | UInt32(byte)
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
    case UInt8(ascii: "<"): depth += 1
    case UInt8(ascii: ">"): depth -= 1
    case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
    case UInt8(ascii: "-") where recent == 0x3C21_2D2D:
      isComment = true
      depth -= 1
    default: break
    }
    return depth == 0
  }
}
