/// Reads one word of the command line as a value, and names the words that a shell may offer for it. A program extends this with its own kinds: `extension ValueKind where Value == Speed { static var speed … }`.
package struct ValueKind<Value: Sendable>: Sendable {
  /// Ends the sentence "--start must be …": "a time such as 41:07 or 90s".
  /// A closure, as declarations are made at every start and few of them need the text.
  let expectation: @Sendable () -> String?
  private let makeCompletion: @Sendable () -> Completion
  /// `-5` and `-1m` are read as arguments. (As an option's value they always are.)
  let isSigned: Bool
  let read: @Sendable (String) throws(BadValue) -> Value?

  /// Declares a kind. `parse` returns nil for a word that it refuses.
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

/// The reason why a word is refused, for kinds whose "must be …" does not say enough.
package struct BadValue: Error, Equatable {
  let reason: String

  /// A reason for the message, as a fragment.
  package init(_ reason: String) { self.reason = reason }
}

/// The words that a shell offers while a value is typed.
package enum Completion: Sendable, Equatable {
  case none
  case file
  case directory
  case words([Choice])
  /// Some of the words, with commas between them.
  case list([Choice])
  /// The subjects of `help`.
  case subject
  /// The shell asks the program: `PROGRAM __complete KIND PREFIX WORD…`.
  case dynamic(String)

  /// The words that help lists.
  var choices: [Choice] {
    switch self {
    case .words(let choices), .list(let choices): choices
    case .none, .file, .directory, .subject, .dynamic: []
    }
  }
}

/// One word of an enumerated value.
package struct Choice: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The word to type.
  package let word: String
  /// Its meaning, shown beside it.
  package let help: String

  /// Declares a word with its meaning.
  package init(_ word: String, _ help: String = "") {
    self.word = word
    self.help = help
  }

  /// A word without a meaning.
  package init(stringLiteral word: String) { self.init(word) }
}

extension ValueKind where Value == String {
  /// Any text.
  package static var text: Self { ValueKind { word throws(BadValue) in word } }
  /// The path of a file.
  package static var file: Self { ValueKind(completion: .file) { word throws(BadValue) in word } }
  /// The path of a folder.
  package static var directory: Self { ValueKind(completion: .directory) { word throws(BadValue) in word } }

  /// Any text; shells offer the answers of the program for this kind.
  package static func dynamic(_ kind: String) -> Self {
    ValueKind(completion: .dynamic(kind)) { word throws(BadValue) in word }
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
  /// A whole number in a range.
  package static func integer(in range: ClosedRange<Int>) -> Self {
    ValueKind(expectation: phrase("a whole number", range, Int.min, Int.max), isSigned: range.lowerBound < 0) {
      word throws(BadValue) in Int(word).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueKind where Value == Double {
  /// A number in a range.
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
  let (lower, upper) = (plain(range.lowerBound), plain(range.upperBound))
  return switch (range.lowerBound == lowest, range.upperBound == highest) {
  case (true, true): noun
  case (false, true): "\(noun), \(lower) or more"
  case (true, false): "\(noun), \(upper) or less"
  case (false, false): "\(noun) from \(lower) to \(upper)"
  }
}

/// 200 for 200.0
private func plain<Bound>(_ bound: Bound) -> String {
  let text = "\(bound)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// "a, b or c"
func listing(_ words: [String], with conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return Array(words.dropLast()).joined(by: ", ") + " \(conjunction) " + last
}

extension [String] {
  /// For what every start or page needs: the first `joined(separator:)` of a process takes 130,000 instructions.
  func joined(by separator: String) -> String { dropFirst().reduce(into: first ?? "") { $0 += separator + $1 } }
}
