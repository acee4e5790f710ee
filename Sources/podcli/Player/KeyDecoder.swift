/// A key as typed.
enum Key: Hashable, Sendable {
  case character(Character)
  case up, down, left, right
  case escape

  /// As `PlayerCommandTable` calls it.
  var name: String {
    switch self {
    case .character(" "): "space"
    case .character(let character): String(character)
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .escape: "escape"
    }
  }
}

/// Bytes from a terminal → keys. Pure; keeps an unfinished escape sequence for the next bytes.
struct KeyDecoder {
  private var pending: [UInt8] = []

  mutating func take(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending.append(contentsOf: bytes)
    var keys: [Key] = []
    while let (key, length) = first() {
      pending.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// The first key and how many bytes it takes; a nil key is an escape sequence without a meaning here.
  private func first() -> (Key?, Int)? {
    guard let byte = pending.first else { return nil }
    if byte == 0x1B { return escapeSequence() }
    let length = byte < 0x80 ? 1 : byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
    guard pending.count >= length else { return nil }
    let text = String(decoding: pending[..<length], as: UTF8.self)
    return (text.first.map { .character($0) }, length)
  }

  private func escapeSequence() -> (Key?, Int)? {
    // It may begin a longer sequence that was cut here. Alone it means nothing, so it can wait for the next key.
    guard pending.count > 1 else { return nil }
    guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else { return (.escape, 1) }
    guard let end = pending.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else { return nil }
    let arrows: [UInt8: Key] = [
      UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    ]
    return (arrows[pending[end]], end + 1)
  }
}
