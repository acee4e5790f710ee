package import PodcastModel

/// Merging feeds, podcasts, the state of feeds, settings and tags.
extension PodcastStore {
  // MARK: Merging feeds

  /// Follows a feed and adds its episodes. A feed that is followed already, under this or a former address, is merged.
  package nonisolated func subscribe(
    to feed: Feed, at feedURL: String, validators: FeedValidators? = nil, ownTitle: String? = nil, tags: [String] = [],
    isPrivate: Bool = false, otherAddresses: [String] = [], imported: PodcastImport? = nil,
    isOneOfMany: Bool = false, now: Timestamp = .now
  ) async throws(StoreError) -> MergeResult {
    let subscription = Subscription(
      feedURL: feedURL, ownTitle: ownTitle, tags: tags, isPrivate: isPrivate, otherAddresses: otherAddresses,
      imported: imported)
    return try await run(
      MergeJob(.subscription(subscription), feed, validators, nextCheckAt: nil, isOneOfMany: isOneOfMany, now: now))
  }

  /// Merges a feed into its podcast.
  package nonisolated func merge(
    _ feed: Feed, into podcast: PodcastID, validators: FeedValidators? = nil, nextCheckAt: Timestamp? = nil,
    isOneOfMany: Bool = false, now: Timestamp = .now
  ) async throws(StoreError) -> MergeResult {
    try await run(
      MergeJob(.podcast(podcast), feed, validators, nextCheckAt: nextCheckAt, isOneOfMany: isOneOfMany, now: now))
  }

  private nonisolated func run(_ job: MergeJob) async throws(StoreError) -> MergeResult {
    mergeQueue.add(job)
    // An earlier caller may have run this job already; then this returns at once.
    await runWaitingJobs()
    let result = try job.result
    if result.isNew || !result.added.isEmpty || result.updated > 0 { await retryParked(result.podcast, now: job.now) }
    return result
  }

  /// Imported records wait on where this fails; the merge is done.
  private func retryParked(_ podcast: PodcastID, now: Timestamp) {
    try? ParkedRecords.retry(podcast, in: library, now: now)
  }

  private func runWaitingJobs() { mergeQueue.runAll(in: library) }

  // MARK: Subscriptions

  /// Unsubscribes as another machine did: that is not for `undo` here.
  package func leave(_ podcast: PodcastID, now: Timestamp = .now) throws(StoreError) {
    try write { connection throws(StoreError) in
      _ = try SubscriptionRows(connection: connection).unfollow(podcast, now)
    }
    try UnfinishedWork.finishOrLeave(in: library)
  }

  /// Unsubscribes: the episodes leave the playlist and their statuses stay, unless `deleting` removes everything.
  package func unsubscribe(_ podcast: PodcastID, deleting: Bool = false, now: Timestamp = .now) throws(StoreError) {
    guard deleting else { return try unsubscribe([podcast], now: now) }
    try write { connection throws(StoreError) in
      try SubscriptionRows(connection: connection).beginForgetting(podcast, now)
    }
    try UnfinishedWork.finishOrLeave(in: library)
  }

  /// Unsubscribes from several; one `undo` takes it back.
  package func unsubscribe(_ podcasts: [PodcastID], now: Timestamp = .now) throws(StoreError) {
    try write { connection throws(StoreError) in
      try SubscriptionRows(connection: connection).unsubscribe(podcasts, now)
    }
    try UnfinishedWork.finishOrLeave(in: library)
  }

  /// Changes a feed's address; the former one still finds the podcast. False when another podcast has the new one.
  /// `isPrivate`: the address is a secret; a podcast that is private stays so in any case.
  package func moveFeed(of podcast: PodcastID, to feedURL: String, isPrivate: Bool = false) throws(StoreError) -> Bool {
    try write { connection throws(StoreError) in
      try SubscriptionRows(connection: connection).moveFeed(of: podcast, to: feedURL, isPrivate: isPrivate)
    }
  }

  /// Takes former addresses away from a podcast: they serve another one now.
  package func release(_ addresses: [String], of podcast: PodcastID) throws(StoreError) {
    try write { connection throws(StoreError) in
      try SubscriptionRows(connection: connection).release(addresses, of: podcast)
    }
  }

  /// Whether the podcast has an episode with one of these guids.
  package func hasEpisode(ofAnyOf guids: [String], _ podcast: PodcastID) throws(StoreError) -> Bool {
    for guid in guids {
      let found: SQL = "SELECT 1 FROM episodes WHERE podcast_id = \(podcast) AND guid = \(guid) LIMIT 1"
      if try connection.integer(found) != nil { return true }
    }
    return false
  }

  /// The guids of the podcast's newest episodes.
  package func newestGUIDs(of podcast: PodcastID, limit: Int) throws(StoreError) -> [String] {
    try connection.rows(
      "SELECT guid FROM episodes WHERE podcast_id = \(podcast) ORDER BY published_at DESC, id DESC LIMIT \(limit)"
    ) { $0.text(0) }
  }

  // MARK: Podcasts

  /// The subscriptions, by title.
  package func podcasts() throws(StoreError) -> [PodcastEntry] {
    try PodcastRows(connection: connection).subscribed()
  }

  package func podcastCount() throws(StoreError) -> (all: Int, withImage: Int) {
    try PodcastRows(connection: connection).subscribedCount()
  }

  /// One podcast, subscribed or not.
  package func podcast(_ id: PodcastID) throws(StoreError) -> PodcastEntry? {
    try PodcastRows(connection: connection).podcast(id)
  }

  /// The podcast with this feed address, present or former.
  package func podcast(at feedURL: String) throws(StoreError) -> PodcastEntry? {
    try PodcastRows(connection: connection).podcast(at: feedURL)
  }

  /// The podcast with one of these feed addresses, present or former.
  package func podcast(atAnyOf addresses: [String]) throws(StoreError) -> PodcastEntry? {
    for address in addresses {
      if let entry = try podcast(at: address) { return entry }
    }
    return nil
  }

  /// Podcasts whose title has all these words or beginnings of words; first the one that is called exactly so.
  package func podcasts(titled words: String, limit: Int = 1000) throws(StoreError) -> [PodcastEntry] {
    try PodcastRows(connection: connection).podcasts(titled: words, limit: limit)
  }

  /// Everything stored about a podcast.
  package func details(of podcast: PodcastID) throws(StoreError) -> PodcastDetails? {
    try PodcastRows(connection: connection).details(of: podcast)
  }

  // MARK: The state of feeds

  /// The feed of every subscription, the longest unchecked first.
  package func feeds() throws(StoreError) -> [FeedState] {
    try FeedRows(connection: connection).states()
  }

  /// The feed of one podcast.
  package func feed(of podcast: PodcastID) throws(StoreError) -> FeedState? {
    try FeedRows(connection: connection).state(of: podcast)
  }

  /// Records requests that brought nothing to merge; many at once cost little more than one. With `isLast` all earlier
  /// merges become durable.
  package func record(_ records: [FeedRecord], isLast: Bool = true, now: Timestamp = .now) throws(StoreError) {
    if !records.isEmpty {
      try write(.normal) { connection throws(StoreError) in
        for record in records { try FeedRows(connection: connection).record(record, now) }
      }
    }
    if isLast { try makeDurable() }
  }

  // MARK: Settings and tags

  /// The settings of this podcast alone.
  package func settings(of podcast: PodcastID) throws(StoreError) -> [String: String] {
    try SettingRows(connection: connection).settings(of: podcast)
  }

  /// Sets all of these, or none. Nil returns to the common setting.
  package func set(_ values: [String: String?], of podcast: PodcastID) throws(StoreError) {
    try write { connection throws(StoreError) in
      try SettingRows(connection: connection).change(values, of: podcast)
    }
  }

  /// Adds these tags to a podcast or removes them, so that it can be undone.
  package func change(tags: [String], of podcast: PodcastID, adding: Bool) throws(StoreError) {
    try write { connection throws(StoreError) in
      try SettingRows(connection: connection).change(tags: tags, of: podcast, adding: adding)
    }
  }

  /// Adds tags, of which the podcast may have some.
  package func add(tags: [String], to podcast: PodcastID) throws(StoreError) {
    let known = try self.tags(of: podcast)
    guard !tags.allSatisfy(known.contains) else { return }
    try write { connection throws(StoreError) in
      try SettingRows(connection: connection).add(tags: tags, to: podcast)
    }
  }

  /// The podcasts that `podcast:NAME` in a filter stands for: by id, by address, or by words of the title.
  package func podcasts(called name: String) throws(StoreError) -> [PodcastEntry] {
    try PodcastRows(connection: connection).podcasts(called: name)
  }

  /// Whether a podcast has this tag.
  package func hasTag(_ tag: String) throws(StoreError) -> Bool {
    try !SettingRows(connection: connection).podcasts(tagged: tag).isEmpty
  }

  /// Whether this podcast has the tag.
  package func hasTag(_ tag: String, of podcast: PodcastID) throws(StoreError) -> Bool {
    try !SettingRows(connection: connection).spellings(of: tag, podcast).isEmpty
  }

  /// The tags of a podcast.
  package func tags(of podcast: PodcastID) throws(StoreError) -> [String] {
    try SettingRows(connection: connection).tags(of: podcast)
  }

  /// The tags of every podcast that has some.
  package func tags() throws(StoreError) -> [PodcastID: [String]] {
    try SettingRows(connection: connection).tags()
  }
}
