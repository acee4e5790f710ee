/// Typed keys: a key declares an option or argument, and reads its value from an `Invocation`. The key's type says how
/// often a value may come.

/// A typed key of an option.
package protocol OptionKey: Sendable {
  var declaration: OptionDeclaration { get }
}

/// A typed key of an argument.
package protocol ArgumentKey: Sendable {
  var declaration: ArgumentDeclaration { get }
}

/// `--resume`: given or not.
package struct Flag: OptionKey {
  /// The declaration without the type of the value.
  package let declaration: OptionDeclaration

  /// Declares a flag.
  package init(_ name: String, short: Character? = nil, help: String, isHidden: Bool = false) {
    declaration = OptionDeclaration(
      name: name, short: short, placeholder: nil, repeats: false, help: help, isHidden: isHidden,
      kind: ValueKind.text.erased)
  }
}

/// `--start TIME`: at most one value, the last one given.
package struct Option<Value: Sendable>: OptionKey {
  /// The declaration without the type of the value.
  package let declaration: OptionDeclaration

  /// Declares an option with a value.
  package init(
    _ name: String, short: Character? = nil, value: String, kind: ValueKind<Value>, help: String, isHidden: Bool = false
  ) {
    declaration = OptionDeclaration(
      name: name, short: short, placeholder: value, repeats: false, help: help, isHidden: isHidden, kind: kind.erased)
  }

  /// Declares an option whose value may be left out: `--line` means `implied`, `--line=60` something else.
  package init(_ name: String, value: String, implied: Value, kind: ValueKind<Value>, help: String) {
    declaration = OptionDeclaration(
      name: name, short: nil, placeholder: value, repeats: false, help: help, isHidden: false, kind: kind.erased,
      implied: implied)
  }

  /// Reads values with `parse`: nil refuses a word, a thrown `BadValue` also says why.
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
  /// Declares an option with a value of any text.
  package init(_ name: String, short: Character? = nil, value: String, help: String, isHidden: Bool = false) {
    self.init(name, short: short, value: value, kind: .text, help: help, isHidden: isHidden)
  }
}

/// `--tag NAME --tag NAME`: every value counts.
package struct Options<Value: Sendable>: OptionKey {
  /// The declaration without the type of the value.
  package let declaration: OptionDeclaration

  /// Declares an option that may be repeated.
  package init(
    _ name: String, short: Character? = nil, value: String, kind: ValueKind<Value>, help: String, isHidden: Bool = false
  ) {
    declaration = OptionDeclaration(
      name: name, short: short, placeholder: value, repeats: true, help: help, isHidden: isHidden, kind: kind.erased)
  }
}

/// `EPISODE`: exactly one.
package struct Argument<Value: Sendable>: ArgumentKey {
  /// The declaration without the type of the value.
  package let declaration: ArgumentDeclaration

  /// Declares a required argument.
  package init(_ name: String, kind: ValueKind<Value>, help: String) {
    declaration = ArgumentDeclaration(name: name, count: .one, help: help, kind: kind.erased)
  }
}

extension Argument where Value == String {
  /// Declares a required argument of any text.
  package init(_ name: String, help: String) { self.init(name, kind: .text, help: help) }
}

/// `[TIME]`: one or none. A word that it cannot read goes to the next argument, if that leaves none over.
package struct OptionalArgument<Value: Sendable>: ArgumentKey {
  /// The declaration without the type of the value.
  package let declaration: ArgumentDeclaration

  /// Declares an optional argument.
  package init(_ name: String, kind: ValueKind<Value>, help: String) {
    declaration = ArgumentDeclaration(name: name, count: .optional, help: help, kind: kind.erased)
  }
}

extension OptionalArgument where Value == String {
  /// Declares an optional argument of any text.
  package init(_ name: String, help: String) { self.init(name, kind: .text, help: help) }
}

/// `EPISODE…`, at least one; with `orNone`, `[PODCAST…]`.
package struct Arguments<Value: Sendable>: ArgumentKey {
  /// The declaration without the type of the value.
  package let declaration: ArgumentDeclaration

  /// Declares an argument that may be repeated.
  package init(_ name: String, kind: ValueKind<Value>, orNone: Bool = false, help: String) {
    declaration = ArgumentDeclaration(name: name, count: orNone ? .any : .some, help: help, kind: kind.erased)
  }
}

extension Arguments where Value == String {
  /// Declares an argument that may be repeated of any text.
  package init(_ name: String, orNone: Bool = false, help: String) {
    self.init(name, kind: .text, orNone: orNone, help: help)
  }
}
