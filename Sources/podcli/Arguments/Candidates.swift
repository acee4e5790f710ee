import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher

/// The words of the library that a shell may offer for completion.
struct Candidates: Sendable {
  let live: Live
  static let limit = 50

  func candidates(kind: String, prefix: String) async -> [Choice] {
    if let known = known(kind, prefix) { return known }
    guard let store = try? live.store(.readOnly, on: MainThread.executor) else { return [] }
    return await candidates(kind: kind, prefix: prefix, in: store)
  }

  /// Words that need no library.
  private func known(_ kind: String, _ prefix: String) -> [Choice]? {
    let all: [Choice]? =
      switch kind {
      case "filter": FilterWords.goesOnWithName(prefix) ? nil : FilterWords.candidates(prefix)
      case "setting": settings(SettingKeys.all)
      case "podcast-setting": settings(SettingKeys.all.filter { $0.scope == .podcast })
      default: nil
      }
    return all?.filter { $0.word.hasPrefix(prefix) }
  }

  /// Those of a kind that an open library knows.
  func candidates(kind: String, prefix: String, in store: PodcastStore) async -> [Choice] {
    if let known = known(kind, prefix) { return known }
    if kind == "filter" { return await filters(beginning: prefix, store) }
    let podcasts = ((try? await store.podcasts()) ?? []).map { podcast in
      Choice(podcast.title, "\(podcast.unplayedCount) unplayed")
    }
    var all = podcasts
    if kind == "episode" { all = await episodes(store) + podcasts + titles(beginning: prefix, store) }
    return all.filter { $0.word.lowercased().hasPrefix(prefix.lowercased()) }.prefix(Self.limit).map { $0 }
  }

  /// Those with the name of a podcast or a tag.
  private func filters(beginning prefix: String, _ store: PodcastStore) async -> [Choice] {
    let podcasts = ((try? await store.podcasts()) ?? []).map { FilterWords.podcast + $0.title }
    let tags = Set(((try? await store.tags()) ?? [:]).values.joined()).sorted().map { FilterWords.tag + $0 }
    var seen: Set<String> = []
    let fitting = (podcasts + tags).filter {
      $0.lowercased().hasPrefix(prefix.lowercased()) && seen.insert($0).inserted
    }
    return fitting.prefix(Self.limit).map { Choice($0) }
  }

  private func settings(_ keys: [SettingDeclaration]) -> [Choice] {
    keys.flatMap { key in
      key.words.isEmpty ? [Choice(key.name + "=", key.help)] : key.words.map { Choice("\(key.name)=\($0)", key.help) }
    }
  }

  /// Titles that begin with the prefix, once it has a letter. A title that several episodes share is left out.
  private func titles(beginning prefix: String, _ store: PodcastStore) async -> [Choice] {
    guard prefix.contains(where: \.isLetter) else { return [] }
    let found = (try? await store.episodes(titleBeginning: prefix, limit: Self.limit)) ?? []
    let count = Dictionary(found.map { ($0.episode.title, 1) }, uniquingKeysWith: +)
    return found.filter { count[$0.episode.title] == 1 }.map { Choice($0.episode.title, $0.podcast.title) }
  }

  /// Numbers of episodes, with the title beside each.
  private func episodes(_ store: PodcastStore) async -> [Choice] {
    ((try? await store.playlist(limit: Self.limit)) ?? []).map { entry in
      Choice(String(entry.episode.id.rawValue), "\(entry.podcast.title): \(entry.episode.title)")
    }
  }
}
