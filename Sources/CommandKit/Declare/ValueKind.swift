/// How one word of the command line becomes a value, and what a shell may offer for it.
/// A program extends this with its own kinds: `extension ValueKind where Value == Speed { static var speed … }`.
package struct ValueKind<Value: Sendable>: Sendable {
  /// Ends the sentence "--start must be …": "a time such as 41:07 or 90s".
  /// Put together only when it is needed: declarations are made at every start.
  let expectation: @Sendable () -> String?
  private let makeCompletion: @Sendable () -> Completion
  /// Whether `-5` and `-1m` are values where an argument is wanted. (As an option's value they always are.)
  let isSigned: Bool
  let read: @Sendable (String) throws(BadValue) -> Value?

  package init(
    expectation: @escaping @autoclosure @Sendable () -> String? = nil,
    completion: @escaping @autoclosure @Sendable () -> Completion = .none,
    isSigned: Bool = false,
    parse: @escaping @Sendable (String) throws(BadValue) -> Value?
  ) {
    self.expectation = expectation
    makeCompletion = completion
    self.isSigned = isSigned
    self.read = parse
  }

  var completion: Completion { makeCompletion() }

  var erased: ValueKind<any Sendable> {
    ValueKind<any Sendable>(expectation: expectation(), completion: completion, isSigned: isSigned) {
      word throws(BadValue) in
      guard let value = try read(word) else { return nil }
      return value
    }
  }
}

/// Why a word is not acceptable, when "must be …" does not say enough.
package struct BadValue: Error, Equatable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// What a shell offers while a value is being typed.
package enum Completion: Sendable, Equatable {
  case none
  case file
  case directory
  case words([Choice])
  /// Some of the words, with commas between them.
  case list([Choice])
  /// What `help` can explain.
  case subject
  /// The program itself is asked: `PROGRAM __complete KIND PREFIX WORD…`.
  case dynamic(String)

  /// The words help lists.
  var choices: [Choice] {
    switch self {
    case .words(let choices), .list(let choices): choices
    case .none, .file, .directory, .subject, .dynamic: []
    }
  }
}

/// One word of an enumerated value.
package struct Choice: Sendable, Equatable, ExpressibleByStringLiteral {
  package let word: String
  package let help: String

  package init(_ word: String, _ help: String = "") {
    self.word = word
    self.help = help
  }

  package init(stringLiteral word: String) { self.init(word) }
}

extension ValueKind where Value == String {
  package static var text: Self { ValueKind { word throws(BadValue) in word } }
  package static var file: Self { ValueKind(completion: .file) { word throws(BadValue) in word } }
  package static var directory: Self { ValueKind(completion: .directory) { word throws(BadValue) in word } }

  /// Any text; shells offer what the program answers for this kind.
  package static func dynamic(_ kind: String, isSigned: Bool = false) -> Self {
    ValueKind(completion: .dynamic(kind), isSigned: isSigned) { word throws(BadValue) in word }
  }

  /// One of a few words.
  package static func choice(_ choices: @escaping @autoclosure @Sendable () -> [Choice]) -> Self {
    ValueKind(expectation: listing(choices().map(\.word), with: "or"), completion: .words(choices())) {
      word throws(BadValue) in choices().contains { $0.word == word } ? word : nil
    }
  }
}

extension ValueKind where Value == [String] {
  /// Some of a few words, with commas between them.
  package static func list(_ choices: @escaping @autoclosure @Sendable () -> [Choice]) -> Self {
    ValueKind(
      expectation: "made of " + listing(choices().map(\.word), with: "and") + ", with commas between them",
      completion: .list(choices())
    ) { text throws(BadValue) in
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return words.allSatisfy { word in choices().contains { $0.word == word } } ? words : nil
    }
  }
}

extension ValueKind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// The cases of an enumeration, by their raw values.
  package static var choice: Self {
    ValueKind(
      expectation: listing(Value.allCases.map(\.rawValue), with: "or"),
      completion: .words(Value.allCases.map { Choice($0.rawValue) })
    ) { word throws(BadValue) in Value(rawValue: word) }
  }
}

extension ValueKind where Value == Int {
  package static func integer(in range: ClosedRange<Int>) -> Self {
    ValueKind(expectation: phrase("a whole number", range, Int.min, Int.max), isSigned: range.lowerBound < 0) {
      word throws(BadValue) in Int(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueKind where Value == Double {
  package static func decimal(in range: ClosedRange<Double>) -> Self {
    ValueKind(
      expectation: phrase("a number", range, -.greatestFiniteMagnitude, .greatestFiniteMagnitude),
      isSigned: range.lowerBound < 0
    ) {
      word throws(BadValue) in Double(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

private func phrase<Bound: Comparable>(
  _ noun: String, _ range: ClosedRange<Bound>, _ lowest: Bound, _ highest: Bound
) -> String {
  switch (range.lowerBound == lowest, range.upperBound == highest) {
  case (true, true): noun
  case (false, true): "\(noun), \(range.lowerBound) or more"
  case (true, false): "\(noun), \(range.upperBound) or less"
  case (false, false): "\(noun) from \(range.lowerBound) to \(range.upperBound)"
  }
}

/// "a, b or c"
func listing(_ words: [String], with conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
}
