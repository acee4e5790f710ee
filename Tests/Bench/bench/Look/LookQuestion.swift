/// A command, and the statement that gives the `sqlite3` program similar work.
struct LookQuestion {
  var name: String
  var arguments: [String]
  var statement: String
  var mode = "-tabs"
}

extension LookQuestion {
  private static let rare = LibraryGenerator.words[12_000]
  private static let common = LibraryGenerator.words[1]
  private static let commonest = LibraryGenerator.words[0]

  private static let episodes = """
    SELECT e.id, p.title, e.title, e.published_at, e.duration, s.last_listen_time, s.has_completed
    FROM episodes e LEFT JOIN statuses s ON s.episode_id = e.id CROSS JOIN podcasts p ON p.id = e.podcast_id
    """
  private static let newestFirst = "ORDER BY e.listed_at DESC, e.id DESC"

  private static func found(_ match: String, _ order: String) -> String {
    """
    SELECT e.id, p.title, e.title, substr(d.notes, 1, 120) FROM search
    JOIN episodes e ON e.id = search.rowid JOIN podcasts p ON p.id = e.podcast_id
    JOIN episode_details d ON d.episode_id = e.id WHERE search MATCH '\(match)' ORDER BY \(order) LIMIT 50
    """
  }

  static let all = [
    LookQuestion(
      name: "playlist -n 50", arguments: ["playlist", "-n", "50"],
      statement: "\(episodes) WHERE e.is_listed = 1 \(newestFirst) LIMIT 50"),
    LookQuestion(
      name: "playlist, all 50,000", arguments: ["playlist"],
      statement: "\(episodes) WHERE e.is_listed = 1 \(newestFirst)"
    ),
    LookQuestion(
      name: "playlist --json, all 50,000", arguments: ["playlist", "--json"],
      statement: "SELECT e.*, s.*, p.title, p.feed_url FROM episodes e LEFT JOIN statuses s ON s.episode_id = e.id "
        + "CROSS JOIN podcasts p ON p.id = e.podcast_id WHERE e.is_listed = 1 \(newestFirst)", mode: "-json"),
    LookQuestion(
      name: "playlist unplayed -n 50", arguments: ["playlist", "unplayed", "-n", "50"],
      statement: "\(episodes) WHERE e.is_listed = 1 AND e.is_played = 0 \(newestFirst) LIMIT 50"),
    LookQuestion(
      name: "playlist 'minutes<20' 'age<900d'", arguments: ["playlist", "minutes<20", "age<900d"],
      statement: "\(episodes) WHERE e.is_listed = 1 AND e.duration < 1200000 "
        + "AND e.listed_at > unixepoch('now', '-900 days') \(newestFirst)"),
    LookQuestion(
      name: "playlist sort:title -n 50", arguments: ["playlist", "sort:title", "-n", "50"],
      statement: "\(episodes) WHERE e.is_listed = 1 ORDER BY e.title COLLATE NOCASE, e.id LIMIT 50"),
    LookQuestion(
      name: "playlist inprogress", arguments: ["playlist", "inprogress"],
      statement: "\(episodes) WHERE e.is_listed = 1 AND s.last_listen_time IS NOT NULL \(newestFirst)"),
    LookQuestion(
      name: "episodes 7", arguments: ["episodes", "7"], statement: "\(episodes) WHERE e.podcast_id = 7 \(newestFirst)"),
    LookQuestion(
      name: "podcasts", arguments: ["podcasts"],
      statement: "SELECT p.*, c.*, f.* FROM podcasts p JOIN counters c ON c.podcast_id = p.id "
        + "JOIN feeds f ON f.podcast_id = p.id WHERE p.is_subscribed = 1 ORDER BY p.title COLLATE NOCASE"),
    LookQuestion(
      name: "info 777", arguments: ["info", "777"],
      statement: "SELECT e.*, d.* FROM episodes e LEFT JOIN episode_details d ON d.episode_id = e.id WHERE e.id = 777"
    ),
    LookQuestion(
      name: "queue", arguments: ["queue"],
      statement: "SELECT q.place, e.* FROM queue q JOIN episodes e ON e.id = q.episode_id ORDER BY q.place"),
    LookQuestion(
      name: "history", arguments: ["history"],
      statement:
        "SELECT h.*, e.title FROM sessions h JOIN episodes e ON e.id = h.episode_id ORDER BY h.started_at DESC"),
    LookQuestion(
      name: "stats", arguments: ["stats"], statement: "SELECT sum(listened), count(DISTINCT episode_id) FROM sessions"),
    LookQuestion(
      name: "bookmarks", arguments: ["bookmarks"],
      statement: "SELECT b.*, e.title FROM bookmarks b JOIN episodes e ON e.id = b.episode_id"),
    LookQuestion(
      name: "downloads", arguments: ["downloads"],
      statement: "SELECT m.*, e.title FROM media m JOIN episodes e ON e.id = m.episode_id"),
    LookQuestion(
      name: "resume --list", arguments: ["resume", "--list"],
      statement: "\(episodes) WHERE s.last_listen_time IS NOT NULL ORDER BY s.last_played_at DESC LIMIT 20"),
    LookQuestion(
      name: "status", arguments: ["status"], statement: "\(episodes) WHERE s.is_currently_playing = 1"),
    LookQuestion(
      name: "search, a rare word", arguments: ["search", rare], statement: found(rare, "rank")),
    LookQuestion(
      name: "search, two common words", arguments: ["search", commonest, common],
      statement: found("\(commonest) \(common)", "search.rowid DESC")),
    LookQuestion(
      name: "search, the commonest word", arguments: ["search", commonest],
      statement: found(commonest, "search.rowid DESC")
    ),
    LookQuestion(
      name: "search, a beginning", arguments: ["search", "co*"], statement: found("co*", "search.rowid DESC")),
    LookQuestion(
      name: "search, nothing found", arguments: ["search", "zzzzzz"], statement: found("zzzzzz", "rank")),
    LookQuestion(
      name: "playlist text:WORD", arguments: ["playlist", "text:\(rare)"],
      statement:
        "\(episodes) WHERE e.id IN (SELECT rowid FROM search WHERE search MATCH '\(rare)') \(newestFirst)"),
  ]
}
