package import PodcastModel
package import PodcastStore

extension Autoplay {
  /// The episode that plays after the end of `entry`, which has left the queue by now.
  package func episode(
    after entry: EpisodeEntry, besides passedOver: Set<EpisodeID> = [], in store: PodcastStore
  ) async throws(StoreError) -> EpisodeEntry? {
    guard self != .off else { return nil }
    let left = passedOver.union([entry.episode.id])
    if let queued = try await store.queue().first(where: { !left.contains($0.episode.id) }) { return queued }
    return self == .next ? try await store.next(after: entry.episode.id) : nil
  }
}
