import CommandKit
import PodcastModel
import PodcastStore
import Podcatcher
import Text

/// An episode or podcast, as it is named on the command line or in the list of another command.
struct Reference {
  var words: String
  /// It comes from a list, where a number is never a title.
  var isListed = false
  /// The rest of its line: in podcli's lists, the title of the podcast and of the episode come first.
  var columns: [String] = []

  private var number: Int64? { isListed ? Int64(Selection.splitTime(words).name) : nil }

  private static let isPodcast = Failure(
    .usage, "standard input names a podcast, where an EPISODE is wanted",
    hint: "podcli episodes PODCAST --json prints its episodes")

  func episode(in store: PodcastStore, _ context: Context) async throws -> Selection.Choice {
    guard let number else { return try await context.episode(words, in: store) }
    let entry = try await store.episode(EpisodeID(rawValue: number))
    if let title = columns.first, !isLine(of: entry),
      let podcast = try await store.podcast(PodcastID(rawValue: number)), Self.shown(podcast.title) == title
    {
      throw Self.isPodcast
    }
    guard let entry else { throw SelectionError.nothing(words, titles: []) }
    return Selection.Choice(entry: entry, start: Selection.splitTime(words).start)
  }

  /// An episode's line stands for its podcast.
  func podcast(in store: PodcastStore, _ context: Context) async throws -> PodcastEntry {
    guard let number else { return try await context.podcast(words, in: store) }
    if columns.count > 1, let entry = try await store.episode(EpisodeID(rawValue: number)), isLine(of: entry),
      let podcast = try await store.podcast(entry.podcast.id)
    {
      return podcast
    }
    guard let podcast = try await store.podcast(PodcastID(rawValue: number)) else {
      throw SelectionError.noPodcast(words, titles: [])
    }
    if let title = columns.first, Self.shown(podcast.title) != title {
      throw Failure(
        .usage, "standard input names podcast \(number), but with another title: \(title)",
        hint: "podcli podcasts prints what `-` reads; a number alone is that of a podcast")
    }
    return podcast
  }

  /// The line has the titles of its podcast and of the episode; in the history a time stands before them.
  private func isLine(of entry: EpisodeEntry?) -> Bool {
    guard let entry else { return false }
    let titles = [Self.shown(entry.podcast.title), Self.shown(entry.episode.title)]
    return columns.starts(with: titles) || columns.dropFirst().starts(with: titles)
  }

  private static func shown(_ title: String) -> String { CleanText.line(title, limit: .max) }

  // MARK: Reading

  /// Words, with what standard input holds for `-`.
  static func read(_ words: [String], as kind: Kind) throws(Failure) -> [Reference] {
    var result: [Reference] = []
    for word in words {
      if word == "-" {
        result += try listed(in: try StandardInput.text(), as: kind)
      } else {
        result.append(Reference(words: word))
      }
    }
    return result
  }

  /// Episodes and podcasts have numbers of their own, so a number alone does not tell which is meant.
  enum Kind { case episode, podcast }

  /// The references in JSON as podcli prints it, or in the first column of lines.
  static func listed(in text: String, as kind: Kind = .episode) throws(Failure) -> [Reference] {
    if let first = text.first(where: { !$0.isWhitespace && $0 != "\u{feff}" }), first == "[" || first == "{" {
      if let document = JSON(parsing: text) { return try references(in: document, kind) }
      let documents = lines(of: text).map { JSON(parsing: String($0)) }
      guard !documents.contains(nil) else {
        throw Failure(
          .failed, "standard input is no JSON that podcli can read",
          hint: "one document, or one on each line: jq -c prints them so")
      }
      return try references(in: .array(documents.compactMap(\.self)), kind)
    }
    return lines(of: text).compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      let words = columns[0].trimmingBlanks()
      guard !words.isEmpty else { return nil }
      return Reference(words: String(words), isListed: true, columns: columns.dropFirst().map(String.init))
    }
  }

  /// The number of an episode, of an object with an `episode`, or of each element of a list; with the time of a bookmark or
  /// a hit. An episode stands for its podcast, but a podcast for no episode.
  private static func references(in document: JSON, _ kind: Kind) throws(Failure) -> [Reference] {
    if let elements = document.elements {
      var found: [Reference] = []
      for element in elements { found += try references(in: element, kind) }
      return found
    }
    if let text = document.text { return [Reference(words: text, isListed: true)] }
    // An episode has its number within the podcast under the same name.
    let subject = document["episode"]?["id"] == nil ? document : document["episode"] ?? document
    if kind == .episode, subject["podcast"] == nil, subject["feedURL"] != nil { throw isPodcast }
    let ofPodcast = kind == .podcast ? subject["podcast"]?["id"] : nil
    guard let number = document.int ?? (ofPodcast ?? subject["id"])?.int else {
      throw Failure(
        .failed, "standard input has JSON without the number of an episode or a podcast",
        hint: "podcli playlist --json prints what `-` reads: objects with an `id`")
    }
    // That of a status is only where playing was at that moment.
    guard kind == .episode, document["state"] == nil, document["episode"]?["id"] != nil,
      let position = (document["position"] ?? document["time"])?.double
    else { return [Reference(words: String(number), isListed: true)] }
    return [Reference(words: "\(number)@\(position)", isListed: true)]
  }

  /// Some programs put a byte order mark before the first.
  private static func lines(of text: String) -> [Substring] {
    text.drop { $0 == "\u{feff}" }.split(whereSeparator: \.isNewline)
  }
}
