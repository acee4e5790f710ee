/// A value on the bus, with its type.
indirect enum BusValue: Hashable, Sendable {
  case string(String)
  case path(String)
  case bool(Bool)
  case uint32(UInt32)
  case int64(Int64)
  case double(Double)
  case strings([String])
  case dictionary([BusProperty])

  /// As D-Bus writes types.
  var signature: String {
    switch self {
    case .string: "s"
    case .path: "o"
    case .bool: "b"
    case .uint32: "u"
    case .int64: "x"
    case .double: "d"
    case .strings: "as"
    case .dictionary: "a{sv}"
    }
  }
}

/// An entry of a dictionary, or a property of an object.
struct BusProperty: Hashable, Sendable {
  var name: String
  var value: BusValue

  init(_ name: String, _ value: BusValue) {
    self.name = name
    self.value = value
  }
}
