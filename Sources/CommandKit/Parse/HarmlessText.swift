extension String {
  /// Fit for a terminal: what was typed, or comes from a feed, may hold escape sequences or turn the writing around.
  var harmless: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.map { $0.isHarmless ? $0 : "\u{FFFD}" })
    return String(scalars)
  }

  var isHarmless: Bool { unicodeScalars.allSatisfy(\.isHarmless) }
}

extension Unicode.Scalar {
  /// Not so are controls, line breaks, bidirectional overrides, invisible characters, tags and noncharacters. Joiners
  /// and variation selectors are: emoji and many scripts need them.
  package var isHarmless: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2064,
      0x2066...0x2069, 0xFDD0...0xFDEF, 0xFEFF, 0xE0000...0xE007F:
      false
    default: value & 0xFFFE != 0xFFFE
    }
  }
}
