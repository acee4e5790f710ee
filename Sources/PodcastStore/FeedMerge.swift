internal import PodcastModel

/// Brings the episodes of one parsed feed into one podcast.
///
/// A long feed goes in slices that hold the write lock only briefly, so that a player's position gets in between.
/// Any slice may be the last one if the process dies: merging the same feed again completes the work.
struct FeedMerge {
  private let connection: Connection
  private let podcast: PodcastID
  private let now: Timestamp
  private let digest: DigestedFeed
  /// For each episode of the feed, whether the library has it to the letter.
  private var isThere: [Bool] = []
  /// Of the others: the episodes that they may be, and for each episode of the feed which; empty while there are none.
  private var known: [Known] = []
  private var matches: [Int?] = []
  /// Hashes of the guids that are taken, and the next number of those that several episodes share.
  private var takenGUIDs: Set<Int64> = []
  private var nextTwin: [Int64: Int64] = [:]
  /// For each episode of the feed the id it was given here; 0 for none.
  private var added: [Int64]
  private var next = 0
  private var expectedEpisodes = 0
  private(set) var result: MergeResult

  private struct Known {
    var id: EpisodeID
    var traits: EpisodeTraits
    var twin: Int64
  }

  private var incoming: [FeedEpisode] { digest.feed.episodes }
  private var order: [Int] { digest.order }

  init(_ digest: DigestedFeed, into start: MergeResult, connection: Connection, now: Timestamp) {
    self.connection = connection
    self.digest = digest
    self.now = now
    podcast = start.podcast
    result = start
    added = Array(repeating: 0, count: digest.feed.episodes.count)
  }

  // MARK: Matching

  /// Reads what is there and decides which episode is which. Mostly nothing has changed; then nothing but hashes is read.
  mutating func prepare() throws(StoreError) {
    let hashes = try connection.rows(
      "SELECT content_hash FROM episodes INDEXED BY episodes_of_podcast WHERE podcast_id = \(podcast)"
    ) { $0.integer(0) }
    let known = Set(hashes)
    isThere = digest.hashes.map { known.contains($0) }
    expectedEpisodes = hashes.count
    next = 0
    result.updated = 0
    result.unchanged = 0
    self.known = []
    matches = []
    guard !known.isEmpty, order.contains(where: { [isThere] in !isThere[$0] }) else { return }
    try readKnown()
    match()
  }

  private mutating func match() {
    let episodes = incoming
    let open = order.filter { !isThere[$0] }
    let found = EpisodeMatcher(incoming: open.map { EpisodeTraits(episodes[$0]) }, known: known.map(\.traits)) {
      order.filter { isThere[$0] }.compactMap { EpisodeTraits(episodes[$0]).enclosure }
    }
    matches = [Int?](repeating: nil, count: episodes.count)
    for (place, index) in open.enumerated() { matches[index] = found.matches[place] }
  }

  private func match(_ index: Int) -> Int? { matches.isEmpty ? nil : matches[index] }

  /// Somebody else may be merging the same feed, and must not add what was just added here, nor the other way round.
  private mutating func prepareAgainIfOthersAdded() throws(StoreError) {
    let episodes = try connection.integer("SELECT episodes FROM counters WHERE podcast_id = \(podcast)")
    if episodes != Int64(expectedEpisodes) { try prepare() }
  }

  /// The guids of all episodes, and more of those that the feed does not have to the letter.
  private mutating func readKnown() throws(StoreError) {
    let said = Set(digest.hashes)
    takenGUIDs = []
    nextTwin = [:]
    var others: [Known] = []
    try connection.forEachRow(
      """
      SELECT id, content_hash, guid, twin, enclosure_url, title, published_at, duration, enclosure_length
      FROM episodes INDEXED BY episodes_of_podcast WHERE podcast_id = \(podcast)
      """
    ) { row in
      let guid = row.text(2)
      let hash = ContentHash.of(guid)
      takenGUIDs.insert(hash)
      let twin = row.integer(3)
      if twin > 0 { nextTwin[hash] = max(nextTwin[hash] ?? 1, twin + 1) }
      guard !said.contains(row.integer(1)) else { return }
      others.append(
        Known(
          id: EpisodeID(rawValue: row.integer(0)),
          traits: EpisodeTraits(
            guid: guid, enclosure: row.optionalText(4), title: row.text(5), publishedAt: row.optionalTime(6),
            duration: row.optionalInteger(7), enclosureLength: row.optionalInteger(8)),
          twin: twin))
    }
    known = others
  }

  // MARK: Writing

  var isDone: Bool { next >= order.count }

  /// What follows needs no write lock at all when nothing of it changed.
  mutating func skipUnchanged() {
    while next < order.count, isThere[order[next]] {
      // What an earlier slice of this merge added is seen again when others have written in between.
      if added[order[next]] == 0 { result.unchanged += 1 }
      next += 1
    }
  }

  /// Writes until it is time to let others; always inside a transaction.
  mutating func writeSlice(while mayGoOn: () -> Bool) throws(StoreError) {
    try prepareAgainIfOthersAdded()
    let writer = try EpisodeWriter(connection)
    let place = EpisodeWriter.Place(
      podcast: podcast, isListed: try isFollowed(), isNew: !result.isNew, addedAt: now)
    var additions = Additions(podcast: podcast, connection: connection)
    var written = 0
    // An element of an array is copied to be looked at; what a pointer points to is not.
    try incoming.withUnsafeBufferPointer { episodes throws(StoreError) in
      while next < order.count, let first = episodes.baseAddress {
        let index = order[next]
        if isThere[index] {
          skipUnchanged()
          continue
        }
        if let match = match(index) {
          try update(known[match], to: first[index], index, writer)
        } else {
          try insert(first[index], index, place, writer, &additions)
        }
        next += 1
        written += 1
        if written % 8 == 0, !mayGoOn() { break }
      }
    }
    try additions.finish()
  }

  private func isFollowed() throws(StoreError) -> Bool {
    try connection.integer("SELECT is_subscribed FROM podcasts WHERE id = \(podcast)") == 1
  }

  private mutating func update(
    _ episode: Known, to new: borrowing FeedEpisode, _ index: Int, _ writer: EpisodeWriter
  ) throws(StoreError) {
    let names = EpisodeNames(new)
    let twin = names.guid == episode.traits.guid ? episode.twin : takeTwin(of: names.guid)
    try writer.update(episode.id, to: new, names, twin: twin, hash: digest.hashes[index])
    result.updated += 1
  }

  private mutating func insert(
    _ new: borrowing FeedEpisode, _ index: Int, _ place: EpisodeWriter.Place, _ writer: EpisodeWriter,
    _ additions: inout Additions
  ) throws(StoreError) {
    let names = EpisodeNames(new)
    let twin = takeTwin(of: names.guid)
    let id = try writer.insert(new, names, twin: twin, hash: digest.hashes[index], into: place)
    additions.add(id, publishedAt: new.publishedAt)
    expectedEpisodes += 1
    added[index] = id.rawValue
  }

  private mutating func takeTwin(of guid: String) -> Int64 {
    let guid = ContentHash.of(guid)
    guard !takenGUIDs.insert(guid).inserted else { return 0 }
    let twin = nextTwin[guid] ?? 1
    nextTwin[guid] = twin + 1
    result.twins += 1
    return twin
  }

  mutating func finish() {
    result.added = added.filter { $0 != 0 }.map(EpisodeID.init(rawValue:))
  }
}

/// What follows from new episodes, once for all that one transaction adds to a podcast: its counters, and their place in
/// the queue of the full-text index.
private struct Additions {
  let podcast: PodcastID
  let connection: Connection
  private var count = 0
  private var first = EpisodeID(rawValue: 0)
  private var last = EpisodeID(rawValue: 0)
  private var newest: Timestamp?

  init(podcast: PodcastID, connection: Connection) {
    self.podcast = podcast
    self.connection = connection
  }

  mutating func add(_ id: EpisodeID, publishedAt: Timestamp?) {
    if count == 0 { first = id }
    last = id
    count += 1
    if let publishedAt { newest = max(newest ?? publishedAt, publishedAt) }
  }

  /// Ids grow by one within a transaction, so they are a range.
  func finish() throws(StoreError) {
    guard count > 0 else { return }
    try connection.execute(
      "INSERT INTO search_queue (episode_id) SELECT id FROM episodes WHERE id BETWEEN \(first) AND \(last)")
    try connection.execute(
      """
      UPDATE counters SET episodes = episodes + \(count), unplayed = unplayed + \(count),
        newest_at = max(ifnull(newest_at, \(newest)), ifnull(\(newest), newest_at))
      WHERE podcast_id = \(podcast)
      """)
  }
}
