extension String {
  /// The text without escape sequences and bidirectional overrides, which typed words and feeds may have.
  var harmless: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.map { $0.isHarmless ? $0 : "\u{FFFD}" })
    return String(scalars)
  }

  var isHarmless: Bool { unicodeScalars.allSatisfy(\.isHarmless) }
}

extension Unicode.Scalar {
  /// False for controls, line breaks, bidirectional overrides, invisible characters, tags and noncharacters. True for
  /// joiners and variation selectors, which emoji and many scripts need.
  var isHarmless: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2064,
      0x2066...0x2069, 0xFDD0...0xFDEF, 0xFEFF, 0xE0000...0xE007F:
      false
    default: value & 0xFFFE != 0xFFFE
    }
  }
}
