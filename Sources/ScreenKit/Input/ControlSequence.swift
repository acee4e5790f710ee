/// A complete sequence that begins with `CSI`, and the input that it means.
struct ControlSequence {
  let length: Int
  private(set) var input: Input?
  private(set) var isPasteStart = false

  /// Nil where the end is still to come.
  init?(_ bytes: ArraySlice<UInt8>) {
    let body = bytes.dropFirst(2)
    // The function keys of the Linux console: `[` and a letter.
    if body.first == UInt8(ascii: "[") {
      guard let letter = body.dropFirst().first else { return nil }
      length = 4
      let number = Int(letter) - 0x40
      if (1...5).contains(number) { input = .key(Key(.function(number))) }
      return
    }
    // A control character inside a sequence ends it.
    guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else { return nil }
    let final = bytes[end]
    // The oldest mouse report: three bytes behind the M.
    if final == UInt8(ascii: "M"), end == body.startIndex {
      guard bytes.endIndex - end > 3 else { return nil }
      length = 6
      input = Self.mouse(
        code: Int(bytes[end + 1]) - 32, column: Int(bytes[end + 2]) - 33, row: Int(bytes[end + 3]) - 33,
        isRelease: false)
      return
    }
    guard (0x40...0x7E).contains(final) else {
      length = end - bytes.startIndex
      return
    }
    length = end - bytes.startIndex + 1
    read(body[..<end], final)
  }

  private mutating func read(_ body: ArraySlice<UInt8>, _ final: UInt8) {
    let isMouse = body.first == UInt8(ascii: "<")
    if final == UInt8(ascii: "c"), body.first == UInt8(ascii: "?"),
      body.dropFirst().allSatisfy({ (0x30...0x3B).contains($0) })
    {
      input = .attributes(Self.numbers(body.dropFirst()))
      return
    }
    // `?`, `>` and `=` begin the answers to queries, and a `$` or blank is in others.
    let digits = isMouse ? body.dropFirst() : body
    guard digits.allSatisfy({ (0x30...0x3B).contains($0) }) else { return }
    let numbers = Self.numbers(digits)
    func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
    if isMouse {
      guard final == UInt8(ascii: "M") || final == UInt8(ascii: "m"), numbers.count == 3 else { return }
      input = Self.mouse(
        code: number(0), column: number(1) - 1, row: number(2) - 1, isRelease: final == UInt8(ascii: "m"))
      return
    }
    let modifiers = Key.Modifiers(rawValue: max(0, number(1) - 1) & 7)
    switch final {
    case UInt8(ascii: "~") where number(0) == 200: isPasteStart = true
    case UInt8(ascii: "~") where number(0) == 27: input = Self.typed(number(2), modifiers)
    case UInt8(ascii: "~"): input = Self.numbered[number(0)].map { .key(Key($0, modifiers)) }
    case UInt8(ascii: "u"): input = Self.typed(number(0), modifiers)
    case UInt8(ascii: "Z"): input = .key(Key(.tab, .shift))
    case UInt8(ascii: "I") where numbers.isEmpty: input = .focus(true)
    case UInt8(ascii: "O") where numbers.isEmpty: input = .focus(false)
    case UInt8(ascii: "R"): break
    default: input = Self.key(final: final).map { .key(Key($0, modifiers)) }
    }
  }

  /// Parameters, and of each only what stands before a colon. A number too long is 0.
  private static func numbers(_ digits: ArraySlice<UInt8>) -> [Int] {
    if digits.isEmpty { return [] }
    return digits.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
      let number = field.prefix { $0 != UInt8(ascii: ":") }
      return number.count > 7 ? 0 : number.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
  }

  // MARK: Keys

  /// The key of a final byte, behind `CSI` and `SS3` alike.
  static func key(final: UInt8) -> Key.Code? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final) - 0x4F)
    default: nil
    }
  }

  private static let numbered: [Int: Key.Code] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .function(1),
    12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6), 18: .function(7),
    19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
  ]

  /// A key by its code point, of the kitty protocol and of xterm's `modifyOtherKeys`.
  private static func typed(_ code: Int, _ modifiers: Key.Modifiers) -> Input? {
    let named: [Int: Key.Code] = [9: .tab, 13: .enter, 27: .escape, 127: .backspace]
    if let code = named[code] { return .key(Key(code, modifiers)) }
    // The private use area holds keys that are not characters.
    guard code >= 32, !(0x7F..<0xA0).contains(code), !(0xE000...0xF8FF).contains(code),
      let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init)
    else { return nil }
    let isUpper = modifiers.contains(.shift) && modifiers.isDisjoint(with: [.alt, .control])
    let text = isUpper ? String(scalar).uppercased() : String(scalar)
    return text.first.map { .key(Key(.character($0), modifiers.subtracting(.shift))) }
  }

  // MARK: Mouse

  private static func mouse(code: Int, column: Int, row: Int, isRelease: Bool) -> Input? {
    guard column >= 0, row >= 0 else { return nil }
    let point = Point(column: column, row: row)
    // Shift, alt and control are bits 4 to 16; 32 is motion.
    switch code & ~28 {
    case 64: return .mouse(Mouse(action: .wheelUp, point: point))
    case 65: return .mouse(Mouse(action: .wheelDown, point: point))
    case 0: return .mouse(Mouse(action: isRelease ? .release : .press, point: point))
    case 3: return .mouse(Mouse(action: .release, point: point))
    default: return nil
    }
  }
}
