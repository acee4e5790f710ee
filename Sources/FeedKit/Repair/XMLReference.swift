import PodcastModel
internal import Text

/// Reads the character reference or entity that an ampersand begins.
enum XMLReference {
  enum Outcome {
    /// A reference that XML knows.
    case clean(end: Int)
    /// A character to write out, with the range of its name when only HTML knows it.
    case character(Unicode.Scalar, end: Int, name: Range<Int>?)
    /// A number of no character that XML allows.
    case nothing(end: Int)
    /// An ampersand that begins no reference.
    case bare
    case incomplete
  }

  private static let longestName = 32

  static func read(_ bytes: UnsafeBufferPointer<UInt8>, at ampersand: Int, isLast: Bool) -> Outcome {
    let start = ampersand + 1
    guard start < bytes.count else { return isLast ? .bare : .incomplete }
    return bytes[start] == UInt8(ascii: "#")
      ? numbered(bytes, start + 1, isLast) : named(bytes, ampersand, isLast)
  }

  /// The character of one of XML's own entities, and the index behind it; nil for any other reference, and for one that may
  /// continue in the next chunk.
  @inline(__always)
  static func predefined(_ bytes: UnsafeBufferPointer<UInt8>, at ampersand: Int) -> (character: UInt8, end: Int)? {
    let start = ampersand + 1
    guard bytes.count - start >= 5, let base = bytes.baseAddress else { return nil }
    let word = UnsafeRawPointer(base + start).loadUnaligned(as: UInt32.self)
    switch (word.littleEndian & 0xFF_FFFF, bytes[start + 3], bytes[start + 4]) {
    case (Self.three("lt;"), _, _): return (UInt8(ascii: "<"), start + 3)
    case (Self.three("gt;"), _, _): return (UInt8(ascii: ">"), start + 3)
    case (Self.three("amp"), UInt8(ascii: ";"), _): return (UInt8(ascii: "&"), start + 4)
    case (Self.three("quo"), UInt8(ascii: "t"), UInt8(ascii: ";")): return (UInt8(ascii: "\""), start + 5)
    default: return nil
    }
  }

  @inline(__always) private static func three(_ text: StaticString) -> UInt32 {
    UInt32(text.utf8Start[0]) | UInt32(text.utf8Start[1]) << 8 | UInt32(text.utf8Start[2]) << 16
  }

  private static func named(_ bytes: UnsafeBufferPointer<UInt8>, _ ampersand: Int, _ isLast: Bool) -> Outcome {
    let start = ampersand + 1
    var end = start
    while end < bytes.count, end - start <= longestName, Bytes.isLetter(bytes[end]) || Bytes.isDigit(bytes[end]) {
      end += 1
    }
    guard end < bytes.count else { return isLast ? .bare : .incomplete }
    guard bytes[end] == UInt8(ascii: ";"), end > start else { return .bare }
    let name = UnsafeBufferPointer(rebasing: bytes[start..<end])
    if isPredefined(bytes, start, end) { return .clean(end: end + 1) }
    guard let scalar = HTMLEntities.scalar(named: name) ?? loudEntity(name) else { return .bare }
    return .character(scalar, end: end + 1, name: ampersand..<end + 1)
  }

  /// `&NBSP;`, and the capital letter of a small one that is known: `&Gbreve;`
  private static func loudEntity(_ name: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
    guard name.contains(where: isCapital),
      let scalar = name.map(Bytes.lowercased).withUnsafeBufferPointer(HTMLEntities.scalar(named:))
    else { return nil }
    let isCapitalized = isCapital(name[0]) && !name.dropFirst().contains(where: isCapital)
    // Not of signs: the capital of `&Micro;` would be a letter of Greek.
    guard isCapitalized, let capital = scalar.properties.uppercaseMapping.unicodeScalars.first,
      capital.properties.lowercaseMapping == String(scalar)
    else { return scalar }
    return capital
  }

  private static func isCapital(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

  private static func isPredefined(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
    switch end - start {
    case 2: Bytes.hasPrefix(bytes, at: start, "lt") || Bytes.hasPrefix(bytes, at: start, "gt")
    case 3: Bytes.hasPrefix(bytes, at: start, "amp")
    case 4: Bytes.hasPrefix(bytes, at: start, "quot") || Bytes.hasPrefix(bytes, at: start, "apos")
    default: false
    }
  }

  // MARK: - Numbers

  private static func numbered(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool) -> Outcome {
    guard start < bytes.count else { return isLast ? .bare : .incomplete }
    let isHexadecimal = bytes[start] | 0x20 == UInt8(ascii: "x")
    guard let (number, end) = digits(bytes, isHexadecimal ? start + 1 : start, isHexadecimal, isLast) else {
      return .bare
    }
    guard end < bytes.count || isLast else { return .incomplete }
    let isClosed = end < bytes.count && bytes[end] == UInt8(ascii: ";")
    let next = isClosed ? end + 1 : end
    if 0xD800...0xDBFF ~= number { return surrogates(number, bytes, next, isLast) }
    if 0xC2...0xF4 ~= number, let spelled = spelledBytes(number, bytes, next, isLast) { return spelled }
    let isPlain = isClosed && !(isHexadecimal && bytes[start] == UInt8(ascii: "X"))
    return outcome(number, next, isPlain: isPlain)
  }

  private static func outcome(_ number: UInt32, _ end: Int, isPlain: Bool) -> Outcome {
    let isControl = number < 0x20 && number != 0x09 && number != 0x0A && number != 0x0D
    guard !isControl, number & 0xFFFE != 0xFFFE, let scalar = HTMLEntities.scalar(numbered: number) else {
      return .nothing(end: end)
    }
    if isPlain, !(0x80...0x9F ~= number) { return .clean(end: end) }
    return .character(scalar, end: end, name: nil)
  }

  /// A high surrogate, whose low surrogate follows as another reference.
  private static func surrogates(
    _ high: UInt32, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Outcome {
    guard start + 2 < bytes.count || isLast else { return .incomplete }
    guard Bytes.hasPrefix(bytes, at: start, "&#"), start + 2 < bytes.count else { return .nothing(end: start) }
    let isHexadecimal = bytes[start + 2] | 0x20 == UInt8(ascii: "x")
    guard let (low, end) = digits(bytes, start + (isHexadecimal ? 3 : 2), isHexadecimal, isLast) else {
      return .nothing(end: start)
    }
    guard end < bytes.count || isLast else { return .incomplete }
    guard 0xDC00...0xDFFF ~= low, let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) else {
      return .nothing(end: start)
    }
    return .character(scalar, end: end < bytes.count && bytes[end] == UInt8(ascii: ";") ? end + 1 : end, name: nil)
  }

  /// The bytes of a character, each as a reference: `&#226;&#128;&#166;`. Nil when they are characters, after all: a
  /// letter before a quotation mark (`É»`) looks like two bytes, so two bytes count only with a control.
  private static func spelledBytes(
    _ first: UInt32, _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isLast: Bool
  ) -> Outcome? {
    var units = [UInt8(first)]
    var end = start
    for _ in 0..<(first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3) {
      guard end < bytes.count || isLast else { return .incomplete }
      guard end + 2 < bytes.count || isLast || !"&#".utf8.starts(with: bytes[end...].prefix(2)) else {
        return .incomplete
      }
      guard Bytes.hasPrefix(bytes, at: end, "&#"), let (unit, next) = digits(bytes, end + 2, false, isLast) else {
        return nil
      }
      guard next < bytes.count || isLast else { return .incomplete }
      guard 0x80...0xBF ~= unit, next < bytes.count, bytes[next] == UInt8(ascii: ";") else { return nil }
      units.append(UInt8(unit))
      end = next + 1
    }
    guard units.count > 2 || units[1] < 0xA0, let text = String(validating: units, as: UTF8.self) else { return nil }
    return text.unicodeScalars.first.map { .character($0, end: end, name: nil) }
  }

  /// Reads at most ten digits; nil when there is none, and none can follow in the next chunk.
  private static func digits(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ isHexadecimal: Bool, _ isLast: Bool
  ) -> (number: UInt32, end: Int)? {
    var number: UInt64 = 0
    var index = start
    while index < bytes.count, index - start < 10, let digit = digit(bytes[index], isHexadecimal) {
      number = number * (isHexadecimal ? 16 : 10) + UInt64(digit)
      index += 1
    }
    guard index > start || (index == bytes.count && !isLast) else { return nil }
    return (UInt32(clamping: number), index)
  }

  private static func digit(_ byte: UInt8, _ isHexadecimal: Bool) -> UInt8? {
    if Bytes.isDigit(byte) { return byte - 0x30 }
    let letter = byte | 0x20
    return isHexadecimal && letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : nil
  }
}
