internal import PodcastModel

/// The object of a search: words and quoted phrases that must all be there, `a OR b` of which one must, and `-a` that must not.
/// An `OR` that nothing follows counts for nothing: more is about to be typed.
struct SearchQuery: Sendable {
  /// A word, or several in this order.
  struct Term: Hashable, Sendable {
    var text: String
    /// It matches every word that begins like its last one.
    var isPrefix: Bool

    fileprivate init?(_ words: [SearchWords.Word], isExcluded: Bool = false) {
      guard let last = words.last else { return nil }
      text = words.map(\.text).joined(separator: " ")
      isPrefix = isExcluded ? last.isPrefix : last.isBeginning
    }

    fileprivate func match(asPrefix: Bool) -> String { "\"\(text)\"" + (asPrefix || isPrefix ? "*" : "") }
  }

  /// One term of each group must be there.
  private(set) var groups: [[Term]] = []
  private(set) var excluded: [Term] = []
  private var isAfterOr = false

  init(_ text: String) {
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if first.properties.isWhitespace {
        rest.removeFirst()
      } else {
        add(&rest)
      }
    }
  }

  /// An excluded term alone finds nothing.
  var isEmpty: Bool { groups.isEmpty }

  /// Every term that must be there, or one of whose group must.
  var terms: [Term] { groups.flatMap(\.self) }
  var hasNoAlternatives: Bool { groups.allSatisfy { $0.count == 1 } }

  // MARK: Parsing

  private mutating func add(_ rest: inout Substring.UnicodeScalarView) {
    let isExcluded = rest.first == "-" && rest.count > 1 && !Self.isBlank(rest[rest.index(after: rest.startIndex)])
    if isExcluded { rest.removeFirst() }
    let isQuoted = rest.first == "\""
    if isQuoted { rest.removeFirst() }
    let end = rest.firstIndex { isQuoted ? $0 == "\"" : Self.isBlank($0) || $0 == "\"" } ?? rest.endIndex
    let text = String(rest[..<end])
    rest = rest[end...]
    // A star behind the closing quote belongs to the phrase.
    let isPrefix = isQuoted && rest.dropFirst().first == "*"
    if isQuoted { rest = rest.dropFirst(isPrefix ? 2 : 1) }
    add(text + (isPrefix ? "*" : ""), isQuoted: isQuoted, isExcluded: isExcluded)
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  private mutating func add(_ text: String, isQuoted: Bool, isExcluded: Bool) {
    if isExcluded {
      excluded += Term(SearchWords(text).words, isExcluded: true).map { [$0] } ?? []
    } else if text == "OR", !isQuoted, !isAfterOr, !groups.isEmpty {
      isAfterOr = true
    } else if isAfterOr, let term = Term(SearchWords(text).words) {
      groups[groups.count - 1].append(term)
      isAfterOr = false
    } else if isQuoted {
      groups += Term(SearchWords(text).words).map { [[$0]] } ?? []
    } else {
      addWords(text)
    }
  }

  /// `3.14` and `don't` are phrases, as the index has their parts side by side. A star in the middle makes a word of its own.
  private mutating func addWords(_ text: String) {
    var words = SearchWords(text).words[...]
    while !words.isEmpty {
      let end = words.firstIndex(where: \.isPrefix).map { $0 + 1 } ?? words.endIndex
      groups += Term(Array(words[..<end])).map { [[$0]] } ?? []
      words = words[end...]
    }
    isAfterOr = false
  }

  /// With other beginnings instead of the groups with these numbers, or without the group.
  func widened(_ beginnings: [Int: String?]) -> SearchQuery {
    var query = self
    query.groups = groups.enumerated().compactMap { number, group in
      guard let beginning = beginnings[number] else { return group }
      return beginning.flatMap { Term([SearchWords.Word(text: $0, isPrefix: true)]) }.map { [$0] }
    }
    return query
  }

  /// The same groups in another order.
  mutating func order(_ groups: [[Term]]) { self.groups = groups }

  // MARK: For the index

  /// The query in these fields or in any; `beginnings` are taken for the beginning of a word. Nil when there is no word.
  /// With `isOrdered` the groups stand in the order of their numbers of episodes, the largest first.
  func match(
    in fields: Set<SearchHit.Field> = [], without excludedFields: Set<SearchHit.Field>? = nil,
    beginnings: [Term] = [], isOrdered: Bool = false
  ) -> String? {
    guard !isEmpty else { return nil }
    let wanted = groups.map { group in
      let terms = group.map { $0.match(asPrefix: beginnings.contains($0)) }
      return terms.count == 1 ? terms[0] : "(" + terms.joined(separator: " OR ") + ")"
    }
    let match = Self.within(fields, isOrdered ? Self.nested(wanted) : wanted.joined(separator: " AND "))
    return match + (exclusion(in: excludedFields ?? fields).map { " NOT " + $0 } ?? "")
  }

  /// The words with a minus; nil where there are none.
  func exclusion(in fields: Set<SearchHit.Field>) -> String? {
    guard !excluded.isEmpty else { return nil }
    return Self.within(fields, excluded.map { $0.match(asPrefix: false) }.joined(separator: " OR "))
  }

  /// FTS5 steps through the episodes of all parts of one AND in turns, so a common word would be read from end to end. This way
  /// it is looked for only in the episodes that have the rarer ones. FTS5 joins an AND within an AND; `NOT ""`, which leaves
  /// out nothing, keeps them apart.
  private static func nested(_ parts: [String]) -> String {
    guard parts.count > 2 else { return parts.joined(separator: " AND ") }
    let inner = parts.suffix(2).joined(separator: " AND ")
    return parts.dropLast(2).reversed().reduce(inner) { "\($1) AND ((\($0)) NOT \"\")" }
  }

  private static func within(_ fields: Set<SearchHit.Field>, _ match: String) -> String {
    if fields.isEmpty { return "(" + match + ")" }
    return "{" + fields.map(\.rawValue).sorted().joined(separator: " ") + "} : (" + match + ")"
  }
}
