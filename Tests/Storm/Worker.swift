private import Glibc
internal import PodcastModel
internal import PodcastStore
internal import TestSupport

/// One of three processes that write to the same library. The player prints each position after it was saved.
struct Worker {
  let role: String
  let library: String
  let seed: String

  func run() async throws {
    let store = try PodcastStore(path: library)
    switch role {
    case "player": try await play(store)
    case "refresher": try await refresh(store)
    default: try await mark(store)
    }
  }

  private func play(_ store: PodcastStore) async throws {
    guard let id = try await store.current()?.episode.id else { return }
    var position = try await store.episode(id)?.status.lastListenTime?.inMilliseconds ?? 0
    while true {
      position += 1
      do {
        try await store.savePosition(.milliseconds(position), of: id, urgency: .tick)
        acknowledge("\(position)")
      } catch {
        guard case .busy = error.code else { throw error }
      }
    }
  }

  private func refresh(_ store: PodcastStore) async throws {
    var edition = Int(seed) ?? 0
    while true {
      let podcast = edition % 3
      _ = try await store.subscribe(
        to: .edition(edition % 40, of: podcast, episodes: 40), at: Feed.address(of: podcast))
      try await store.indexForSearch()
      if edition % 5 == 0 {
        let passing = try await store.subscribe(to: .edition(0, of: 3, episodes: 400), at: Feed.address(of: 3)).podcast
        try await store.unsubscribe(passing, deleting: edition % 2 == 0)
      }
      edition += 1
    }
  }

  private func mark(_ store: PodcastStore) async throws {
    var random = SeededGenerator(seed: UInt64(seed) ?? 0)
    while true {
      let ids = try await store.playlist(limit: 30).map(\.episode.id)
      guard let id = ids.randomElement(using: &random), id != ids.last else { continue }
      do {
        try await store.mark(Bool.random(using: &random) ? .favourite : .unfavourite, [id])
        try await store.enqueue([id], at: .next)
      } catch {
        // The refresher has meanwhile deleted the episode with its podcast.
        guard case .notFound = error.code else { throw error }
      }
      if Int.random(in: 0..<20, using: &random) == 0 { try await store.clearQueue() }
    }
  }

  /// Prints a line in one write, so that it is complete or missing.
  private func acknowledge(_ text: String) {
    var line = text + "\n"
    _ = line.withUTF8 { write(1, $0.baseAddress, $0.count) }
  }
}
