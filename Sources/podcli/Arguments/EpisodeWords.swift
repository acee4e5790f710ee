import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// The episodes a verb is about: words, and `-` for what another command listed.
enum EpisodeWords {
  static func argument(_ help: String) -> Arguments<String> {
    Arguments("EPISODE", kind: .dynamic("episode"), help: help + "; `-` reads them from standard input")
  }

  /// All of them, or a failure that names the first that is not clear: a verb does its work wholly or not at all.
  static func choices(
    _ words: [String], in store: PodcastStore, _ context: Context
  ) async throws -> [Selection.Choice] {
    var choices: [Selection.Choice] = []
    for word in try expanded(words) { choices.append(try await context.episode(word, in: store)) }
    return choices
  }

  static func entries(_ words: [String], in store: PodcastStore, _ context: Context) async throws -> [EpisodeEntry] {
    try await choices(words, in: store, context).map(\.entry)
  }

  /// Words that are filters find episodes together; every other word names one.
  static func entriesOrMatches(
    _ words: [String], in store: PodcastStore, _ context: Context
  ) async throws -> [EpisodeEntry] {
    let filters = words.filter { word in (try? EpisodeFilter(words: [word])) != nil }
    var found = try await entries(words.filter { !filters.contains($0) }, in: store, context)
    if !filters.isEmpty {
      let filter = try FilterWords.read(filters)
      found += try await store.episodes(matching: filter, limit: filter.limit)
    }
    var seen: Set<EpisodeID> = []
    return found.filter { seen.insert($0.episode.id).inserted }
  }

  private static func expanded(_ words: [String]) throws(Failure) -> [String] {
    var result: [String] = []
    for word in words {
      if word == "-" { result += try listed(in: try StandardInput.text()) } else { result.append(word) }
    }
    return result
  }

  /// JSON as podcli prints it, or lines that have what `play` takes in their first column.
  static func listed(in text: String) throws(Failure) -> [String] {
    if let first = text.first(where: { !$0.isWhitespace }), first == "[" || first == "{" {
      if let document = JSON(parsing: text) { return references(in: document) }
      let documents = lines(of: text).map { JSON(parsing: $0) }
      guard !documents.contains(nil) else {
        throw Failure(
          .failed, "standard input is no JSON that podcli can read",
          hint: "one document, or one on each line: jq -c prints them so")
      }
      return documents.compactMap(\.self).flatMap(references)
    }
    return lines(of: text)
  }

  /// An episode, what has an episode, or a list of such; a place in it is left out.
  private static func references(in document: JSON) -> [String] {
    if let elements = document.elements { return elements.flatMap(references) }
    if let number = document.int { return [String(number)] }
    if let text = document.text { return [text] }
    return (document["episode"]?["id"] ?? document["id"])?.int.map { [String($0)] } ?? []
  }

  private static func lines(of text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).compactMap { line in
      let first = line.prefix { $0 != "\t" }.drop(while: \.isWhitespace)
      let word = first.reversed().drop(while: \.isWhitespace).reversed()
      return word.isEmpty ? nil : String(word)
    }
  }
}
