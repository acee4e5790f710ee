/// A text as the full-text index gets it. Its tokenizer `unicode61` divides a text into words at blanks and punctuation, and
/// removes the diacritics of Latin letters only. So before that:
/// - Each letter of a script that has no blanks between words becomes a word.
/// - Letters, vowels and tones of India and Southeast Asia become letters of the private use area: `unicode61` divides words
///   at those that are combining marks.
/// - Greek, Russian, Hebrew and Arabic letters lose the signs that are left out when words are typed.
/// - Latin letters that are no letter with a diacritic become those that are typed for them: `strasse` finds Straße.
/// - Latin letters and digits as wide as Chinese ones become usual ones.
struct IndexedText {
  private(set) var bytes: [UInt8] = []
  /// At `at` in `bytes` and behind it, positions are larger than in the text by `by` more.
  private(set) var shifts: [(at: Int, by: Int)] = []

  /// Nil where the text stays as it is.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    var (index, copied, isAfterWord) = (0, 0, false)
    while index < text.count {
      // ASCII, and what follows the first byte of any letter.
      if text[index] < 0xc3, !isAfterWord {
        index += 1
        continue
      }
      let count = min(Letter.length(from: text[index]), text.count - index)
      let letter = Letter(text[index..<index + count])
      if letter.isWord || isAfterWord, index > 0 {
        bytes.append(contentsOf: text[copied..<index])
        copied = index
        bytes.append(0x20)
        shifts.append((bytes.count, 1))
      }
      if let other = letter.replacement {
        bytes.append(contentsOf: text[copied..<index])
        copied = index + count
        let longer = Self.append(other, to: &bytes) + (letter.second.map { Self.append($0, to: &bytes) } ?? 0) - count
        if longer != 0 { shifts.append((bytes.count, longer)) }
      }
      isAfterWord = letter.isWord
      index += count
    }
    guard copied > 0 else { return nil }
    bytes.append(contentsOf: text[copied...])
  }

  /// The same for a word, or for several.
  static func string(_ text: String) -> String {
    var text = text
    return text.withUTF8 { IndexedText($0).map { String(decoding: $0.bytes, as: UTF8.self) } } ?? text
  }

  /// Returns the number of its bytes.
  private static func append(_ scalar: UInt32, to bytes: inout [UInt8]) -> Int {
    let before = bytes.count
    switch scalar {
    case ..<0x80: bytes.append(UInt8(scalar))
    case ..<0x800: bytes += [0xc0 | UInt8(scalar >> 6), 0x80 | UInt8(scalar & 0x3f)]
    default: bytes += [0xe0 | UInt8(scalar >> 12), 0x80 | UInt8(scalar >> 6 & 0x3f), 0x80 | UInt8(scalar & 0x3f)]
    }
    return bytes.count - before
  }
}

/// A letter as the index has it.
private struct Letter {
  var isWord = false
  var replacement: UInt32?
  /// Behind the replacement.
  var second: UInt32?

  /// From its bytes, which may be cut off or wrong.
  init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    guard let lead = bytes.first, bytes.count > 1, bytes.count == Self.length(from: lead),
      bytes.dropFirst().allSatisfy({ $0 & 0xc0 == 0x80 })
    else { return }
    let bits = UInt32(lead) & (0x7f >> UInt32(bytes.count))
    let scalar = bytes.dropFirst().reduce(bits) { $0 << 6 | UInt32($1 & 0x3f) }
    switch scalar {
    case 0x0900..<0x0f00, 0x1000..<0x10a0, 0x1780..<0x1800:
      // India has blanks between words. Thai and Lao, Burmese, Khmer have none.
      isWord = scalar >= 0x0e00
      replacement = Self.isPunctuation(scalar) ? nil : 0xe000 + scalar - 0x0900
    case 0x3005..<0x3008, 0x3041..<0x3100, 0x31f0..<0x3200, 0xff66..<0xffa0: isWord = true  // Japanese
    case 0x3400..<0x4dc0, 0x4e00..<0xa000, 0xf900..<0xfb00, 0x2_0000..<0x4_0000: isWord = true  // Chinese
    case 0xff01..<0xff5f: replacement = scalar - 0xfee0
    case 0x00c6, 0x00e6: (replacement, second) = (0x61, 0x65)  // Æ
    case 0x00de, 0x00fe: (replacement, second) = (0x74, 0x68)  // Þ
    case 0x00df, 0x1e9e: (replacement, second) = (0x73, 0x73)  // ß
    case 0x0152, 0x0153: (replacement, second) = (0x6f, 0x65)  // Œ
    default: replacement = bytes.count == 2 ? Self.withoutSign(scalar) : nil
    }
  }

  static func length(from lead: UInt8) -> Int {
    switch lead {
    case 0xc0..<0xe0: 2
    case 0xe0..<0xf0: 3
    case 0xf0...: 4
    default: 1
    }
  }

  /// Of these scripts. The tables of Swift's library may differ from one podcli to another, and then so would the index.
  private static func isPunctuation(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0964, 0x0965, 0x0970, 0x0df4, 0x0e3f, 0x0e4f, 0x0e5a, 0x0e5b: true
    case 0x104a..<0x1050, 0x17d4..<0x17d7, 0x17d8..<0x17dc: true
    default: false
    }
  }

  private static func withoutSign(_ scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0x00d0, 0x00f0, 0x0110, 0x0111: 0x64  // Ð, Đ
    case 0x00d8, 0x00f8: 0x6f  // Ø
    case 0x0126, 0x0127: 0x68  // Ħ
    case 0x0131: 0x69
    case 0x0141, 0x0142: 0x6c  // Ł
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
    // Alef.
    case 0x0622, 0x0623, 0x0625: 0x0627
    // Points of Hebrew and Arabic, and the line that stretches a word: `unicode61` removes U+0300 within a word.
    case 0x0591..<0x05be, 0x05bf, 0x05c1, 0x05c2, 0x05c4, 0x05c5, 0x05c7: 0x0300
    case 0x0610..<0x061b, 0x0640, 0x064b..<0x0660, 0x0670: 0x0300
    default: nil
    }
  }
}
