internal import PodcastModel
internal import PodcastStore
private import Synchronization

/// Podcasts that another machine left in the change that brings new addresses: a feed that moved is told as both. Each is
/// taken once.
final class LeavingPodcasts: Sendable {
  private let podcasts: Mutex<[PodcastEntry]>

  init(_ podcasts: [PodcastEntry]) { self.podcasts = Mutex(podcasts) }

  /// The one that this feed is, at a new address: of the same title or guid, and with half of its newest episodes.
  func take(servedBy feed: Feed, _ store: PodcastStore) async throws(FollowError) -> PodcastEntry? {
    let newest = feed.episodes.sorted { ($0.publishedAt?.seconds ?? 0) > ($1.publishedAt?.seconds ?? 0) }
    let guids = Set(newest.prefix(Self.compared).compactMap(\.guid))
    for podcast in podcasts.withLock(\.self) where !guids.isEmpty {
      do throws(StoreError) {
        let isNamedSo =
          if let guid = feed.guid, let known = try await store.details(of: podcast.id)?.guid { guid == known } else {
            feed.title == podcast.title
          }
        let known = try await store.newestGUIDs(of: podcast.id, limit: guids.count)
        guard isNamedSo, guids.intersection(known).count * 2 >= guids.count else { continue }
      } catch {
        throw .store(error)
      }
      if remove(podcast) { return podcast }
    }
    return nil
  }

  /// False where another feed took it meanwhile.
  private func remove(_ podcast: PodcastEntry) -> Bool {
    podcasts.withLock { podcasts in
      guard let index = podcasts.firstIndex(where: { $0.id == podcast.id }) else { return false }
      podcasts.remove(at: index)
      return true
    }
  }

  private static let compared = 50
}
