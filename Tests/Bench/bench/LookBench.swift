private import Glibc
internal import PodcastStore

/// Every listing and every search of the program, beside the `sqlite3` program that answers the like statement from
/// the same library, run after run in turn. The aim is 1.5 times its time, and 5 ms to start.
enum LookBench {
  private struct Question {
    var name: String
    var words: [String]
    var statement: String
    var mode = "-tabs"
  }

  static func run(_ arguments: [String]) async throws {
    let home = try Workplace()
    defer { home.remove() }
    let library = home.library + "/library.db"
    let size = Effort.size((podcasts: 500, episodes: 100), brief: (podcasts: 10, episodes: 100))
    try await makeLibrary([library, String(size.podcasts), String(size.episodes)])
    let rounds = arguments.first.flatMap { Int($0) } ?? Effort.rounds(15)
    Report.title("Questions to \(size.podcasts * size.episodes) episodes")
    for question in questions where arguments.count < 2 || question.name.contains(arguments[1]) {
      let ours = Comparison.Command(name: "podcli", program: home.podcli, arguments: question.words, home: home.library)
      let theirs = Comparison.Command(
        name: "sqlite3", program: "sqlite3", arguments: ["-readonly", question.mode, library, question.statement],
        home: home.library)
      var figure = try Comparison.inTurns(question.name, ours, theirs, rounds: rounds)
      figure.goal = figure.beside?.values[.time].map {
        Measure.time.text($0 * 1.5 + 0.005) + " (1.5 ×, and 5 ms to start)"
      }
      Report.tell(figure)
    }
    let helping = try (0..<rounds).map { _ in try Measured.run(home.podcli, ["--help"], in: home) }
    var help = Figure("--help", of: helping, goal: "5 ms")
    help.isHeadline = true
    Report.tell(help)
  }

  // MARK: The questions

  private static let episodes = """
    SELECT e.id, p.title, e.title, e.published_at, e.duration, s.last_listen_time, s.has_completed
    FROM episodes e LEFT JOIN statuses s ON s.episode_id = e.id CROSS JOIN podcasts p ON p.id = e.podcast_id
    """
  private static let newestFirst = "ORDER BY e.listed_at DESC, e.id DESC"

  private static func found(_ match: String, _ order: String) -> String {
    """
    SELECT e.id, p.title, e.title, snippet(search, -1, '', '', '…', 16) FROM search
    JOIN episodes e ON e.id = search.rowid JOIN podcasts p ON p.id = e.podcast_id
    WHERE search MATCH '\(match)' ORDER BY \(order) LIMIT 50
    """
  }

  private static var questions: [Question] {
    let words = LibraryGenerator.words
    return [
      Question(
        name: "playlist -n 50", words: ["playlist", "-n", "50"],
        statement: "\(episodes) WHERE e.is_listed = 1 \(newestFirst) LIMIT 50"),
      Question(
        name: "playlist, all 50,000", words: ["playlist"], statement: "\(episodes) WHERE e.is_listed = 1 \(newestFirst)"
      ),
      Question(
        name: "playlist --json, all 50,000", words: ["playlist", "--json"],
        statement: "SELECT e.*, s.*, p.title, p.feed_url FROM episodes e LEFT JOIN statuses s ON s.episode_id = e.id "
          + "CROSS JOIN podcasts p ON p.id = e.podcast_id WHERE e.is_listed = 1 \(newestFirst)", mode: "-json"),
      Question(
        name: "playlist unplayed -n 50", words: ["playlist", "unplayed", "-n", "50"],
        statement: "\(episodes) WHERE e.is_listed = 1 AND e.is_played = 0 \(newestFirst) LIMIT 50"),
      Question(
        name: "playlist 'minutes<20' 'age<900d'", words: ["playlist", "minutes<20", "age<900d"],
        statement: "\(episodes) WHERE e.is_listed = 1 AND e.duration < 1200000 "
          + "AND e.listed_at > unixepoch('now', '-900 days') \(newestFirst)"),
      Question(
        name: "playlist sort:title -n 50", words: ["playlist", "sort:title", "-n", "50"],
        statement: "\(episodes) WHERE e.is_listed = 1 ORDER BY e.title COLLATE NOCASE, e.id LIMIT 50"),
      Question(
        name: "playlist inprogress", words: ["playlist", "inprogress"],
        statement: "\(episodes) WHERE e.is_listed = 1 AND s.last_listen_time IS NOT NULL \(newestFirst)"),
      Question(
        name: "episodes 7", words: ["episodes", "7"], statement: "\(episodes) WHERE e.podcast_id = 7 \(newestFirst)"),
      Question(
        name: "podcasts", words: ["podcasts"],
        statement: "SELECT p.*, c.*, f.* FROM podcasts p JOIN counters c ON c.podcast_id = p.id "
          + "JOIN feeds f ON f.podcast_id = p.id WHERE p.is_subscribed = 1 ORDER BY p.title COLLATE NOCASE"),
      Question(
        name: "info 777", words: ["info", "777"],
        statement: "SELECT e.*, d.* FROM episodes e LEFT JOIN episode_details d ON d.episode_id = e.id WHERE e.id = 777"
      ),
      Question(
        name: "queue", words: ["queue"],
        statement: "SELECT q.place, e.* FROM queue q JOIN episodes e ON e.id = q.episode_id ORDER BY q.place"),
      Question(
        name: "history", words: ["history"],
        statement:
          "SELECT h.*, e.title FROM sessions h JOIN episodes e ON e.id = h.episode_id ORDER BY h.started_at DESC"),
      Question(
        name: "stats", words: ["stats"], statement: "SELECT sum(listened), count(DISTINCT episode_id) FROM sessions"),
      Question(
        name: "bookmarks", words: ["bookmarks"],
        statement: "SELECT b.*, e.title FROM bookmarks b JOIN episodes e ON e.id = b.episode_id"),
      Question(
        name: "downloads", words: ["downloads"],
        statement: "SELECT m.*, e.title FROM media m JOIN episodes e ON e.id = m.episode_id"),
      Question(
        name: "resume --list", words: ["resume", "--list"],
        statement: "\(episodes) WHERE s.last_listen_time IS NOT NULL ORDER BY s.last_played_at DESC LIMIT 20"),
      Question(
        name: "status", words: ["status"], statement: "\(episodes) WHERE s.is_currently_playing = 1"),
      Question(
        name: "search, a rare word", words: ["search", words[12_000]], statement: found(words[12_000], "rank")),
      Question(
        name: "search, two common words", words: ["search", words[0], words[1]],
        statement: found("\(words[0]) \(words[1])", "search.rowid DESC")),
      Question(
        name: "search, the commonest word", words: ["search", words[0]], statement: found(words[0], "search.rowid DESC")
      ),
      Question(name: "search, a beginning", words: ["search", "co*"], statement: found("co*", "search.rowid DESC")),
      Question(
        name: "search, nothing found", words: ["search", "zzzzzz"], statement: found("zzzzzz", "rank")),
      Question(
        name: "playlist text:WORD", words: ["playlist", "text:\(words[12_000])"],
        statement:
          "\(episodes) WHERE e.id IN (SELECT rowid FROM search WHERE search MATCH '\(words[12_000])') \(newestFirst)"),
    ]
  }
}
