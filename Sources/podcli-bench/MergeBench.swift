import Glibc
internal import PodcastModel
internal import PodcastStore

/// A feed of 5,000 episodes on its way into a library, beside the `sqlite3` program that copies the same rows into the
/// same schema in one transaction: with, and without, the full-text index.
struct MergeBench {
  let library: String
  private static let rounds = 7
  private static let url = "https://merge.example/feed.xml"

  func run() async throws {
    let place = try Workplace()
    defer { place.remove() }
    var generator = LibraryGenerator(seed: 77)
    let feed = generator.feed(999_999, episodes: 5000)
    let source = place.library + "/source.db"
    let empty = place.library + "/empty.db"
    await (try PodcastStore(path: empty)).close()
    try await fill(source, feed)
    print("A feed of 5,000 episodes: medians of \(Self.rounds), in turns, ms")
    try await compare(feed, source, empty, place)
    try await intoLarge(feed)
  }

  private func fill(_ path: String, _ feed: Feed) async throws {
    let store = try PodcastStore(path: path)
    _ = try await store.subscribe(to: feed, at: Self.url)
    try await store.indexForSearch()
    await store.close()
  }

  /// Into a library that is empty.
  private func compare(_ feed: Feed, _ source: String, _ empty: String, _ place: Workplace) async throws {
    var (merging, indexing, unchanged, rows, indexed) = ([Double](), [Double](), [Double](), [Double](), [Double]())
    let clock = ContinuousClock()
    let target = place.library + "/library.db"
    for _ in 0..<Self.rounds {
      try copy(empty, to: target)
      rows.append(try sqlite(target, copying: source, withIndex: false))
      try copy(empty, to: target)
      indexed.append(try sqlite(target, copying: source, withIndex: true))
      try copy(empty, to: target)
      let store = try PodcastStore(path: target)
      merging.append(
        try await clock.measure { _ = try await store.subscribe(to: feed, at: Self.url) }.inSecondsAsNumber)
      unchanged.append(
        try await clock.measure { _ = try await store.subscribe(to: feed, at: Self.url) }.inSecondsAsNumber)
      indexing.append(try await clock.measure { _ = try await store.indexForSearch() }.inSecondsAsNumber)
      await store.close()
    }
    let (merge, index) = (Figures.median(merging), Figures.median(indexing))
    show("first merge", merge, beside: Figures.median(rows))
    show("first merge and its indexing", merge + index, beside: Figures.median(indexed))
    print(Figures.title("  indexing alone") + Figures.milliseconds(index))
    print(Figures.title("  unchanged") + Figures.milliseconds(Figures.median(unchanged)) + "   goal 60")
  }

  private func show(_ name: String, _ own: Double, beside other: Double) {
    print(
      Figures.title("  " + name) + Figures.milliseconds(own) + "   sqlite3 " + Figures.milliseconds(other) + "   "
        + Figures.ratio(own, other) + " ×   goal 1.5 ×")
  }

  private func copy(_ from: String, to path: String) throws {
    _ = try Measured.run("rm", ["-f", path, path + "-wal", path + "-shm"], home: "/")
    _ = try Measured.run("cp", [from, path], home: "/")
  }

  private func sqlite(_ target: String, copying source: String, withIndex: Bool) throws -> Double {
    let tables = [
      "podcasts", "podcast_details", "counters", "feeds", "addresses", "episodes", "episode_details",
      withIndex ? "search_texts" : "search_queue",
    ]
    var script = "PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; ATTACH '\(source)' AS source; BEGIN IMMEDIATE;"
    for table in tables where table != "search_queue" {
      script += "INSERT INTO main.\(table) SELECT * FROM source.\(table);"
    }
    if !withIndex { script += "INSERT INTO search_queue SELECT id FROM source.episodes;" }
    script += "INSERT INTO podcast_search (rowid, title, author) SELECT id, title, author FROM podcasts;"
    if withIndex {
      script +=
        "INSERT INTO search (rowid, title, notes, chapters, transcript)"
        + " SELECT id, title, notes, chapters, transcript FROM source.search_texts;"
    }
    let measured = try Measured.run("sqlite3", ["-bail", target, script + "COMMIT;"], home: "/")
    if measured.status != 0 { print("sqlite3 failed") }
    return measured.wall
  }

  /// Into a library of a million episodes, where pages are far apart; and out of it again.
  private func intoLarge(_ feed: Feed) async throws {
    let store = try PodcastStore(path: library + "/library.db")
    let clock = ContinuousClock()
    var podcast: PodcastID?
    func show(_ name: String, _ work: () async throws -> Void) async throws {
      print(Figures.title("  " + name) + Figures.milliseconds(try await clock.measure(work).inSecondsAsNumber))
    }
    try await show("first merge, among 1,000,000") {
      podcast = try await store.subscribe(to: feed, at: Self.url).podcast
    }
    try await show("unchanged, among 1,000,000") { _ = try await store.subscribe(to: feed, at: Self.url) }
    try await show("indexing, among 1,000,000") { _ = try await store.indexForSearch() }
    guard let podcast else { return }
    try await show("unsubscribe") { try await store.unsubscribe(podcast) }
    try await show("unsubscribe --delete") { try await store.unsubscribe(podcast, deleting: true) }
    await store.close()
  }
}
