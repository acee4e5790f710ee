/// A text as the full-text index gets it. The index divides a text into words at blanks and punctuation, and removes the
/// diacritics of Latin letters only (`unicode61`). So before that, each letter of a script that has no blanks between words
/// is made a word, and Greek and Russian letters lose the signs that are left out when words are typed.
struct IndexedText {
  private(set) var bytes: [UInt8] = []
  /// The places in `bytes` of the blanks that the text does not have. Everything else is as long as in the text.
  private(set) var blanks: [Int] = []

  /// Nil where the text stays as it is.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.indices.first(where: { Self.mayChange(text, at: $0) }) else { return nil }
    bytes.reserveCapacity(text.count + text.count / 3)
    bytes.append(contentsOf: text[..<first])
    var isAfterAlone = false
    var index = first
    while index < text.count {
      let count = min(Self.length(from: text[index]), text.count - index)
      let scalar = Self.scalar(text[index..<index + count])
      let isAlone = Self.isWord(scalar)
      if isAlone || isAfterAlone, !bytes.isEmpty {
        blanks.append(bytes.count)
        bytes.append(0x20)
      }
      if count == 2, let plain = Self.withoutSign(scalar) {
        bytes += [0xc0 | UInt8(plain >> 6), 0x80 | UInt8(plain & 0x3f)]
      } else {
        bytes.append(contentsOf: text[index..<index + count])
      }
      isAfterAlone = isAlone
      index += count
    }
  }

  /// The same for a word, or for several.
  static func string(_ text: String) -> String {
    var text = text
    return text.withUTF8 { IndexedText($0).map { String(decoding: $0.bytes, as: UTF8.self) } } ?? text
  }

  // MARK: Letters

  /// By the first byte of a letter, and of four bytes the second one: emoji are not looked at any further.
  private static func mayChange(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    switch text[index] {
    case 0xce...0xd1, 0xe0, 0xe1, 0xe3...0xe9, 0xef: true
    case 0xf0: index + 1 < text.count && text[index + 1] >= 0xa0
    default: false
    }
  }

  private static func length(from lead: UInt8) -> Int {
    switch lead {
    case 0xc0..<0xe0: 2
    case 0xe0..<0xf0: 3
    case 0xf0...: 4
    default: 1
    }
  }

  private static func scalar(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
    guard let lead = bytes.first, bytes.count > 1 else { return 0 }
    let bits = UInt32(lead) & (0x7f >> UInt32(bytes.count))
    return bytes.dropFirst().reduce(bits) { $0 << 6 | UInt32($1 & 0x3f) }
  }

  private static func isWord(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0e00..<0x0f00, 0x1000..<0x10a0, 0x1780..<0x1800: true  // Thai and Lao, Burmese, Khmer
    case 0x3005..<0x3008, 0x3041..<0x3100, 0x31f0..<0x3200, 0xff66..<0xffa0: true  // Japanese
    case 0x3400..<0x4dc0, 0x4e00..<0xa000, 0xf900..<0xfb00, 0x2_0000..<0x4_0000: true  // Chinese
    default: false
    }
  }

  private static func withoutSign(_ scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0x0386: 0x0391
    case 0x0388: 0x0395
    case 0x0389: 0x0397
    case 0x038a, 0x03aa: 0x0399
    case 0x038c: 0x039f
    case 0x038e, 0x03ab: 0x03a5
    case 0x038f: 0x03a9
    case 0x03ac: 0x03b1
    case 0x03ad: 0x03b5
    case 0x03ae: 0x03b7
    case 0x0390, 0x03af, 0x03ca: 0x03b9
    case 0x03cc: 0x03bf
    case 0x03b0, 0x03cb, 0x03cd: 0x03c5
    case 0x03ce: 0x03c9
    case 0x0401: 0x0415
    case 0x0451: 0x0435
    default: nil
    }
  }
}
