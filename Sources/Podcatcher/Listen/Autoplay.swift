package import PodcastModel
package import PodcastStore

/// What plays when an episode has ended.
package enum Autoplay: String, CaseIterable, Sendable {
  /// The queue, then the next newer unplayed episode of the same podcast.
  case next
  case queue
  case off

  /// An ended episode has left the queue by now.
  package func episode(
    after entry: EpisodeEntry, besides passedOver: Set<EpisodeID> = [], in store: PodcastStore
  ) async throws(StoreError) -> EpisodeEntry? {
    guard self != .off else { return nil }
    let left = passedOver.union([entry.episode.id])
    if let queued = try await store.queue().first(where: { !left.contains($0.episode.id) }) { return queued }
    return self == .next ? try await store.next(after: entry.episode.id) : nil
  }
}
