private import PodcastModel
internal import PodcastStore
internal import Text

/// A setting with its name, its built-in value, its scope and the form of its values.
package struct SettingKey<Value: Sendable>: Sendable {
  package let name: String
  package let standard: Value
  package let scope: SettingScope
  package let help: String
  package let kind: SettingKind<Value>

  package init(
    _ name: String, _ kind: SettingKind<Value>, standard: Value, scope: SettingScope = .podcast, help: String
  ) {
    self.name = name
    self.standard = standard
    self.scope = scope
    self.help = help
    self.kind = kind
  }

  /// The setting without the type of its values, for lists.
  var declaration: SettingDeclaration {
    SettingDeclaration(
      name: name, standard: kind.write(standard), scope: scope, help: help, expectation: kind.expectation,
      words: kind.words, isSecret: kind.isSecret, normalized: { text in kind.read(text).map(kind.write) })
  }
}

/// The scope of a setting.
package enum SettingScope: Sendable {
  /// Each podcast may have its own value.
  case podcast
  /// One value holds for all podcasts.
  case global
}

/// A setting without the type of its values, for lists, help and completion.
package struct SettingDeclaration: Sendable {
  package let name: String
  package let standard: String
  package let scope: SettingScope
  package let help: String
  /// Ends the sentence "speed must be …".
  package let expectation: String
  /// The possible values; empty when there are too many to list.
  package let words: [String]
  /// Its value is not shown.
  package let isSecret: Bool
  /// A value in the form that podcli writes; nil for an invalid one.
  let normalized: @Sendable (String) -> String?
}

/// The form in which values of a setting are read and written.
package struct SettingKind<Value: Sendable>: Sendable {
  let expectation: String
  var words: [String] = []
  var isSecret = false
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String
}

extension SettingKind where Value == Double {
  static func decimal(in range: ClosedRange<Double>) -> Self {
    SettingKind(expectation: "a number from \(text(range.lowerBound)) to \(text(range.upperBound))") { word in
      Double(word).flatMap { range.contains($0) ? $0 : nil }
    } write: {
      text($0)
    }
  }

  private static func text(_ value: Double) -> String {
    Int64(exactly: value).map { String($0) } ?? String(value)
  }
}

extension SettingKind where Value == Int {
  static func integer(in range: ClosedRange<Int>) -> Self {
    SettingKind(expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)") { word in
      Int(word).flatMap { range.contains($0) ? $0 : nil }
    } write: {
      String($0)
    }
  }
}

extension SettingKind where Value == Int64 {
  /// `500M`, `2G`: powers of 1024.
  static var size: Self {
    SettingKind(expectation: "a size such as 500M or 2G") { word in
      let units: [Character: Int64] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
      let unit = word.last?.lowercased().first.flatMap { units[$0] }
      guard let number = Int64(unit == nil ? word[...] : word.dropLast()), number >= 0 else { return nil }
      let (bytes, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
      return overflows ? nil : bytes
    } write: { bytes in
      let units: [(String, Int64)] = [("T", 1 << 40), ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10)]
      let unit = units.first { bytes > 0 && bytes % $0.1 == 0 }
      return unit.map { "\(bytes / $0.1)\($0.0)" } ?? String(bytes)
    }
  }
}

extension SettingKind where Value == Bool {
  static var onOff: Self {
    SettingKind(expectation: "on or off", words: ["on", "off"]) { word in
      switch word.lowercased() {
      case "on", "yes", "true", "1": true
      case "off", "no", "false", "0": false
      default: nil
      }
    } write: {
      $0 ? "on" : "off"
    }
  }
}

extension SettingKind where Value == Duration {
  static func length(in range: ClosedRange<Duration>) -> Self {
    SettingKind(
      expectation: "a time such as 30s or 1:15, from \(text(range.lowerBound)) to \(text(range.upperBound))"
    ) { word in
      guard case .at(let length) = TimeExpression(word), range.contains(length) else { return nil }
      return length
    } write: {
      text($0)
    }
  }

  private static func text(_ length: Duration) -> String {
    let seconds = length.inSeconds
    return (Int64(exactly: seconds).map { String($0) } ?? String(seconds)) + "s"
  }
}

extension SettingKind where Value == String {
  static var text: Self {
    SettingKind(expectation: "a word") {
      $0
    } write: {
      $0
    }
  }

  static var secret: Self {
    var kind = text
    kind.isSecret = true
    return kind
  }

  /// Filter words as in the commands that list episodes.
  static var filter: Self {
    SettingKind(expectation: "filter words such as `minutes<60 text:interview`, see `podcli help filters`") { text in
      let words = text.split(separator: " ").map(String.init)
      return (try? EpisodeFilter(words: words)) == nil ? nil : words.joined(separator: " ")
    } write: {
      $0
    }
  }

  /// The command line of a program that gets a sound file.
  static var transcriber: Self {
    SettingKind(expectation: "a program and its arguments with {wav}, such as `whisper-cli -m MODEL -f {wav} -ovtt`") {
      CommandLineWords.split($0).dropFirst().contains { $0.contains("{wav}") } ? $0 : nil
    } write: {
      $0
    }
  }

  /// The base address of a service, without a slash at its end.
  static var address: Self {
    SettingKind(expectation: "an address that begins with https:// or http://") { text in
      guard WebURL(text).isHTTP else { return nil }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    } write: {
      $0
    }
  }
}

extension SettingKind where Value == [String] {
  /// With commas between them.
  static var list: Self {
    SettingKind(expectation: "words with commas between them") { text in
      text.split(separator: ",").map { PlainText.collapsed(String($0)) }.filter { !$0.isEmpty }
    } write: {
      $0.joined(separator: ", ")
    }
  }
}

extension SettingKind where Value == Set<Repeat.Kind> {
  /// With commas between them; `off` for none.
  static var repeatKinds: Self {
    SettingKind(expectation: "off, or of intro, outro and inserted some with commas between them") { text in
      guard text.lowercased() != "off" else { return [] }
      let words = text.split(separator: ",").map { PlainText.collapsed(String($0)).lowercased() }
      let kinds = words.compactMap(Repeat.Kind.init)
      return kinds.count == words.count ? Set(kinds) : nil
    } write: { kinds in
      kinds.isEmpty ? "off" : Repeat.Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: ", ")
    }
  }
}

extension SettingKind where Value == [String: String] {
  /// A text for each of some hosts: `HOST: TEXT | HOST: TEXT`.
  static var textsOfHosts: Self {
    SettingKind(expectation: "HOST: TEXT, with | between several") { text in
      var texts: [String: String] = [:]
      for entry in text.split(separator: "|") where !entry.allSatisfy(\.isWhitespace) {
        let pair = entry.split(separator: ":", maxSplits: 1).map { PlainText.collapsed(String($0)) }
        guard pair.count == 2, !pair[0].isEmpty, !pair[1].isEmpty else { return nil }
        guard !pair[0].contains(where: { $0.isWhitespace || $0 == "/" }), !pair[1].hasPrefix("//") else { return nil }
        texts[pair[0].lowercased()] = pair[1]
      }
      return texts
    } write: { texts in
      texts.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: " | ")
    }
  }
}

extension SettingKind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  static var choice: Self {
    let words = Value.allCases.map(\.rawValue)
    let listed = words.count > 1 ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words[0]
    return SettingKind(expectation: listed, words: words) {
      Value(rawValue: $0)
    } write: {
      $0.rawValue
    }
  }
}
