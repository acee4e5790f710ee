/// Bytes from a terminal → input. Pure. An unfinished sequence is kept for the next bytes; `flush` gives it up, once no
/// byte has followed for a while, so that the Escape key alone is one.
///
/// Answers to queries may come at any time and are swallowed, as are sequences without a meaning here.
package struct InputDecoder: Sendable {
  private var pending: [UInt8] = []
  /// Inside a bracketed paste, or a string that a terminal sends.
  private var mode = Mode.keys
  /// The byte that began a string of which nothing has come yet: with Alt it is a key.
  private var introducer: UInt8?
  private var pasted: [UInt8] = []

  private enum Mode { case keys, paste, string }

  static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// More of a paste is dropped: no line of the screen takes a novel.
  private static let longestPaste = 65_536
  /// No sequence is longer.
  static let longestSequence = 64

  package init() {}

  /// A sequence has begun, and more of it may follow.
  package var isWaiting: Bool {
    switch mode {
    case .keys: !pending.isEmpty
    case .string: introducer != nil || !pending.isEmpty
    case .paste: false
    }
  }

  /// An answer of the terminal has begun, and its end has not come.
  package var isInString: Bool { mode == .string }

  /// Takes what comes for keys again: the end of the answer was lost.
  package mutating func leaveString() {
    if mode == .string { mode = .keys }
  }

  package mutating func take(_ bytes: some Sequence<UInt8>) -> [Input] {
    pending.append(contentsOf: bytes)
    var inputs: [Input] = []
    var rest = pending[...]
    while !rest.isEmpty, let (input, length) = next(rest) {
      if let input { inputs.append(input) }
      rest = rest.dropFirst(length)
    }
    pending = Array(rest)
    return inputs
  }

  /// No byte has followed for a while.
  package mutating func flush() -> [Input] {
    guard isWaiting else { return [] }
    defer { (pending, introducer, mode) = ([], nil, .keys) }
    if pending == [Self.escape] { return [.key(Key(.escape))] }
    // With Alt, [ and O begin as sequences do, and P, X, ], ^ and _ as strings.
    guard let byte = introducer ?? (pending.count == 2 && pending[0] == Self.escape ? pending[1] : nil) else {
      return []
    }
    return [.key(Key(.character(Character(Unicode.Scalar(byte))), .alt))]
  }

  /// The first input and the bytes it takes; nil where it is not complete.
  private mutating func next(_ bytes: ArraySlice<UInt8>) -> (Input?, Int)? {
    switch mode {
    case .keys: key(bytes)
    case .paste: paste(bytes)
    case .string: string(bytes)
    }
  }

  // MARK: Keys

  private mutating func key(_ bytes: ArraySlice<UInt8>) -> (Input?, Int)? {
    let first = bytes[bytes.startIndex]
    if first == Self.escape { return escapeSequence(bytes) }
    if first < 0x80 { return (.key(Self.plainKey(first)), 1) }
    return character(bytes)
  }

  /// A byte below 0x80: a character or a control key.
  private static func plainKey(_ byte: UInt8) -> Key {
    switch byte {
    case 0x0A, 0x0D: Key(.enter)
    case 0x09: Key(.tab)
    case 0x08, 0x7F: Key(.backspace)
    case 0: Key(.character(" "), .control)
    case 1..<0x1B: Key(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    case ..<0x20: Key(.character(Character(Unicode.Scalar(byte + 0x40))), .control)
    default: .character(Character(Unicode.Scalar(byte)))
    }
  }

  /// A byte that does not belong to UTF-8 is dropped.
  private func character(_ bytes: ArraySlice<UInt8>) -> (Input?, Int)? {
    let first = bytes[bytes.startIndex]
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    guard length > 1, first < 0xF5 else { return (nil, 1) }
    let rest = bytes.dropFirst().prefix(length - 1)
    if let wrong = rest.firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (nil, wrong - bytes.startIndex) }
    guard bytes.count >= length else { return nil }
    guard let text = String(validating: bytes.prefix(length), as: UTF8.self), let character = text.first else {
      return (nil, length)
    }
    // A C1 control is no key.
    if let scalar = character.unicodeScalars.first, scalar.value < 0xA0 { return (nil, length) }
    return (.key(.character(character)), length)
  }

  private mutating func escapeSequence(_ bytes: ArraySlice<UInt8>) -> (Input?, Int)? {
    guard bytes.count > 1 else { return nil }
    let second = bytes[bytes.startIndex + 1]
    switch second {
    case UInt8(ascii: "["):
      guard let sequence = ControlSequence(bytes) else {
        return bytes.count > Self.longestSequence ? (nil, bytes.count) : nil
      }
      if sequence.isPasteStart { mode = .paste }
      return (sequence.input, sequence.length)
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return (ControlSequence.key(final: bytes[bytes.startIndex + 2]).map { .key(Key($0)) }, 3)
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      (mode, introducer) = (.string, second)
      return (nil, 2)
    case Self.escape: return (.key(Key(.escape)), 1)
    case 0x20..<0x7F: return (.key(Key(.character(Character(Unicode.Scalar(second))), .alt)), 2)
    default: return (.key(Key(.escape)), 1)
    }
  }

  // MARK: Paste and strings

  private mutating func paste(_ bytes: ArraySlice<UInt8>) -> (Input?, Int)? {
    if let end = bytes.firstRange(of: Self.pasteEnd) {
      keep(bytes[..<end.lowerBound])
      let text = String(decoding: pasted, as: UTF8.self)
      (mode, pasted) = (.keys, [])
      return (.paste(text), end.upperBound - bytes.startIndex)
    }
    // The last bytes may be the beginning of the end.
    let length = bytes.count - (Self.pasteEnd.count - 1)
    guard length > 0 else { return nil }
    keep(bytes.prefix(length))
    return (nil, length)
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    pasted += bytes.prefix(max(0, Self.longestPaste - pasted.count))
  }

  /// An answer of the terminal: until the string terminator, a bell, or an escape that begins something else.
  private mutating func string(_ bytes: ArraySlice<UInt8>) -> (Input?, Int)? {
    introducer = nil
    guard let end = bytes.firstIndex(where: { $0 == 7 || $0 == Self.escape || $0 == 0x18 || $0 == 0x1A }) else {
      return (nil, bytes.count)
    }
    if bytes[end] != Self.escape {
      mode = .keys
      return (nil, end - bytes.startIndex + 1)
    }
    guard end + 1 < bytes.endIndex else { return end > bytes.startIndex ? (nil, end - bytes.startIndex) : nil }
    mode = .keys
    return (nil, end - bytes.startIndex + (bytes[end + 1] == UInt8(ascii: "\\") ? 2 : 0))
  }
}
