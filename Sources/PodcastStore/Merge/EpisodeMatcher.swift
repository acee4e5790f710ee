/// Finds, for each episode of a feed, the same episode in the library.
///
/// The most reliable trait goes first: guid, whole enclosure address, address without its query, title and date. Each only
/// counts while it names one episode in the feed and one in the library; several with one guid are told apart by the rest.
struct EpisodeMatcher {
  private let incoming: [EpisodeTraits]
  private let known: [EpisodeTraits]
  private var unmatchedIncoming: [Int]
  private var isTaken: [Bool]
  /// For each incoming episode the index of the known one.
  private(set) var matches: [Int?]
  /// Incoming episodes whose guid several episodes have, in the feed or in the library.
  private var withSharedGUID: Set<Int> = []
  private var sharedEnclosures: Set<String> = []

  /// Of two known episodes, the first was in the library before the second.
  private let isOlder: (Int, Int) -> Bool

  /// `others` returns the feed's unchanged episodes, which need no matching; `isStoredTwice` counts these, too. `isFeed`: not a
  /// list that tells of some episodes of another day.
  init(
    incoming: [EpisodeTraits], known: [EpisodeTraits], isFeed: Bool = false,
    isStoredTwice: (String) -> Bool = { _ in false },
    isOlder: @escaping (Int, Int) -> Bool = { $0 < $1 }, others: () -> [EpisodeTraits] = { [] }
  ) {
    self.isOlder = isOlder
    self.incoming = incoming
    self.known = known
    matches = Array(repeating: nil, count: incoming.count)
    unmatchedIncoming = Array(incoming.indices)
    isTaken = Array(repeating: false, count: known.count)
    guard !known.isEmpty else { return }
    matchGUIDs(isStoredTwice)
    guard !unmatchedIncoming.isEmpty else { return }
    let others = others()
    sharedEnclosures = shared(others, by: \.enclosure)
    if !withSharedGUID.isEmpty { matchSharedGUIDs(others) }
    match(by: \.enclosure)
    if !unmatchedIncoming.isEmpty, addressesAreUnique(besides: others) { match(by: \.enclosureWithoutScheme) }
    matchRepublished()
    if isFeed { matchRenumbered(others) }
  }

  private mutating func matchGUIDs(_ isStoredTwice: (String) -> Bool) {
    let byGUID = indexes(of: known.indices, in: known, by: \.guid)
    let twins = indexes(of: unmatchedIncoming, in: incoming, by: \.guid)
    var moved: [(index: Int, named: Int)] = []
    for index in unmatchedIncoming {
      guard let guid = incoming[index].guid, let candidates = byGUID[guid] else { continue }
      if candidates.count > 1 || twins[guid]?.count != 1 || isStoredTwice(guid) {
        withSharedGUID.insert(index)
      } else if !isOther(index, candidates[0]) {
        if incoming[index].enclosure == known[candidates[0]].enclosure {
          take(candidates[0], for: index)
        } else {
          moved.append((index, candidates[0]))
        }
      }
    }
    if !moved.isEmpty { matchMoved(moved) }
    settle()
  }

  /// Of episodes whose guid has another address now. Mostly the media files have moved. But a feed that numbers its episodes
  /// anew gives each one the guid of another: then two of address, title and date are those of a known episode, and not of
  /// the one that the guid names. Where one is so, a guid alone proves nothing.
  private mutating func matchMoved(_ moved: [(index: Int, named: Int)]) {
    var isRenumbered = false
    for trait in [\EpisodeTraits.enclosure, \.titleAndMoment] {
      let open = moved.filter { matches[$0.index] == nil }
      let free = indexes(of: known.indices.filter { !isTaken[$0] }, in: known, by: { $0[keyPath: trait] })
      let wanted = indexes(of: open.map(\.index), in: incoming, by: { $0[keyPath: trait] })
      for (index, named) in open {
        let new = incoming[index]
        guard let value = new[keyPath: trait], wanted[value]?.count == 1, let found = free[value], found.count == 1,
          trait == \.enclosure
            ? new.isRather(known[found[0]], than: known[named]) : found[0] != named && new.title != known[named].title
        else { continue }
        take(found[0], for: index)
        isRenumbered = true
      }
    }
    for (index, named) in moved where matches[index] == nil && !isTaken[named] {
      let (new, old) = (incoming[index], known[named])
      let isProved = !isRenumbered || new.title == old.title || new.isSameMoment(as: old)
      if isProved { take(named, for: index) }
    }
  }

  /// Episodes with the same guid are told apart by what only one of them has. One that is like none of them is new, and the one
  /// that left the feed when it came stays.
  private mutating func matchSharedGUIDs(_ others: [EpisodeTraits]) {
    let (enclosures, titles) = (sharedEnclosures, shared(others, by: \.title))
    let moments = shared(others, by: \.moment)
    let likenesses: [(EpisodeTraits) -> Likeness?] = [
      { $0.enclosure == nil || $0.publishedAt == nil ? nil : Likeness($0, \.enclosure, \.moment, \.title) },
      { $0.enclosure.map(enclosures.contains) ?? true ? nil : Likeness($0, \.enclosure) },
      { $0.enclosure == nil || $0.publishedAt == nil ? nil : Likeness($0, \.enclosure, \.moment) },
      { $0.publishedAt == nil ? nil : Likeness($0, \.title, \.moment) },
      { titles.contains($0.title ?? "") ? nil : Likeness($0, \.title, \.day) },
      { $0.moment.map(moments.contains) ?? true ? nil : Likeness($0, \.moment) },
    ]
    for likeness in likenesses {
      // The first one is taken first.
      var free: [Likeness: [Int]] = [:]
      for index in known.indices.reversed() where !isTaken[index] {
        if let key = likeness(known[index]) { free[key, default: []].append(index) }
      }
      for index in unmatchedIncoming where withSharedGUID.contains(index) {
        if let key = likeness(incoming[index]), let same = free[key]?.popLast() { take(same, for: index) }
      }
      settle()
    }
    matchCopies(others)
  }

  /// The library has an episode several times that the feed has once, as one podcli merged while another one did: it is the
  /// oldest of them, and not one more. That one follows the feed, so it has the date of before.
  private mutating func matchCopies(_ others: [EpisodeTraits]) {
    let unchanged = Set(others.compactMap(\.guid))
    let twins = indexes(of: incoming.indices, in: incoming, by: \.guid)
    let copies = indexes(of: known.indices.filter { !isTaken[$0] }, in: known, by: \.guid)
    for index in unmatchedIncoming where withSharedGUID.contains(index) {
      let new = incoming[index]
      guard let guid = new.guid, twins[guid]?.count == 1, !unchanged.contains(guid), let same = copies[guid],
        same.allSatisfy({ known[$0].enclosure == new.enclosure && known[$0].title == new.title }),
        let oldest = same.min(by: isOlder), known[oldest].isWithinADay(of: new)
      else { continue }
      take(oldest, for: index)
    }
    settle()
  }

  /// The guid and other traits of an episode, which one that is like it has, too.
  private struct Likeness: Hashable {
    private let traits: [String?]

    init(_ episode: EpisodeTraits, _ others: KeyPath<EpisodeTraits, String?>...) {
      traits = [episode.guid] + others.map { episode[keyPath: $0] }
    }
  }

  /// Values that several episodes have, in the feed or in the library.
  private func shared(_ others: [EpisodeTraits], by trait: (EpisodeTraits) -> String?) -> Set<String> {
    let unchanged = others.compactMap(trait)
    return [incoming, known].reduce(into: []) { shared, episodes in
      var seen: Set<String> = []
      shared.formUnion((unchanged + episodes.compactMap(trait)).filter { !seen.insert($0).inserted })
    }
  }

  /// Guid, title and day differ, so it is another episode, even at the same address. An address that several have proves
  /// less, and so does a guid that several have or for which the address stands in.
  private func isOther(_ index: Int, _ knownIndex: Int) -> Bool {
    let (new, old) = (incoming[index], known[knownIndex])
    guard let guid = new.guid, let otherGUID = old.guid else { return false }
    let (hasTitle, isSameDay) = (new.title == old.title, new.isSameDay(as: old))
    if guid == otherGUID {
      return withSharedGUID.contains(index) || (guid == new.enclosure && !hasTitle && !new.isWithinADay(of: old))
    }
    if sharedEnclosures.contains(new.enclosure ?? "") { return !new.isSameMoment(as: old) }
    return !hasTitle && !isSameDay
  }

  private mutating func match(by trait: (EpisodeTraits) -> String?) {
    guard !unmatchedIncoming.isEmpty else { return }
    let free = indexes(of: known.indices.filter { !isTaken[$0] }, in: known, by: trait)
    let wanted = indexes(of: unmatchedIncoming, in: incoming, by: trait)
    for (value, candidates) in wanted {
      guard let found = free[value], found.count == 1, candidates.count == 1 else { continue }
      if !isOther(candidates[0], found[0]) { take(found[0], for: candidates[0]) }
    }
    settle()
  }

  private mutating func matchRepublished() {
    guard !unmatchedIncoming.isEmpty else { return }
    let free = indexes(of: known.indices.filter { !isTaken[$0] }, in: known, by: \.titleAndDay)
    let rivals = indexes(of: unmatchedIncoming, in: incoming, by: \.titleAndDay)
    for index in unmatchedIncoming {
      guard let title = incoming[index].titleAndDay, let candidates = free[title] else { continue }
      let found = candidates.filter { incoming[index].isRepublished(as: known[$0]) }
      guard found.count == 1, !isTaken[found[0]] else { continue }
      let claims = (rivals[title] ?? []).filter { incoming[$0].isRepublished(as: known[found[0]]) }
      if claims.count == 1 { take(found[0], for: index) }
    }
    settle()
  }

  /// Of a publisher that has gone to another host, which gives other guids and addresses: a title that one episode has there and
  /// one here names it, where the dates are nearly the same. Two at least, and half of what is left, must be so; and some
  /// must be as old as what is here, or else it is today's bulletins, which have the titles of yesterday's.
  private mutating func matchRenumbered(_ others: [EpisodeTraits]) {
    guard !unmatchedIncoming.isEmpty, let newest = known.compactMap(\.publishedAt).max(),
      unmatchedIncoming.contains(where: { incoming[$0].publishedAt.map { $0 <= newest } ?? false })
    else { return }
    let titles = shared(others, by: \.title)
    let here = indexes(of: known.indices.filter { !isTaken[$0] }, in: known, by: \.title)
    let pairs = unmatchedIncoming.compactMap { index -> (index: Int, known: Int)? in
      guard let title = incoming[index].title, !title.isEmpty, !titles.contains(title), let old = here[title],
        incoming[index].isNearly(known[old[0]])
      else { return nil }
      return (index, old[0])
    }
    guard pairs.count >= 2, pairs.count * 2 >= unmatchedIncoming.count else { return }
    for pair in pairs { take(pair.known, for: pair.index) }
    settle()
  }

  /// True when an address without its query names at most one episode, in the feed and in the library.
  private func addressesAreUnique(besides others: [EpisodeTraits]) -> Bool {
    [incoming, known].allSatisfy { episodes in
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
