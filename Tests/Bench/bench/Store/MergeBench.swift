import Glibc
internal import PodcastModel
internal import PodcastStore
internal import Text

/// Merging a feed of 5,000 episodes into a library, beside the `sqlite3` program that copies the same rows into the
/// same schema in one transaction, with and without the full-text index.
struct MergeBench {
  let library: String
  private static let rounds = Effort.rounds(7)
  private static let episodes = Effort.size(5000, brief: 50)
  private static let url = "https://merge.example/feed.xml"

  func run() async throws {
    let workspace = try Workspace()
    defer { workspace.remove() }
    var generator = LibraryGenerator(seed: 77)
    let feed = generator.feed(999_999, episodes: Self.episodes)
    let source = workspace.library + "/source.db"
    let empty = workspace.library + "/empty.db"
    await (try PodcastStore(path: empty)).close()
    try await fill(source, feed, workspace)
    Report.title("A feed of \(Self.episodes) episodes")
    try await compare(feed, source, empty, workspace)
    try await intoLarge(feed)
  }

  private func fill(_ path: String, _ feed: Feed, _ workspace: Workspace) async throws {
    let store = try PodcastStore(path: path)
    _ = try await store.subscribe(to: feed, at: Self.url)
    try await store.indexForSearch()
    await store.close()
    try keepTexts(of: feed, in: path, workspace)
  }

  /// The texts as podcli indexes them, for a program that cannot make them from show notes.
  private func keepTexts(of feed: Feed, in path: String, _ workspace: Workspace) throws {
    let texts = feed.episodes.map { episode in
      "INSERT INTO texts SELECT id, title, '\(PlainText.withoutMarkup(episode.content ?? ""))', '', '' FROM episodes"
        + " WHERE guid = '\(episode.guid ?? "")';"
    }
    let table = "CREATE TABLE texts (id, title, notes, chapters, transcript); BEGIN;"
    let script = try workspace.write(table + texts.joined() + "COMMIT;", to: "texts.sql")
    _ = try Measured.run("sqlite3", [path, ".read \(script)"], home: "/")
  }

  /// Merges into an empty library.
  private func compare(_ feed: Feed, _ source: String, _ empty: String, _ workspace: Workspace) async throws {
    var (merging, indexing, unchanged, rows, indexed) = ([Double](), [Double](), [Double](), [Double](), [Double]())
    let clock = ContinuousClock()
    let target = workspace.library + "/library.db"
    for _ in 0..<Self.rounds {
      try copy(empty, to: target)
      if let time = try sqlite(target, copying: source, withIndex: false) { rows.append(time) }
      try copy(empty, to: target)
      if let time = try sqlite(target, copying: source, withIndex: true) { indexed.append(time) }
      try copy(empty, to: target)
      let store = try PodcastStore(path: target)
      merging.append(
        try await clock.measure { _ = try await store.subscribe(to: feed, at: Self.url) }.inSeconds)
      unchanged.append(
        try await clock.measure { _ = try await store.subscribe(to: feed, at: Self.url) }.inSeconds)
      indexing.append(try await clock.measure { try await store.indexForSearch() }.inSeconds)
      await store.close()
    }
    let (merge, index) = (Amount.median(merging), Amount.median(indexing))
    show("first merge", merge, beside: rows)
    show("first merge and its indexing", merge + index, beside: indexed)
    Report.tell(Figure("indexing alone", [.time: index], runs: Self.rounds))
    Report.tell(Figure("unchanged", [.time: Amount.median(unchanged)], runs: Self.rounds, goal: "60 ms"))
  }

  private func show(_ name: String, _ own: Double, beside other: [Double]) {
    var figure = Figure(name, [.time: own], runs: Self.rounds, goal: "1.5 ×")
    if !other.isEmpty { figure.beside = Figure.Peer(name: "sqlite3", values: [.time: Amount.median(other)]) }
    figure.isHeadline = true
    Report.tell(figure)
  }

  private func copy(_ from: String, to path: String) throws {
    _ = try Measured.run("rm", ["-f", path, path + "-wal", path + "-shm"], home: "/")
    _ = try Measured.run("cp", [from, path], home: "/")
  }

  private struct StatementFailed: Error { var status: Int32 }

  /// Nil without the program. Throws where the statements do not fit the schema.
  private func sqlite(_ target: String, copying source: String, withIndex: Bool) throws -> Double? {
    let tables = [
      "podcasts", "podcast_details", "counters", "feeds", "addresses", "episodes", "episode_details",
    ]
    var script = "PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; ATTACH '\(source)' AS source; BEGIN IMMEDIATE;"
    for table in tables {
      script += "INSERT INTO main.\(table) SELECT * FROM source.\(table);"
    }
    if !withIndex { script += "INSERT INTO search_queue SELECT id FROM source.episodes;" }
    script += "INSERT INTO podcast_search_words (rowid, title, author) SELECT id, title, author FROM podcasts;"
    if withIndex {
      script +=
        "INSERT INTO search (rowid, title, notes, chapters, transcript)"
        + " SELECT id, title, notes, chapters, transcript FROM source.texts;"
    }
    guard let run = try? Measured.run("sqlite3", ["-bail", target, script + "COMMIT;"], home: "/") else { return nil }
    guard run.status == 0 else { throw StatementFailed(status: run.status) }
    return run.wall
  }

  /// Merges into a library of a million episodes, where pages are far apart, and unsubscribes again.
  private func intoLarge(_ feed: Feed) async throws {
    let store = try PodcastStore(path: library + "/library.db")
    let clock = ContinuousClock()
    var podcast: PodcastID?
    Report.title("A feed of \(Self.episodes) episodes, in a large library")
    func show(_ name: String, _ work: () async throws -> Void) async throws {
      Report.tell(Figure(name, [.time: try await clock.measure(work).inSeconds]))
    }
    try await show("first merge") {
      podcast = try await store.subscribe(to: feed, at: Self.url).podcast
    }
    try await show("unchanged") { _ = try await store.subscribe(to: feed, at: Self.url) }
    try await show("indexing") { try await store.indexForSearch() }
    guard let podcast else { return }
    try await show("unsubscribe") { try await store.unsubscribe(podcast) }
    try await show("unsubscribe --delete") { try await store.unsubscribe(podcast, deleting: true) }
    await store.close()
  }
}
