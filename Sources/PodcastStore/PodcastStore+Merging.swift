package import PodcastModel

extension PodcastStore {
  /// Follows a feed and brings its episodes in. A feed followed already, under this or a former address, is merged.
  package nonisolated func subscribe(
    to feed: Feed, at feedURL: String, validators: FeedValidators? = nil, ownTitle: String? = nil, tags: [String] = [],
    isPrivate: Bool = false, otherAddresses: [String] = [], isOneOfMany: Bool = false, now: Timestamp = .now
  ) async throws(StoreError) -> MergeResult {
    let subscription = MergeOrder.Subscription(
      feedURL: feedURL, ownTitle: ownTitle, tags: tags, isPrivate: isPrivate, otherAddresses: otherAddresses)
    return try await merge(
      MergeOrder(
        .subscription(subscription), feed, validators, nextCheckAt: nil, isOneOfMany: isOneOfMany, now: now))
  }

  /// Brings what a feed says now into a podcast that is there already.
  package nonisolated func merge(
    _ feed: Feed, into podcast: PodcastID, validators: FeedValidators? = nil, nextCheckAt: Timestamp? = nil,
    isOneOfMany: Bool = false, now: Timestamp = .now
  ) async throws(StoreError) -> MergeResult {
    try await merge(
      MergeOrder(.podcast(podcast), feed, validators, nextCheckAt: nextCheckAt, isOneOfMany: isOneOfMany, now: now))
  }

  private nonisolated func merge(_ order: MergeOrder) async throws(StoreError) -> MergeResult {
    orders.add(order)
    // Somebody may have taken it along already; then nothing is left to do here.
    await mergeWaiting()
    return try order.result
  }

  private func mergeWaiting() {
    var waiting = orders.takeAll()[...]
    while !waiting.isEmpty {
      let group = waiting.prefix(Self.mergedTogether)
      waiting = waiting.dropFirst(group.count)
      mergeTogether(Array(group))
    }
    // What cannot be done now is done by whoever comes next.
    try? finishUnfinishedWork()
  }

  /// So many hold little memory, and fill a transaction.
  private static let mergedTogether = 16

  private func mergeTogether(_ orders: [MergeOrder]) {
    var merges: [Merging] = []
    for order in orders {
      do throws(StoreError) {
        merges.append(try Merging(order, connection))
      } catch {
        order.finish(.failure(error))
      }
    }
    while !merges.isEmpty {
      let before = merges
      do throws(StoreError) {
        merges = try writeSlice(of: merges)
      } catch {
        // Nothing of that transaction is there. If one feed alone is to blame, the others go on without it.
        guard error.isAboutFeed, before.count > 1 else {
          for merge in before { merge.order.finish(.failure(error)) }
          return
        }
        for merge in before { mergeTogether([merge.order]) }
        return
      }
    }
  }

  /// One transaction, with as many of them as time allows. Answers those that are not done.
  private func writeSlice(of waiting: [Merging]) throws(StoreError) -> [Merging] {
    var merges = waiting
    var done = 0
    try write(.normal, toleratedLog: Checkpoint.toleratedByMerges) { connection throws(StoreError) in
      let mayGoOn = slice()
      repeat {
        try merges[done].write(connection, while: mayGoOn)
        guard merges[done].isWritten else { return }
        done += 1
      } while done < merges.count && mayGoOn()
    }
    if merges[..<done].contains(where: { !$0.order.isOneOfMany }) { try makeDurable() }
    for merge in merges[..<done] { merge.order.finish(.success(merge.result)) }
    return Array(merges[done...])
  }

  /// Says whether long work may go on: for so long, and while nobody waits. What was done has yet to be committed then,
  /// so it had better be little while somebody comes again and again.
  func slice() -> () -> Bool {
    let deadline = ContinuousClock.now + (turn.wasTakenLately ? .milliseconds(2) : .milliseconds(20))
    return { [turn] in ContinuousClock.now < deadline && !turn.isTaken }
  }
}

extension StoreError {
  /// The library is well; it is what was to be written that it does not take.
  fileprivate var isAboutFeed: Bool { code == .refused || code == .notFound }
}
