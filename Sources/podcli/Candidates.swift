import PodcastModel
import PodcastStore
import Podcatcher

/// What the library offers a shell that completes a word.
struct Candidates: Sendable {
  let live: Live
  private static let limit = 50

  struct Candidate: Sendable {
    var value: String
    var description: String
  }

  func candidates(kind: String, prefix: String) async -> [Candidate] {
    guard let store = try? live.store(.readOnly) else { return [] }
    let podcasts = ((try? await store.podcasts()) ?? []).map { podcast in
      Candidate(value: podcast.title, description: "\(podcast.unplayedCount) unplayed")
    }
    let all = kind == "episode" ? await episodes(store) + podcasts : podcasts
    return all.filter { $0.value.lowercased().hasPrefix(prefix.lowercased()) }.prefix(Self.limit).map { $0 }
  }

  /// By number, with the title beside it: titles are too long to type, and too much alike.
  private func episodes(_ store: PodcastStore) async -> [Candidate] {
    ((try? await store.playlist(limit: Self.limit)) ?? []).map { entry in
      Candidate(
        value: String(entry.episode.id.rawValue), description: "\(entry.podcast.title): \(entry.episode.title)")
    }
  }
}
