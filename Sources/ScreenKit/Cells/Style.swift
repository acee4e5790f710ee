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

    /// The parameters of SGR, as digits.
    static let codes: [(Attributes, UInt8)] = [(.bold, 0x31), (.dim, 0x32), (.underline, 0x34), (.reverse, 0x37)]
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

  /// The same in another colour. Outside of this target a set of attributes in brackets is made by a generic function, whose
  /// first call alone takes a tenth of the time of drawing.
  package func with(_ color: Color) -> Style { Style(attributes, color) }

  /// The sequence that sets this style whatever was set before.
  func sequence(usesColor: Bool) -> String {
    var bytes: [UInt8] = []
    append(to: &bytes, after: nil, usesColor: usesColor)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The same, without a text: a screen has hundreds of them. After a style that is known and of which all stays, only
  /// what comes to it.
  func append(to bytes: inout [UInt8], after known: Style?, usesColor: Bool) {
    var (new, old) = (self, known ?? .plain)
    if !usesColor { (new.color, old.color) = (.standard, .standard) }
    if known != nil, new == old { return }
    let staysAll = new.attributes.isSuperset(of: old.attributes) && (old.color == .standard || old.color == new.color)
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    let start = bytes.count
    if known == nil || !staysAll {
      old = .plain
      if known == nil || new != .plain { bytes.append(UInt8(ascii: "0")) }
    }
    for (attribute, code) in Attributes.codes where new.attributes.subtracting(old.attributes).contains(attribute) {
      if bytes.count > start { bytes.append(UInt8(ascii: ";")) }
      bytes.append(code)
    }
    if new.color != old.color {
      if bytes.count > start { bytes.append(UInt8(ascii: ";")) }
      bytes.append(UInt8(ascii: "0") + UInt8(new.color.code / 10))
      bytes.append(UInt8(ascii: "0") + UInt8(new.color.code % 10))
    }
    bytes.append(UInt8(ascii: "m"))
  }
}
