/// Typed keys: the declaration of an option or argument, and how its value is asked for.
/// How often a value may come is in the key's type, so that reading it needs no guesswork.

package protocol OptionKey: Sendable {
  var declaration: OptionDeclaration { get }
}

package protocol ArgumentKey: Sendable {
  var declaration: ArgumentDeclaration { get }
}

/// `--resume`: there or not.
package struct Flag: OptionKey {
  package let declaration: OptionDeclaration

  package init(_ name: String, short: Character? = nil, help: String, isHidden: Bool = false) {
    declaration = OptionDeclaration(
      name: name, short: short, placeholder: nil, repeats: false, help: help, isHidden: isHidden,
      kind: ValueKind.text.erased)
  }
}

/// `--start TIME`: at most one value, the last one given.
package struct Option<Value: Sendable>: OptionKey {
  package let declaration: OptionDeclaration

  package init(
    _ name: String, short: Character? = nil, value: String, kind: ValueKind<Value>, help: String, isHidden: Bool = false
  ) {
    declaration = OptionDeclaration(
      name: name, short: short, placeholder: value, repeats: false, help: help, isHidden: isHidden, kind: kind.erased)
  }

  /// With its own reader: nil means "not one of those", a thrown `BadValue` says why.
  package init(
    _ name: String, short: Character? = nil, value: String,
    expectation: @escaping @autoclosure @Sendable () -> String? = nil, help: String, isHidden: Bool = false,
    parse: @escaping @Sendable (String) throws(BadValue) -> Value?
  ) {
    let kind = ValueKind(expectation: expectation(), parse: parse)
    self.init(name, short: short, value: value, kind: kind, help: help, isHidden: isHidden)
  }
}

extension Option where Value == String {
  package init(_ name: String, short: Character? = nil, value: String, help: String, isHidden: Bool = false) {
    self.init(name, short: short, value: value, kind: .text, help: help, isHidden: isHidden)
  }
}

/// `--tag NAME --tag NAME`: every value counts.
package struct Options<Value: Sendable>: OptionKey {
  package let declaration: OptionDeclaration

  package init(
    _ name: String, short: Character? = nil, value: String, kind: ValueKind<Value>, help: String, isHidden: Bool = false
  ) {
    declaration = OptionDeclaration(
      name: name, short: short, placeholder: value, repeats: true, help: help, isHidden: isHidden, kind: kind.erased)
  }
}

extension Options where Value == String {
  package init(_ name: String, short: Character? = nil, value: String, help: String, isHidden: Bool = false) {
    self.init(name, short: short, value: value, kind: .text, help: help, isHidden: isHidden)
  }
}

/// `EPISODE`: exactly one.
package struct Argument<Value: Sendable>: ArgumentKey {
  package let declaration: ArgumentDeclaration

  package init(_ name: String, kind: ValueKind<Value>, help: String) {
    declaration = ArgumentDeclaration(name: name, count: .one, help: help, kind: kind.erased)
  }
}

extension Argument where Value == String {
  package init(_ name: String, help: String) { self.init(name, kind: .text, help: help) }
}

/// `[TIME]`: one or none. A word it cannot read goes to the next argument, if that leaves none over.
package struct OptionalArgument<Value: Sendable>: ArgumentKey {
  package let declaration: ArgumentDeclaration

  package init(_ name: String, kind: ValueKind<Value>, help: String) {
    declaration = ArgumentDeclaration(name: name, count: .optional, help: help, kind: kind.erased)
  }
}

extension OptionalArgument where Value == String {
  package init(_ name: String, help: String) { self.init(name, kind: .text, help: help) }
}

/// `EPISODE…` or, where none is fine too, `[PODCAST…]`.
package struct Arguments<Value: Sendable>: ArgumentKey {
  package let declaration: ArgumentDeclaration

  package init(_ name: String, kind: ValueKind<Value>, orNone: Bool = false, help: String) {
    declaration = ArgumentDeclaration(name: name, count: orNone ? .any : .some, help: help, kind: kind.erased)
  }
}

extension Arguments where Value == String {
  package init(_ name: String, orNone: Bool = false, help: String) {
    self.init(name, kind: .text, orNone: orNone, help: help)
  }
}
