package import PodcastModel
internal import PodcastStore
private import System

extension Subscriber {
  /// Subscribes to many feeds, `jobs` at a time, and reports each as it is done. A failure stops no other feed.
  package func subscribe(
    to outlines: [FeedOutline], jobs: Int,
    report: (FeedOutline, Result<Subscription, FollowError>) -> Void
  ) async throws(FollowError) {
    await withTaskGroup(of: (FeedOutline, Result<Subscription, FollowError>).self) { group in
      var waiting = outlines.makeIterator()
      func startNext() {
        guard let outline = waiting.next() else { return }
        // Parsing uses all cores, wherever the caller runs.
        group.addTask(executorPreference: AllCores.executor) { (outline, await self.result(of: outline)) }
      }
      for _ in 0..<max(1, jobs) { startNext() }
      while let (outline, result) = await group.next() {
        report(outline, result)
        startNext()
      }
    }
    try await storing { store throws(StoreError) in try await store.makeDurable() }
  }

  private func result(of outline: FeedOutline) async -> Result<Subscription, FollowError> {
    var options = Options()
    options.tags = outline.folders
    options.isOneOfMany = true
    do throws(FollowError) {
      guard let url = FeedAddress.web(inList: outline.url) else { throw FollowError.notForLists(outline.url) }
      if let known = try await followed(url, outline.folders) { return .success(known) }
      return .success(try await subscribe(to: url, options))
    } catch {
      return .failure(error)
    }
  }

  /// The podcast of an outline that is followed already, which gets its folders as tags; nothing is asked of its server.
  private func followed(_ url: String, _ folders: [String]) async throws(FollowError) -> Subscription? {
    let addresses = Self.withTwin(PrivateAddress(url).listed)
    return try await storing { store throws(StoreError) in
      guard let podcast = try await store.podcast(atAnyOf: addresses), podcast.isSubscribed else { return nil }
      try await store.add(tags: folders, to: podcast.id)
      return Subscription(result: MergeResult(unasked: podcast))
    }
  }
}
