internal import PodcastModel

/// A statement whose interpolations become parameters, never text: `"WHERE id = \(id)"` has one parameter.
/// Interpolating another `SQL` splices its text and its values.
struct SQL: ExpressibleByStringInterpolation, Sendable {
  enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  var text: String
  var values: [Value] = []

  init(text: String, values: [Value] = []) {
    self.text = text
    self.values = values
  }

  init(stringLiteral text: String) { self.text = text }

  init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
    values = stringInterpolation.values
  }

  struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    var values: [Value] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ value: some Bindable) {
      text += "?"
      values.append(value.bound)
    }

    mutating func appendInterpolation<Wrapped: Bindable>(_ value: Wrapped?) {
      text += "?"
      values.append(value?.bound ?? .null)
    }

    mutating func appendInterpolation(_ sql: SQL) {
      text += sql.text
      values += sql.values
    }
  }
}

extension [SQL] {
  func joined(by separator: String) -> SQL {
    dropFirst().reduce(into: first ?? "") { joined, sql in
      joined.text += separator + sql.text
      joined.values += sql.values
    }
  }
}

/// A value that can be bound to a parameter.
protocol Bindable {
  var bound: SQL.Value { get }
}

extension SQL.Value: Bindable {
  var bound: SQL.Value { self }
}

extension [UInt8]: Bindable {
  var bound: SQL.Value { .blob(self) }
}

extension Int64: Bindable {
  var bound: SQL.Value { .integer(self) }
}

extension Int: Bindable {
  var bound: SQL.Value { .integer(Int64(self)) }
}

extension Bool: Bindable {
  var bound: SQL.Value { .integer(self ? 1 : 0) }
}

extension Double: Bindable {
  /// SQLite has no NaN: it would read back as NULL anyway.
  var bound: SQL.Value { isNaN ? .null : .real(self) }
}

extension String: Bindable {
  var bound: SQL.Value { .text(self) }
}

extension Timestamp: Bindable {
  var bound: SQL.Value { .integer(seconds) }
}

extension Duration: Bindable {
  var bound: SQL.Value { .integer(inMilliseconds) }
}

extension PodcastID: Bindable {
  var bound: SQL.Value { .integer(rawValue) }
}

extension EpisodeID: Bindable {
  var bound: SQL.Value { .integer(rawValue) }
}
