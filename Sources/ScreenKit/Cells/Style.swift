/// How a cell looks: one of the terminal's own 16 colours, and attributes that keep their meaning without colours.
package struct Style: Hashable, Sendable {
  /// The terminal's colours, as its user has set them; the background is always the terminal's.
  package enum Color: UInt8, Sendable {
    case standard, red, green, yellow, blue, magenta, cyan, gray

    /// The parameter of SGR.
    var code: Int {
      switch self {
      case .standard: 39
      case .gray: 90
      default: 30 + Int(rawValue)
      }
    }
  }

  /// Attributes, which every terminal has.
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let underline = Attributes(rawValue: 4)
    package static let reverse = Attributes(rawValue: 8)

    static let codes: [(Attributes, Int)] = [(.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7)]
  }

  package var color: Color
  package var attributes: Attributes

  package init(_ attributes: Attributes = [], _ color: Color = .standard) {
    self.color = color
    self.attributes = attributes
  }

  package static let plain = Style()
  package static let bold = Style(.bold)
  package static let dim = Style(.dim)

  /// The same with further attributes.
  package func with(_ more: Attributes) -> Style { Style(attributes.union(more), color) }

  /// The sequence that sets this style whatever was set before.
  func sequence(usesColor: Bool) -> String {
    var codes = [0] + Attributes.codes.filter { attributes.contains($0.0) }.map(\.1)
    if usesColor, color != .standard { codes.append(color.code) }
    return "\u{1B}[" + codes.map { String($0) }.joined(separator: ";") + "m"
  }
}
