private import Glibc
internal import PodcastModel
internal import PodcastStore
private import Synchronization

/// Questions to a library, each beside the `sqlite3` program answering the equivalent statement in the same run.
func benchStore(_ arguments: [String]) async throws {
  guard let path = arguments.first else { return }
  let store = try PodcastStore(path: path)
  let sqlite = SQLiteProgram(library: path)
  let words = try await WordsOfLibrary(store)

  func compare(_ name: String, _ statement: String, runs: Int = 21, _ work: () async throws -> Void) async throws {
    report(name, try await median(of: runs, work), beside: sqlite.time(statement, runs: runs))
  }
  try await compare("playlist 50", sqlite.episodes("WHERE e.is_listed = 1")) { _ = try await store.playlist(limit: 50) }
  let podcast = words.podcast
  let filter = try EpisodeFilter(words: ["unplayed", "podcast:\(podcast.id.rawValue)"])
  try await compare(
    "unplayed podcast:N, 50", sqlite.episodes("WHERE e.podcast_id = \(podcast.id.rawValue) AND e.is_played = 0")
  ) { _ = try await store.episodes(matching: filter, limit: 50) }
  try await compare(
    "podcasts",
    "SELECT p.*, c.*, f.* FROM podcasts p JOIN counters c ON c.podcast_id = p.id JOIN feeds f ON f.podcast_id = p.id WHERE p.is_subscribed = 1 ORDER BY p.title COLLATE NOCASE"
  ) { _ = try await store.podcasts() }
  try await compare(
    "resumable 20",
    "SELECT s.*, e.*, p.* FROM statuses s JOIN episodes e ON e.id = s.episode_id JOIN podcasts p ON p.id = e.podcast_id WHERE s.last_listen_time IS NOT NULL ORDER BY s.last_played_at DESC LIMIT 20"
  ) { _ = try await store.resumable(limit: 20) }
  for (name, word) in [("a rare word", words.rare), ("the commonest word", words.common), ("two letters", words.start)]
  {
    try await compare(
      "search \(name)",
      "SELECT e.*, snippet(search, -1, '', '', '…', 16) FROM search JOIN episodes e ON e.id = search.rowid WHERE search MATCH '\(word)' ORDER BY rank LIMIT 20",
      runs: 5
    ) { _ = try await store.search(word) }
  }
  try await benchFilters(store)
  try await benchMerge(store)
  await store.close()
}

private func benchFilters(_ store: PodcastStore) async throws {
  for word in ["unplayed", "played", "new", "minutes<5.01", "tag:none", "has:transcript", "age<30d", "sort:title"] {
    let filter = try EpisodeFilter(words: [word])
    report("filter \(word), 50", try await median(of: 3) { _ = try await store.episodes(matching: filter, limit: 50) })
  }
}

private func benchMerge(_ store: PodcastStore) async throws {
  var generator = LibraryGenerator(seed: 77)
  let feed = generator.feed(999_999, episodes: 5000)
  let url = "https://merge.example/feed.xml"
  let clock = ContinuousClock()
  var podcast: PodcastID?
  report(
    "first merge of 5000", try await clock.measure { podcast = try await store.subscribe(to: feed, at: url).podcast })
  report("unchanged merge of 5000", try await median(of: 7) { _ = try await store.subscribe(to: feed, at: url) })
  report("indexing 5000", try await clock.measure { try await store.indexForSearch() })
  guard let podcast, let id = try await store.episode(1, of: podcast)?.episode.id else { return }
  try await store.startPlaying(id)
  report("positions, alone", try await positions(store, id) { $0 < 1000 })
  try await benchContention(store, id)
  report("unsubscribe 5000", try await clock.measure { try await store.unsubscribe(podcast) })
  report("forget 5000", try await clock.measure { try await store.unsubscribe(podcast, deleting: true) })
}

/// Positions while another connection merges and indexes a long feed.
private func benchContention(_ store: PodcastStore, _ id: EpisodeID) async throws {
  var generator = LibraryGenerator(seed: 78)
  let feed = generator.feed(999_998, episodes: 5000)
  let path = store.path
  let isDone = Atomic(false)
  async let refreshed: Void = {
    let other = try PodcastStore(path: path)
    let result = try await other.subscribe(to: feed, at: "https://other.example/feed.xml")
    try await other.indexForSearch()
    isDone.store(true, ordering: .relaxed)
    try await other.unsubscribe(result.podcast, deleting: true)
    await other.close()
  }()
  report("positions, amid a refresh", try await positions(store, id) { _ in !isDone.load(ordering: .relaxed) })
  try await refreshed
}

private func positions(_ store: PodcastStore, _ id: EpisodeID, while goesOn: (Int) -> Bool) async throws -> [Duration] {
  var times: [Duration] = []
  while goesOn(times.count) {
    let second = Duration.seconds(times.count)
    times.append(try await ContinuousClock().measure { try await store.savePosition(second, of: id, urgency: .tick) })
    usleep(500)
  }
  return times.sorted()
}

private func report(_ name: String, _ times: [Duration]) {
  guard let longest = times.last else { return }
  let percentiles = [50, 99].map { "p\($0) \(times[times.count * $0 / 100].milliseconds) ms" }
  print("\(name)\t\(percentiles.joined(separator: ", ")), longest \(longest.milliseconds) ms of \(times.count)")
}

/// A word in few episodes, one in most, and a beginning of many.
private struct WordsOfLibrary {
  var podcast: PodcastEntry
  var rare = LibraryGenerator.words[12_000]
  var common = LibraryGenerator.words[0]
  var start = "co*"

  init(_ store: PodcastStore) async throws {
    guard let podcast = try await store.podcasts().dropFirst(7).first else {
      throw StoreError(.notFound, message: "an empty library", about: "")
    }
    self.podcast = podcast
  }
}

/// The `sqlite3` program on the same file.
private struct SQLiteProgram {
  let library: String

  func episodes(_ condition: String) -> String {
    """
    SELECT e.id, e.podcast_id, e.guid, e.title, e.link, e.published_at, e.duration, e.season, e.episode, e.episode_type,
      e.is_explicit, e.image, e.enclosure_url, e.enclosure_type, e.enclosure_length, e.chapter_count, e.has_transcript,
      s.last_listen_time, s.last_played_at, s.has_completed, s.is_currently_playing, s.is_favourite,
      m.state, m.received, m.total, m.path, p.title, p.feed_url
    FROM episodes e LEFT JOIN statuses s ON s.episode_id = e.id CROSS JOIN podcasts p ON p.id = e.podcast_id
    LEFT JOIN media m ON m.episode_id = e.id \(condition) ORDER BY e.listed_at DESC, e.id DESC LIMIT 50
    """
  }

  /// One run of the statement, the program's own start left out.
  func time(_ statement: String, runs: Int) -> Duration {
    let script = String(repeating: statement + ";\n", count: runs)
    return (run(script) - run("SELECT count(*) FROM podcasts;\n")) / runs
  }

  private func run(_ script: String) -> Duration {
    ContinuousClock().measure {
      guard let pipe = popen("sqlite3 '\(library)' > /dev/null", "w") else { return }
      fputs(script, pipe)
      pclose(pipe)
    }
  }
}

private func median(of runs: Int, _ work: () async throws -> Void) async rethrows -> Duration {
  var times: [Duration] = []
  for _ in 0..<runs { times.append(try await ContinuousClock().measure(work)) }
  return times.sorted()[runs / 2]
}

private func report(_ name: String, _ time: Duration, beside other: Duration? = nil) {
  let beside = other.map { "\tsqlite3 \($0.milliseconds) ms\t\(((time / $0) * 100).rounded() / 100) ×" } ?? ""
  print("\(name)\t\(time.milliseconds) ms\(beside)")
}

extension Duration {
  fileprivate var milliseconds: Double {
    (inSeconds * 1_000_000).rounded() / 1000
  }
}

/// Does what `podcli playlist -n 50` asks of the library, once: for counting instructions.
func listOnce(_ arguments: [String]) async throws {
  guard let path = arguments.first else { return }
  let store = try PodcastStore(path: path, access: .readOnly)
  for entry in try await store.playlist(limit: 50) { print(entry.episode.title) }
}
