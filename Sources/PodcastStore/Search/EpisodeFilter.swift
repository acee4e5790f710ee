/// Conditions, order and limit of a list of episodes, parsed from the filter words of the commands.
package struct EpisodeFilter: Hashable, Sendable {
  /// One condition that every listed episode meets.
  package enum Condition: Hashable, Sendable {
    case unplayed, inProgress, played, downloaded, favourite, new, hasTranscript, hasChapters
    /// An id, a feed's address, or words of the title.
    case podcast(String)
    case tag(String)
    case minutes(Comparison, Double)
    /// The time since its publication.
    case age(Comparison, Duration)
    case season(Comparison, Double)
    case text(String)
  }

  /// How a number is compared.
  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    // The longer ones first, because `<` is a prefix of `<=`.
    case atMost = "<=", atLeast = ">=", below = "<", above = ">", equal = "="
  }

  /// The order of the list.
  package enum SortKey: String, Hashable, Sendable, CaseIterable { case date, title, length, podcast, played }

  /// All of them must hold.
  package var conditions: [Condition] = []
  /// The order, the publication date by default.
  package var sortKey = SortKey.date
  /// Newest, longest or last first.
  var isDescending = true
  /// The greatest number of episodes.
  package var limit: Int?

  /// A filter with these conditions.
  package init(_ conditions: [Condition] = []) { self.conditions = conditions }

  /// A filter word that cannot be parsed.
  package struct Mistake: Error, Hashable, Sendable {
    /// The word.
    package var word: String
    /// Words that would be right.
    package var expected: String
  }

  /// Parses filter words.
  package init(words: some Sequence<String>) throws(Mistake) {
    for word in words { try add(word) }
  }

  /// Every word without an argument.
  private static let flags: [String: Condition] = [
    "unplayed": .unplayed, "inprogress": .inProgress, "played": .played, "downloaded": .downloaded,
    "favourite": .favourite, "new": .new, "has:transcript": .hasTranscript, "has:chapters": .hasChapters,
  ]

  private mutating func add(_ word: String) throws(Mistake) {
    if let flag = Self.flags[word.lowercased()] { return conditions.append(flag) }
    if let colon = word.firstIndex(of: ":") {
      return try add(word, key: word[..<colon].lowercased(), value: String(word[word.index(after: colon)...]))
    }
    for comparison in Comparison.allCases {
      guard let range = word.firstRange(of: comparison.rawValue) else { continue }
      return try add(
        word, key: word[..<range.lowerBound].lowercased(), comparison, String(word[range.upperBound...]))
    }
    throw Mistake(word: word, expected: "one of " + Self.vocabulary.joined(separator: " "))
  }

  /// Examples of every word, for help, completion and error messages.
  package static let vocabulary = [
    "unplayed", "inprogress", "played", "downloaded", "favourite", "new", "podcast:NAME", "tag:NAME", "minutes<20",
    "age<7d", "season:2", "has:transcript", "has:chapters", "text:WORD", "sort:-date", "limit:10",
  ]

  private mutating func add(_ word: String, key: String, value: String) throws(Mistake) {
    switch key {
    case "podcast" where !value.isEmpty: conditions.append(.podcast(value))
    case "tag" where !value.isEmpty: conditions.append(.tag(value))
    case "text" where !SearchQuery(value).isEmpty: conditions.append(.text(value))
    case "sort": try sort(word, by: value)
    case "limit":
      guard let limit = Int(value), limit > 0 else { throw Mistake(word: word, expected: "limit:10") }
      self.limit = limit
    default: try add(word, key: key, .equal, value)
    }
  }

  private mutating func add(
    _ word: String, key: String, _ comparison: Comparison, _ value: String
  ) throws(Mistake) {
    switch key {
    case "minutes":
      guard let minutes = Double(value), minutes.isFinite else { throw Mistake(word: word, expected: "minutes<20") }
      conditions.append(.minutes(comparison, minutes))
    case "season":
      guard let season = Double(value), season.isFinite else { throw Mistake(word: word, expected: "season:2") }
      conditions.append(.season(comparison, season))
    case "age":
      guard let age = Self.age(value) else { throw Mistake(word: word, expected: "age<7d, with h, d, w, m or y") }
      conditions.append(.age(comparison, age))
    default: throw Mistake(word: word, expected: "one of " + Self.vocabulary.joined(separator: " "))
    }
  }

  private mutating func sort(_ word: String, by value: String) throws(Mistake) {
    isDescending = value.hasPrefix("-")
    guard let key = SortKey(rawValue: String(value.drop { $0 == "-" || $0 == "+" })) else {
      throw Mistake(word: word, expected: "sort: and one of " + SortKey.allCases.map(\.rawValue).joined(separator: " "))
    }
    sortKey = key
  }

  private static let units: [Character: Int64] = [
    "h": 3600, "d": 86_400, "w": 7 * 86_400, "m": 30 * 86_400, "y": 365 * 86_400,
  ]

  private static func age(_ text: String) -> Duration? {
    let unit = text.last.flatMap { units[$0] }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard let number = Int64(digits), (0...100_000).contains(number) else { return nil }
    return .seconds(number * (unit ?? 86_400))
  }
}

extension EpisodeFilter {
  package var searchesText: Bool {
    conditions.contains { if case .text = $0 { true } else { false } }
  }
}
