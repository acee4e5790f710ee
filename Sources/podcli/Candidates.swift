import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

/// What the library offers a shell that completes a word.
struct Candidates: Sendable {
  let live: Live
  private static let limit = 50

  func candidates(kind: String, prefix: String) async -> [Choice] {
    if kind == "filter" { return FilterWords.candidates.filter { $0.word.hasPrefix(prefix) } }
    if kind == "setting" { return settings.filter { $0.word.hasPrefix(prefix) } }
    guard let store = try? live.store(.readOnly, on: MainThread.executor) else { return [] }
    let podcasts = ((try? await store.podcasts()) ?? []).map { podcast in
      Choice(podcast.title, "\(podcast.unplayedCount) unplayed")
    }
    let all = kind == "episode" ? await episodes(store) + podcasts : podcasts
    return all.filter { $0.word.lowercased().hasPrefix(prefix.lowercased()) }.prefix(Self.limit).map { $0 }
  }

  private var settings: [Choice] {
    SettingKeys.all.flatMap { key in
      key.words.isEmpty ? [Choice(key.name + "=", key.help)] : key.words.map { Choice("\(key.name)=\($0)", key.help) }
    }
  }

  /// By number, with the title beside it: titles are too long to type, and too much alike.
  private func episodes(_ store: PodcastStore) async -> [Choice] {
    ((try? await store.playlist(limit: Self.limit)) ?? []).map { entry in
      Choice(String(entry.episode.id.rawValue), "\(entry.podcast.title): \(entry.episode.title)")
    }
  }
}
