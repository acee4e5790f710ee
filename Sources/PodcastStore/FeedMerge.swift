internal import PodcastModel

/// Brings the episodes of one parsed feed into one podcast.
///
/// A long feed goes in slices that hold the write lock only briefly, so that a player's position gets in between.
/// Any slice may be the last one if the process dies: merging the same feed again completes the work.
struct FeedMerge {
  private let connection: Connection
  private let podcast: PodcastID
  private let now: Timestamp
  private let incoming: [FeedEpisode]
  private let hashes: [Int64]
  /// Oldest first, so that a newer episode gets a higher id.
  private let order: [Int]
  private var known: [Known] = []
  private var matches: [Int?] = []
  private var nextTwin: [String: Int64] = [:]
  private var added: [Int: EpisodeID] = [:]
  private var next = 0
  private var expectedEpisodes = 0
  private(set) var result: MergeResult

  private struct Known {
    var id: EpisodeID
    var contentHash: Int64
    var traits: EpisodeTraits
    var twin: Int64
  }

  init(_ feed: Feed, into podcast: PodcastID, result: MergeResult, connection: Connection, now: Timestamp) {
    self.connection = connection
    self.podcast = podcast
    self.now = now
    self.result = result
    (incoming, hashes) = Self.withoutRepetitions(feed.episodes)
    order = Self.oldestFirst(incoming)
  }

  /// The same item twice, to the letter, is one episode. Two items that merely share a guid are two.
  private static func withoutRepetitions(_ episodes: [FeedEpisode]) -> ([FeedEpisode], [Int64]) {
    var seen: Set<Int64> = []
    var kept: [FeedEpisode] = []
    var hashes: [Int64] = []
    for episode in episodes {
      let hash = episode.contentHash
      guard seen.insert(hash).inserted else { continue }
      kept.append(episode)
      hashes.append(hash)
    }
    return (kept, hashes)
  }

  private static func oldestFirst(_ episodes: [FeedEpisode]) -> [Int] {
    let dates = episodes.compactMap(\.publishedAt)
    let isAscending = if let first = dates.first, let last = dates.last { first < last } else { false }
    return isAscending ? Array(episodes.indices) : Array(episodes.indices.reversed())
  }

  // MARK: Matching

  /// Reads what is there and decides which episode is which.
  mutating func prepare() throws(StoreError) {
    known = try readKnown()
    matches = EpisodeMatcher(incoming: incoming.map(EpisodeTraits.init), known: known.map(\.traits)).matches
    nextTwin = [:]
    for episode in known {
      guard let guid = episode.traits.guid else { continue }
      nextTwin[guid] = max(nextTwin[guid] ?? 0, episode.twin + 1)
    }
    next = 0
    result.updated = 0
    result.unchanged = 0
    expectedEpisodes = known.count
  }

  /// Somebody else may be merging the same feed, and must not add what was just added here, nor the other way round.
  private mutating func prepareAgainIfOthersAdded() throws(StoreError) {
    let episodes = try connection.integer("SELECT episodes FROM counters WHERE podcast_id = \(podcast)")
    if episodes != Int64(expectedEpisodes) { try prepare() }
  }

  private func readKnown() throws(StoreError) -> [Known] {
    try connection.rows(
      """
      SELECT id, content_hash, guid, twin, enclosure_url, title, published_at, duration, enclosure_length
      FROM episodes INDEXED BY episodes_of_podcast WHERE podcast_id = \(podcast)
      """
    ) { row in
      let guid = row.text(2)
      let enclosure = row.optionalText(4)
      return Known(
        id: EpisodeID(rawValue: row.integer(0)), contentHash: row.integer(1),
        traits: EpisodeTraits(
          guid: guid, enclosure: enclosure, title: row.text(5), publishedAt: row.optionalTime(6),
          duration: row.optionalInteger(7), enclosureLength: row.optionalInteger(8)),
        twin: row.integer(3))
    }
  }

  // MARK: Writing

  var isDone: Bool { next >= order.count }

  /// What follows needs no write lock at all when nothing of it changed.
  mutating func skipUnchanged() {
    while next < order.count, isUnchanged(order[next]) {
      result.unchanged += 1
      next += 1
    }
  }

  private func isUnchanged(_ index: Int) -> Bool {
    guard added[index] == nil else { return false }
    return matches[index].map { known[$0].contentHash == hashes[index] } ?? false
  }

  /// Writes until it is time to let others; always inside a transaction.
  mutating func writeSlice(while mayGoOn: () -> Bool) throws(StoreError) {
    try prepareAgainIfOthersAdded()
    var written = 0
    while next < order.count {
      let index = order[next]
      if let match = matches[index] {
        try update(known[match], from: index)
      } else {
        try insert(index)
      }
      next += 1
      written += 1
      if written % 2 == 0, !mayGoOn() { return }
    }
  }

  private mutating func update(_ episode: Known, from index: Int) throws(StoreError) {
    // An episode an earlier slice of this merge added is seen again when others have written in between.
    if episode.contentHash == hashes[index] {
      if added[index] == nil { result.unchanged += 1 }
      return
    }
    let row = EpisodeRecord(incoming[index], contentHash: hashes[index])
    let twin = row.guid == episode.traits.guid ? episode.twin : takeTwin(of: row.guid)
    try connection.execute(row.update(episode.id, twin: twin))
    try row.writeParts(of: episode.id, replacing: true, connection)
    result.updated += 1
  }

  private mutating func insert(_ index: Int) throws(StoreError) {
    let row = EpisodeRecord(incoming[index], contentHash: hashes[index])
    try connection.execute(row.insertion(into: podcast, twin: takeTwin(of: row.guid), isNew: !result.isNew, at: now))
    let id = EpisodeID(rawValue: connection.lastInsertedID)
    expectedEpisodes += 1
    try row.writeParts(of: id, replacing: false, connection)
    added[index] = id
  }

  private mutating func takeTwin(of guid: String) -> Int64 {
    let twin = nextTwin[guid] ?? 0
    nextTwin[guid] = twin + 1
    if twin > 0 { result.twins += 1 }
    return twin
  }

  mutating func finish() {
    result.added = incoming.indices.compactMap { added[$0] }
  }
}

extension EpisodeTraits {
  init(_ episode: FeedEpisode) {
    self.init(
      guid: EpisodeRecord.guid(of: episode), enclosure: episode.enclosure?.url, title: EpisodeRecord.title(of: episode),
      publishedAt: episode.publishedAt, duration: EpisodeRecord.duration(of: episode)?.inMilliseconds,
      enclosureLength: episode.enclosure?.length)
  }
}
