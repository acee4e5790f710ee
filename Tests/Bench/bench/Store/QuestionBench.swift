import Glibc
internal import PodcastModel
internal import PodcastStore
private import TestSupport

/// Queries as whole commands, `podcli …`, beside the `sqlite3` program that runs the equivalent statement on the same
/// file: time, processor time and memory of both programs, run in turns.
struct QuestionBench {
  private struct Question {
    var name: String
    var podcli: [String]
    var statement: String
    var goal: String
    var rounds = 25
  }

  private let small: String
  private let large: String
  private let podcli: String
  private let podcast: Int64

  init(small: String, large: String) async throws {
    self.small = small
    self.large = large
    podcli = builtProduct("podcli")
    let store = try PodcastStore(path: large + "/library.db", access: .readOnly)
    podcast = try await store.podcasts().dropFirst(7).first?.id.rawValue ?? 1
  }

  func run() async throws {
    Report.title("Questions to \(try await Self.size(of: large)) episodes")
    for question in questions { Report.tell(try compare(question)) }
    Report.tell(try await compareSizes())
  }

  private static func size(of home: String) async throws -> Int {
    try await PodcastStore(path: home + "/library.db", access: .readOnly).podcasts().reduce(0) { $0 + $1.episodeCount }
  }

  // MARK: Beside sqlite3

  private func compare(_ question: Question) throws -> Figure {
    let ours = Comparison.Command(name: "podcli", program: podcli, arguments: question.podcli, home: large)
    let theirs = Comparison.Command(
      name: "sqlite3", program: "sqlite3", arguments: ["-readonly", large + "/library.db", question.statement],
      home: large)
    var figure = try Comparison.inTurns(question.name, ours, theirs, rounds: Effort.rounds(question.rounds))
    figure.goal = question.goal
    figure.isHeadline = true
    return figure
  }

  private var questions: [Question] {
    let words = LibraryGenerator.words
    return [
      Question(
        name: "playlist -n 50", podcli: ["playlist", "-n", "50"], statement: Self.episodes("WHERE e.is_listed = 1"),
        goal: "1.5 ×"),
      Question(
        name: "playlist unplayed podcast:ID -n 50",
        podcli: ["playlist", "unplayed", "podcast:\(podcast)", "-n", "50"],
        statement: Self.episodes("WHERE e.podcast_id = \(podcast) AND e.is_played = 0"), goal: "2 ×"),
      Question(
        name: "podcasts", podcli: ["podcasts"],
        statement: """
          SELECT p.id, p.title, p.feed_url, p.author, p.link, p.image, p.is_subscribed, p.is_private, p.subscribed_at,
            c.episodes, c.unplayed, c.downloaded, c.newest_at, f.checked_at, f.error, f.is_gone
          FROM podcasts p JOIN counters c ON c.podcast_id = p.id JOIN feeds f ON f.podcast_id = p.id
          WHERE p.is_subscribed = 1 ORDER BY p.title COLLATE NOCASE, p.id
          """, goal: "2 ×, 20 ms"),
      Question(
        name: "resume --list", podcli: ["resume", "--list"],
        statement: Self.select("statuses s CROSS JOIN episodes e ON e.id = s.episode_id")
          + " WHERE s.last_listen_time IS NOT NULL ORDER BY s.last_played_at DESC LIMIT 20", goal: "2 ×"),
      search("a word in 2,000 episodes", LibraryGenerator.words[12_000], "2 ×"),
      search("a word in 10,000 episodes", LibraryGenerator.words[1_400], "2 ×"),
      search("the commonest word", LibraryGenerator.words[0], "50 ms", rounds: 3),
      search("two letters", "co*", "50 ms", rounds: 3),
      search("one letter", "x", "50 ms", rounds: 3),
      search("two middling words", "\(words[1_400]) \(words[1_500])", "25 ms"),
      search("a common and a rare word", "\(words[0]) \(words[12_000])", "25 ms"),
      search("a phrase without an exact hit", "\"\(words[1_400]) \(words[12_000].dropLast())\"", "25 ms"),
      search("ten words without a hit", words[1_400..<1_410].joined(separator: " "), "50 ms"),
      search("either of two", "\(words[0]) OR \(words[1])", "50 ms", rounds: 3),
    ]
  }

  private func search(_ name: String, _ word: String, _ goal: String, rounds: Int = 15) -> Question {
    Question(
      name: "search \(name)", podcli: ["search", word, "-n", "20"],
      statement: """
        SELECT e.id, p.title, e.title, substr(d.notes, 1, 120) FROM search
        JOIN episodes e ON e.id = search.rowid JOIN podcasts p ON p.id = e.podcast_id
        JOIN episode_details d ON d.episode_id = e.id WHERE search MATCH '\(word)' ORDER BY rank LIMIT 20
        """, goal: goal, rounds: rounds)
  }

  private static func episodes(_ condition: String) -> String {
    select("episodes e LEFT JOIN statuses s ON s.episode_id = e.id") + " \(condition)"
      + " ORDER BY e.listed_at DESC, e.id DESC LIMIT 50"
  }

  private static func select(_ source: String) -> String {
    """
    SELECT e.id, e.podcast_id, e.guid, e.title, e.link, e.published_at, e.duration, e.season, e.episode, e.episode_type,
      e.is_explicit, e.image, e.enclosure_url, e.enclosure_type, e.enclosure_length, e.chapter_count, e.has_transcript,
      s.last_listen_time, s.last_played_at, s.has_completed, s.is_currently_playing, s.is_favourite,
      m.state, m.received, m.total, m.path, p.title, p.feed_url
    FROM \(source) CROSS JOIN podcasts p ON p.id = e.podcast_id LEFT JOIN media m ON m.episode_id = e.id
    """
  }

  // MARK: Sizes and memory

  private func compareSizes() async throws -> Figure {
    let words = ["playlist", "-n", "50"]
    let few = Comparison.Command(
      name: "of \(try await Self.size(of: small))", program: podcli, arguments: words, home: small)
    let many = Comparison.Command(name: "podcli", program: podcli, arguments: words, home: large)
    var figure = try Comparison.inTurns("playlist -n 50, of all and of fewer", many, few, rounds: Effort.rounds(41))
    figure.goal = "1.3 ×"
    return figure
  }

  /// Prints each list in full, which takes long for a million episodes.
  func list() async throws {
    let listings = [
      ["playlist"], ["playlist", "--json"], ["playlist", "unplayed"], ["playlist", "sort:title", "-n", "50"],
      ["playlist", "sort:length", "-n", "50"], ["playlist", "sort:podcast", "-n", "50"], ["episodes", String(podcast)],
      ["podcasts"], ["podcasts", "--json"], ["resume", "--list"], ["queue"], ["history"], ["downloads"], ["bookmarks"],
      ["search", LibraryGenerator.words[0], "-n", "1000"], ["stats"],
    ]
    Report.title("Listings in full, of \(try await Self.size(of: large)) episodes")
    for words in listings {
      let run = try Measured.run(podcli, words, home: large)
      Report.tell(Figure(words.joined(separator: " "), of: [run], goal: "40 MB"))
    }
  }
}
