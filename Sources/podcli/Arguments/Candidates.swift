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
    let all =
      switch kind {
      case "filter": await filters(store)
      case "tag": await tags(store)
      case "episode": await episodes(beginning: prefix, store)
      case "episode-or-filter":
        FilterWords.goesOnWithName(prefix)
          ? await filters(store) : FilterWords.candidates(prefix) + (await episodes(beginning: prefix, store))
      default: await podcasts(store)
      }
    return Self.once(all.filter { $0.word.lowercased().hasPrefix(prefix.lowercased()) })
  }

  /// A word that means several things is offered once, without saying what one of them is.
  private static func once(_ choices: [Choice]) -> [Choice] {
    let counts = Dictionary(choices.map { ($0.word, 1) }, uniquingKeysWith: +)
    var seen: Set<String> = []
    return choices.filter { seen.insert($0.word).inserted }.prefix(limit).map { choice in
      counts[choice.word] == 1 ? choice : Choice(choice.word)
    }
  }

  private func podcasts(_ store: PodcastStore) async -> [Choice] {
    ((try? await store.podcasts()) ?? []).map { Choice($0.title, "\($0.unplayedCount) unplayed") }
  }

  private func tags(_ store: PodcastStore) async -> [Choice] {
    Set(((try? await store.tags()) ?? [:]).values.joined()).sorted().map { Choice($0) }
  }

  /// Those with the name of a podcast or a tag.
  private func filters(_ store: PodcastStore) async -> [Choice] {
    let podcasts = await podcasts(store).map { Choice(FilterWords.podcast + $0.word) }
    let tags = await tags(store).map { Choice(FilterWords.tag + $0.word) }
    return podcasts + tags
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

  /// All that EPISODE can be, but for times and numbers within a podcast.
  private func episodes(beginning prefix: String, _ store: PodcastStore) async -> [Choice] {
    if prefix.hasPrefix("@") {
      return [Choice("@current", "what plays, or goes on with resume"), Choice("@last", "what was played last")]
    }
    let podcasts = await podcasts(store)
    let titles = await titles(beginning: prefix, store)
    guard prefix.contains("/") else { return await numbers(store) + podcasts + titles }
    return podcasts
      + podcasts.flatMap { podcast in
        [Choice(podcast.word + "/latest", "the newest"), Choice(podcast.word + "/next", "the one to hear next")]
      } + titles
  }

  /// Numbers of episodes, with the title beside each.
  private func numbers(_ store: PodcastStore) async -> [Choice] {
    ((try? await store.playlist(limit: Self.limit)) ?? []).map { entry in
      Choice(String(entry.episode.id.rawValue), "\(entry.podcast.title): \(entry.episode.title)")
    }
  }
}
