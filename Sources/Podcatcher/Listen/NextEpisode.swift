internal import PodcastModel
internal import PodcastStore

extension Autoplay {
  /// The episode that follows `entry`. An ended episode has left the queue by now.
  func episode(
    after entry: EpisodeEntry, besides passedOver: Set<EpisodeID> = [], in store: PodcastStore
  ) async throws(StoreError) -> EpisodeEntry? {
    guard self != .off else { return nil }
    let excluded = passedOver.union([entry.episode.id])
    if let queued = try await store.queue().first(where: { !excluded.contains($0.episode.id) }) { return queued }
    return self == .next ? try await store.next(after: entry.episode.id) : nil
  }
}
