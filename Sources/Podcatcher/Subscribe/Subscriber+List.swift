internal import PodcastModel
package import PodcastStore
private import System

extension Subscriber {
  /// Subscribes to many feeds, `jobs` at a time, and reports each as it is done. A failure stops no other feed.
  package func subscribe(
    to records: [SubscriptionRecord], jobs: Int,
    report: (SubscriptionRecord, Result<Subscription, FollowError>) async -> Void
  ) async throws(FollowError) {
    try await subscribe(to: records, jobs: jobs, leaving: nil, report: report)
  }

  func subscribe(
    to records: [SubscriptionRecord], jobs: Int, leaving: LeavingPodcasts?,
    report: (SubscriptionRecord, Result<Subscription, FollowError>) async -> Void
  ) async throws(FollowError) {
    await withTaskGroup(of: (SubscriptionRecord, Result<Subscription, FollowError>).self) { group in
      var waiting = records.makeIterator()
      func startNext() {
        guard let record = waiting.next() else { return }
        // Parsing uses all cores, wherever the caller runs.
        group.addTask(executorPreference: AllCores.executor) { (record, await self.result(of: record, leaving)) }
      }
      for _ in 0..<max(1, jobs) { startNext() }
      while let (record, result) = await group.next() {
        startNext()
        await report(record, result)
      }
    }
    try await storing { store throws(StoreError) in try await store.makeDurable() }
  }

  private func result(
    of record: SubscriptionRecord, _ leaving: LeavingPodcasts?
  ) async -> Result<Subscription, FollowError> {
    var options = Options()
    options.tags = record.tags
    options.isPrivate = record.isPrivate
    options.isOneOfMany = true
    options.leaving = leaving
    options.imported = PodcastImport(
      ownTitle: record.ownTitle, subscribedAt: record.subscribedAt, settings: record.settings)
    do throws(FollowError) {
      guard let url = FeedAddress.web(inList: record.feedURL) else { throw FollowError.notForLists(record.feedURL) }
      if let known = try await followed(url, isPrivate: record.isPrivate) { return .success(known) }
      return .success(try await subscribe(to: url, options))
    } catch {
      return .failure(error)
    }
  }

  /// The podcast of a record that is followed already, which stays as it is; nothing is asked of its server. One whose feed
  /// never came to its end, as an import that was killed leaves it, is fetched.
  private func followed(_ url: String, isPrivate: Bool) async throws(FollowError) -> Subscription? {
    let addresses = PrivateAddress(url, isPrivate: isPrivate).spellings
    return try await storing { store throws(StoreError) in
      guard let podcast = try await store.podcast(atAnyOf: addresses), podcast.isSubscribed,
        try await store.feed(of: podcast.id)?.fetchedAt != nil
      else { return nil }
      return Subscription(result: MergeResult(unasked: podcast))
    }
  }
}
