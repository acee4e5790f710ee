internal import PodcastModel

extension MergeJob {
  /// A job on its way through transactions: its podcast is found or added, then its episodes are merged slice by slice,
  /// and the feed's validators are written last.
  ///
  /// A slice holds the write lock only briefly, so that a player's position gets in between. If the process dies after
  /// any slice, merging the same feed again completes the work.
  struct Run {
    let job: MergeJob
    private let connection: Connection
    private(set) var result = MergeResult(podcast: PodcastID(rawValue: 0), title: "", isNew: false)
    /// The feed was not fetched to its end before: no episode of it is news.
    private var isFirst = false
    /// Whether the podcast is known and its episodes are matched.
    private var isPrepared = false
    private var hasBegun = false
    /// The index into `job.order` of the next episode to write.
    private var next = 0

    /// For each episode of the feed, whether the library has it unchanged.
    private var isUnchanged: [Bool] = []
    /// The library's episodes that the feed does not have unchanged, and for each episode of the feed the index of its
    /// match among them. `matches` is empty while there are none.
    private var known: [Known] = []
    private var matches: [Int?] = []
    /// Hashes of the guids in use, and the next number for each guid that several episodes share.
    private var usedGUIDs: Set<Int64> = []
    private var sharedGUIDs: Set<Int64> = []
    private var nextTwin: [Int64: Int64] = [:]
    /// For each episode of the feed the id that this run gave it; 0 for none.
    private var added: [Int64] = []
    /// The podcast's number of episodes, unless another process adds some.
    private var expectedEpisodes = 0

    private struct Known {
      var id: EpisodeID
      var traits: EpisodeTraits
      var twin: Int64
    }

    /// Reads and matches before the first transaction, as far as the podcast is known.
    init(_ job: MergeJob, _ connection: Connection) throws(StoreError) {
      self.job = job
      self.connection = connection
      switch job.target {
      case .podcast(let podcast):
        guard try connection.integer("SELECT 1 FROM podcasts WHERE id = \(podcast)") != nil else {
          throw StoreError(.notFound, message: "no podcast has the id \(podcast.rawValue)", about: connection.path)
        }
        try prepare(Following(podcast: podcast, isNew: Self.isFirst(podcast, connection)))
      case .subscription(let subscription):
        guard let podcast = try PodcastRows(connection: connection).id(at: subscription.feedURL) else { return }
        try prepare(Following(podcast: podcast, isNew: false))
      }
    }

    private static func isFirst(_ podcast: PodcastID, _ connection: Connection) throws(StoreError) -> Bool {
      try connection.integer("SELECT 1 FROM feeds WHERE podcast_id = \(podcast) AND fetched_at IS NULL") != nil
    }

    /// All episodes are written, and with them the feed's state.
    var isWritten: Bool { isPrepared && next >= job.order.count }

    /// One slice, inside a transaction.
    mutating func write(_ connection: Connection, while mayGoOn: () -> Bool) throws(StoreError) {
      if !hasBegun, case .subscription(let subscription) = job.target {
        let following = try SubscriptionRows(connection: connection).follow(subscription, job.feed, job.now)
        // The podcast that was matched before may be a new one now, or another one.
        if following.isNew || !isPrepared || result.podcast != following.podcast { try prepare(following) }
      }
      hasBegun = true
      if !isWritten { try writeSlice(while: mayGoOn) }
      skipUnchanged()
      if isWritten { try conclude() }
    }

    /// Last, so that the feed's state never claims more than is merged.
    private mutating func conclude() throws(StoreError) {
      result.added = added.filter { $0 != 0 }.map(EpisodeID.init(rawValue:))
      let podcast = result.podcast
      let known = try connection.integer("SELECT content_hash FROM podcasts WHERE id = \(podcast)")
      if known != job.podcastHash {
        try PodcastRecord(job.feed, contentHash: job.podcastHash).update(podcast, connection)
      }
      try FeedRows(connection: connection).recordSuccess(
        of: podcast, job.validators, PublishingRules(job.feed), nextCheckAt: job.nextCheckAt,
        hasChanged: !result.added.isEmpty || result.updated > 0, job.now)
      result.title = try connection.first("SELECT title FROM podcasts WHERE id = \(podcast)") { $0.text(0) } ?? ""
    }
  }
}

// MARK: Matching

extension MergeJob.Run {
  private mutating func prepare(_ following: Following) throws(StoreError) {
    result = MergeResult(
      podcast: following.podcast, title: "", isNew: following.isNew, isReturning: following.isReturning)
    isFirst = following.isNew ? true : try Self.isFirst(following.podcast, connection)
    added = Array(repeating: 0, count: job.feed.episodes.count)
    usedGUIDs = []
    nextTwin = [:]
    try match()
    skipUnchanged()
    isPrepared = true
  }

  /// Reads the podcast's episodes and matches them with the feed's. Mostly nothing has changed; then only hashes are read.
  private mutating func match() throws(StoreError) {
    let hashes = try connection.rows(
      "SELECT content_hash FROM episodes INDEXED BY episodes_of_podcast WHERE podcast_id = \(result.podcast)"
    ) { $0.integer(0) }
    compare(hashes)
    next = 0
    result.updated = 0
    result.unchanged = 0
    known = []
    matches = []
    guard !hashes.isEmpty, job.order.contains(where: { [isUnchanged] in !isUnchanged[$0] }) else { return }
    try readKnown()
    matchKnown()
  }

  /// `hashes`: of all the podcast's episodes at one moment.
  private mutating func compare(_ hashes: [Int64]) {
    let stored = Set(hashes)
    isUnchanged = job.hashes.map { stored.contains($0) }
    expectedEpisodes = hashes.count
  }

  /// Reads the guids of all episodes, and the traits of those that the feed does not have unchanged. Their hashes are read
  /// again with them: another process may have merged a part of the same feed since.
  private mutating func readKnown() throws(StoreError) {
    let said = Set(job.hashes)
    var hashes: [Int64] = []
    usedGUIDs = []
    sharedGUIDs = []
    nextTwin = [:]
    var others: [Known] = []
    try connection.forEachRow(
      """
      SELECT id, content_hash, guid, twin, enclosure_url, title, published_at, duration, enclosure_length
      FROM episodes INDEXED BY episodes_of_podcast WHERE podcast_id = \(result.podcast)
      """
    ) { row in
      let guid = row.text(2)
      let hash = ContentHash.of(guid)
      if !usedGUIDs.insert(hash).inserted { sharedGUIDs.insert(hash) }
      let twin = row.integer(3)
      if twin > 0 { nextTwin[hash] = max(nextTwin[hash] ?? 1, twin + 1) }
      hashes.append(row.integer(1))
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
    compare(hashes)
  }

  private mutating func matchKnown() {
    let episodes = job.feed.episodes
    let open = job.order.filter { !isUnchanged[$0] }
    let found = EpisodeMatcher(
      incoming: open.map { EpisodeTraits(episodes[$0]) }, known: known.map(\.traits),
      isFeed: true, isStoredTwice: { sharedGUIDs.contains(ContentHash.of($0)) },
      isOlder: { [known] in known[$0].id.rawValue < known[$1].id.rawValue },
      others: { job.order.filter { isUnchanged[$0] }.map { EpisodeTraits(episodes[$0]) } })
    matches = [Int?](repeating: nil, count: episodes.count)
    for (index, episode) in open.enumerated() { matches[episode] = found.matches[index] }
  }

  /// Unchanged episodes need no write lock.
  private mutating func skipUnchanged() {
    while next < job.order.count, isUnchanged[job.order[next]] {
      // An episode that an earlier slice of this run added is unchanged after another match.
      if added[job.order[next]] == 0 { result.unchanged += 1 }
      next += 1
    }
  }
}

// MARK: Writing

extension MergeJob.Run {
  private mutating func writeSlice(while mayGoOn: () -> Bool) throws(StoreError) {
    try matchAgainIfOthersAdded()
    let writer = try EpisodeWriter(connection)
    let owner = EpisodeWriter.Owner(
      podcast: result.podcast, isListed: try isFollowed(), isNew: !isFirst, addedAt: job.now)
    var newEpisodes = NewEpisodes(podcast: result.podcast, connection: connection)
    var written = 0
    var last: Int?
    // An array's subscript copies the element; a pointer's does not.
    try job.feed.episodes.withUnsafeBufferPointer { episodes throws(StoreError) in
      while next < job.order.count, let first = episodes.baseAddress {
        let index = job.order[next]
        if isUnchanged[index] {
          skipUnchanged()
          continue
        }
        if let match = matches.isEmpty ? nil : matches[index] {
          try update(known[match], to: first[index], index, writer)
        } else {
          try insert(first[index], index, owner, writer, &newEpisodes)
        }
        if let last { first[last].texts.letGo(before: first[index].texts) }
        last = index
        next += 1
        written += 1
        if written % 8 == 0, !mayGoOn() { break }
      }
    }
    try newEpisodes.finish()
  }

  /// Another process may be merging the same feed; neither may add the other's episodes again.
  private mutating func matchAgainIfOthersAdded() throws(StoreError) {
    let episodes = try connection.integer("SELECT episodes FROM counters WHERE podcast_id = \(result.podcast)")
    if episodes != Int64(expectedEpisodes) { try match() }
  }

  private func isFollowed() throws(StoreError) -> Bool {
    try connection.integer("SELECT is_subscribed FROM podcasts WHERE id = \(result.podcast)") == 1
  }

  private mutating func update(
    _ episode: Known, to new: borrowing FeedEpisode, _ index: Int, _ writer: EpisodeWriter
  ) throws(StoreError) {
    var names = EpisodeNames(new)
    names.twin = names.guid == episode.traits.guid ? episode.twin : takeTwin(of: names.guid)
    names.contentHash = job.hashes[index]
    try writer.update(episode.id, to: new, names)
    result.updated += 1
  }

  private mutating func insert(
    _ new: borrowing FeedEpisode, _ index: Int, _ owner: EpisodeWriter.Owner, _ writer: EpisodeWriter,
    _ newEpisodes: inout NewEpisodes
  ) throws(StoreError) {
    var names = EpisodeNames(new)
    names.twin = takeTwin(of: names.guid)
    names.contentHash = job.hashes[index]
    let id = try writer.insert(new, names, of: owner)
    newEpisodes.add(id, publishedAt: new.publishedAt)
    expectedEpisodes += 1
    added[index] = id.rawValue
  }

  private mutating func takeTwin(of guid: String) -> Int64 {
    let guid = ContentHash.of(guid)
    guard !usedGUIDs.insert(guid).inserted else { return 0 }
    let twin = nextTwin[guid] ?? 1
    nextTwin[guid] = twin + 1
    result.twins += 1
    return twin
  }
}
