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
    try await choices(named: try expanded(words), in: store, context)
  }

  /// The same for words that are read already.
  static func choices(
    named words: [String], in store: PodcastStore, _ context: Context
  ) async throws -> [Selection.Choice] {
    var choices: [Selection.Choice] = []
    for word in words { choices.append(try await context.episode(word, in: store)) }
    return choices
  }

  /// The one episode named, with `-` by standard input.
  static func choice(_ words: String, in store: PodcastStore, _ context: Context) async throws -> Selection.Choice {
    let named = try expanded([words])
    guard named.count == 1 else {
      throw Failure(
        .usage, "one EPISODE is wanted, and standard input names \(named.isEmpty ? "none" : String(named.count))",
        hint: "cut the list with: podcli search WORDS -n 1")
    }
    return try await context.episode(named[0], in: store)
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

  /// With what standard input holds for `-`.
  static func expanded(_ words: [String]) throws(Failure) -> [String] {
    var result: [String] = []
    for word in words {
      if word == "-" { result += try listed(in: try StandardInput.text()) } else { result.append(word) }
    }
    return result
  }

  /// Episodes and podcasts have numbers of their own, so a number alone does not tell which is meant.
  enum Kind { case episode, podcast }

  /// The references in JSON as podcli prints it, or in the first column of lines.
  static func listed(in text: String, as kind: Kind = .episode) throws(Failure) -> [String] {
    if let first = text.first(where: { !$0.isWhitespace }), first == "[" || first == "{" {
      if let document = JSON(parsing: text) { return try references(in: document, kind) }
      let documents = lines(of: text).map { JSON(parsing: $0) }
      guard !documents.contains(nil) else {
        throw Failure(
          .failed, "standard input is no JSON that podcli can read",
          hint: "one document, or one on each line: jq -c prints them so")
      }
      return try references(in: .array(documents.compactMap(\.self)), kind)
    }
    return lines(of: text)
  }

  /// The number of an episode, of an object with an `episode`, or of each element of a list; with the time of a bookmark or
  /// a hit. An episode stands for its podcast, but a podcast for no episode.
  private static func references(in document: JSON, _ kind: Kind) throws(Failure) -> [String] {
    if let elements = document.elements {
      var found: [String] = []
      for element in elements { found += try references(in: element, kind) }
      return found
    }
    if let text = document.text { return [text] }
    // An episode has its number within the podcast under the same name.
    let subject = document["episode"]?["id"] == nil ? document : document["episode"] ?? document
    if kind == .episode, subject["podcast"] == nil, subject["feedURL"] != nil {
      throw Failure(
        .usage, "standard input names a podcast, where an EPISODE is wanted",
        hint: "podcli episodes PODCAST --json prints its episodes")
    }
    let ofPodcast = kind == .podcast ? subject["podcast"]?["id"] : nil
    guard let number = document.int ?? (ofPodcast ?? subject["id"])?.int else {
      throw Failure(
        .failed, "standard input has JSON without the number of an episode or a podcast",
        hint: "podcli playlist --json prints what `-` reads: objects with an `id`")
    }
    // That of a status is only where playing was at that moment.
    guard kind == .episode, document["state"] == nil, document["episode"]?["id"] != nil,
      let position = (document["position"] ?? document["time"])?.double
    else { return [String(number)] }
    return ["\(number)@\(position)"]
  }

  private static func lines(of text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      let first = line.prefix { $0 != "\t" }.drop(while: \.isWhitespace)
      let word = first.reversed().drop(while: \.isWhitespace).reversed()
      return word.isEmpty ? nil : String(word)
    }
  }
}
