import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// The EPISODE arguments of a command: words, and `-` for the list that another command printed.
enum EpisodeWords {
  static func argument(_ help: String, orFilters: Bool = false, orNone: Bool = false) -> Arguments<String> {
    Arguments(
      "EPISODE", kind: .dynamic(orFilters ? "episode-or-filter" : "episode"), orNone: orNone,
      help: help + "; `-` reads them from standard input")
  }

  /// Every episode named, or a failure about the first word that is not clear: a command works on all or on none.
  static func choices(
    _ words: [String], in store: PodcastStore, _ context: Context
  ) async throws -> [Selection.Choice] {
    try await choices(named: try Reference.read(words, as: .episode), in: store, context)
  }

  /// The same for words that are read already.
  static func choices(
    named references: [Reference], in store: PodcastStore, _ context: Context
  ) async throws -> [Selection.Choice] {
    var choices: [Selection.Choice] = []
    for reference in references { choices.append(try await reference.episode(in: store, context)) }
    return choices
  }

  /// The one episode named, with `-` by standard input.
  static func choice(_ words: String, in store: PodcastStore, _ context: Context) async throws -> Selection.Choice {
    let named = try Reference.read([words], as: .episode)
    guard named.count == 1 else {
      throw Failure(
        .usage, "one EPISODE is wanted, and standard input names \(named.isEmpty ? "none" : String(named.count))",
        hint: "cut the list with: podcli search WORDS -n 1")
    }
    return try await named[0].episode(in: store, context)
  }

  /// Each episode once, however often it is named.
  static func entries(_ words: [String], in store: PodcastStore, _ context: Context) async throws -> [EpisodeEntry] {
    once(try await choices(words, in: store, context).map(\.entry))
  }

  /// Filter words together find episodes; every other word names one.
  static func entriesOrMatches(
    _ words: [String], in store: PodcastStore, _ context: Context
  ) async throws -> [EpisodeEntry] {
    let filters = words.filter { word in (try? EpisodeFilter(words: [word])) != nil }
    var found = try await entries(words.filter { !filters.contains($0) }, in: store, context)
    if !filters.isEmpty {
      let filter = try FilterWords.read(filters)
      try await FilterWords.check(filter, in: store)
      // Something is done to them all, and `limit:` chooses among them all.
      if filter.searchesText { try await store.indexEverything() }
      found += try await store.episodes(matching: filter, limit: filter.limit)
    }
    return once(found)
  }

  private static func once(_ entries: [EpisodeEntry]) -> [EpisodeEntry] {
    var seen: Set<EpisodeID> = []
    return entries.filter { seen.insert($0.episode.id).inserted }
  }
}
