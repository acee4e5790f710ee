/// Finds, for each episode of a feed, the same episode in the library.
///
/// The most reliable trait goes first: guid, whole enclosure address, address without its query, title and date. An address
/// or a title only counts while it names one episode in the feed and one in the library.
struct EpisodeMatcher {
  private let incoming: [EpisodeTraits]
  private let known: [EpisodeTraits]
  private var unmatchedIncoming: [Int]
  private var isTaken: [Bool]
  /// For each incoming episode the index of the known one.
  private(set) var matches: [Int?]

  /// `others` returns the enclosures of unchanged episodes, which need no matching.
  init(incoming: [EpisodeTraits], known: [EpisodeTraits], others: () -> [String] = { [] }) {
    self.incoming = incoming
    self.known = known
    matches = Array(repeating: nil, count: incoming.count)
    unmatchedIncoming = Array(incoming.indices)
    isTaken = Array(repeating: false, count: known.count)
    guard !known.isEmpty else { return }
    matchGUIDs()
    match(by: \.enclosure, unless: { $0.contradicts($1) })
    if !unmatchedIncoming.isEmpty, addressesAreUnique(besides: others()) {
      match(by: \.enclosureWithoutQuery, unless: { $0.contradicts($1) })
    }
    matchRepublished()
  }

  /// Episodes with the same guid are told apart by their enclosure, then by title and date, then by their order.
  private mutating func matchGUIDs() {
    let byGUID = indexes(of: known.indices, in: known, by: \.guid)
    let twins = indexes(of: unmatchedIncoming, in: incoming, by: \.guid)
    for index in unmatchedIncoming {
      guard let guid = incoming[index].guid, let candidates = byGUID[guid] else { continue }
      if candidates.count == 1, twins[guid]?.count == 1 { take(candidates[0], for: index) }
    }
    settle()
    for index in unmatchedIncoming {
      guard let guid = incoming[index].guid, let candidates = byGUID[guid] else { continue }
      let traits = incoming[index]
      let same = candidates.first { !isTaken[$0] && known[$0].enclosure == traits.enclosure && traits.enclosure != nil }
      if let same { take(same, for: index) }
    }
    settle()
    for index in unmatchedIncoming {
      guard let guid = incoming[index].guid, let candidates = byGUID[guid] else { continue }
      let free = candidates.filter { !isTaken[$0] }
      if let same = free.first(where: { known[$0].isRepublished(as: incoming[index]) }) ?? free.first {
        take(same, for: index)
      }
    }
    settle()
  }

  private mutating func match(
    by trait: (EpisodeTraits) -> String?, unless isOther: (EpisodeTraits, EpisodeTraits) -> Bool
  ) {
    guard !unmatchedIncoming.isEmpty else { return }
    let free = indexes(of: known.indices.filter { !isTaken[$0] }, in: known, by: trait)
    let wanted = indexes(of: unmatchedIncoming, in: incoming, by: trait)
    for (value, candidates) in wanted {
      guard let found = free[value], found.count == 1, candidates.count == 1 else { continue }
      if !isOther(incoming[candidates[0]], known[found[0]]) { take(found[0], for: candidates[0]) }
    }
    settle()
  }

  private mutating func matchRepublished() {
    guard !unmatchedIncoming.isEmpty else { return }
    let free = indexes(of: known.indices.filter { !isTaken[$0] }, in: known, by: \.title)
    let rivals = indexes(of: unmatchedIncoming, in: incoming, by: \.title)
    for index in unmatchedIncoming {
      guard let title = incoming[index].title, let candidates = free[title] else { continue }
      let found = candidates.filter { incoming[index].isRepublished(as: known[$0]) }
      guard found.count == 1, !isTaken[found[0]] else { continue }
      let claims = (rivals[title] ?? []).filter { incoming[$0].isRepublished(as: known[found[0]]) }
      if claims.count == 1 { take(found[0], for: index) }
    }
    settle()
  }

  /// True when an address without its query names at most one episode, in the feed and in the library.
  private func addressesAreUnique(besides others: [String]) -> Bool {
    let others = others.map { EpisodeTraits(enclosure: $0) }
    return [incoming, known].allSatisfy { episodes in
      let values = (episodes + others).compactMap(\.enclosureWithoutQuery)
      return Set(values).count == values.count
    }
  }

  private func indexes(
    of candidates: some Sequence<Int>, in episodes: [EpisodeTraits], by trait: (EpisodeTraits) -> String?
  ) -> [String: [Int]] {
    var found: [String: [Int]] = [:]
    for index in candidates {
      if let value = trait(episodes[index]) { found[value, default: []].append(index) }
    }
    return found
  }

  private mutating func take(_ knownIndex: Int, for index: Int) {
    matches[index] = knownIndex
    isTaken[knownIndex] = true
  }

  private mutating func settle() { unmatchedIncoming.removeAll { matches[$0] != nil } }
}
