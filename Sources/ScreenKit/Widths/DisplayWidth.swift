/// Measures text in the cells of a terminal.
package enum DisplayWidth {
  /// The cells of a text on one line.
  package static func of(_ text: String) -> Int {
    let isASCII = text.utf8.withContiguousStorageIfAvailable { bytes in bytes.allSatisfy { $0 < 0x80 } }
    if isASCII == true { return text.utf8.count }
    if isSimple(text) { return text.unicodeScalars.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// Whether each scalar is a glyph of one cell, as nearly all are that a screen shows. Looking properties of characters up
  /// takes most of the time of drawing.
  static func isSimple(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x20..<0x7F, 0xA1..<0xAD, 0xAE..<0x300: true
      // Dashes, quotes, the ellipsis; lines and blocks; the marks of the screen.
      case 0x2010..<0x2028, 0x203A, 0x2193, 0x21BB, 0x2500...0x25A0, 0x25CF, 0x2605, 0x2713: true
      default: isPlayerMark(scalar)
      }
    }
  }

  /// ▶ and ⏸, which begin the line of the player. Some terminals take them for emoji.
  static func isPlayerMark(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0x25B6 || scalar.value == 0x23F8 }

  /// Cuts a text to a width, with an ellipsis at the cut.
  package static func fitted(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    guard width > 0 else { return "" }
    if isSimple(text) {
      var cut = text.unicodeScalars.prefix(width - 1)
      while cut.last == " " { cut.removeLast() }
      return String(cut) + "…"
    }
    var result = ""
    var used = 0
    for character in text {
      let cells = of(character)
      guard used + cells <= width - 1 else { break }
      used += cells
      result.append(character)
    }
    while result.last == " " { result.removeLast() }
    return result + "…"
  }

  /// Cuts or pads a text to exactly `width`.
  package static func column(_ text: String, _ width: Int, alignedRight: Bool = false) -> String {
    let text = fitted(text, to: width)
    let fill = String(repeating: " ", count: max(0, width - of(text)))
    return alignedRight ? fill + text : text + fill
  }

  /// The cells of a character: 0, 1 or 2, or more for a syllable of an Indic script. Terminals that take fewer for it leave
  /// a gap; counting fewer than they take would overwrite its end.
  package static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // An emoji variation selector, a flag of two regional letters and a joined sequence each take two cells.
    if scalars.count > 1, scalars.contains(where: { $0.value == 0xFE0F }) || isRegional(first) { return 2 }
    if scalars.count == 1 || first.properties.isEmoji { return cells(of: first) }
    return scalars.reduce(0) { $0 + (isJoined($1) ? 0 : cells(of: $1)) }
  }

  private static func cells(of scalar: Unicode.Scalar) -> Int { isWide(scalar) ? 2 : isZeroWidth(scalar) ? 0 : 1 }

  /// A vowel or a final consonant of a Hangul syllable.
  private static func isJoined(_ scalar: Unicode.Scalar) -> Bool { (0x1160...0x11FF).contains(scalar.value) }

  /// Terminals differ about the width of this character: all but a single scalar that every version of Unicode gives one
  /// cell, or two as East Asian.
  static func isContested(_ character: Character) -> Bool {
    let scalars = character.unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return true }
    if first.value < 0x300 { return false }
    let properties = first.properties
    return properties.isEmoji || isZeroWidth(first) || (0x1100...0x11FF).contains(first.value)
      || properties.generalCategory == .unassigned || properties.generalCategory == .privateUse
  }

  private static func isRegional(_ scalar: Unicode.Scalar) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar.value)
  }

  private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    default: false
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
