extension String {
  /// Fit for a terminal: what was typed, or comes from a feed, may hold escape sequences or turn the writing around.
  var harmless: String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: unicodeScalars.map { Self.isHarmless($0) ? $0 : "\u{FFFD}" })
    return String(scalars)
  }

  var isHarmless: Bool { unicodeScalars.allSatisfy(Self.isHarmless) }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory != .control && !scalar.properties.isBidiControl
  }
}
