import PodcastModel
import Testing

@testable import PodcastStore

struct EpisodeFilterTests {
  private let library = TemporaryLibrary()

  @Test func `every documented word is understood`() throws {
    let words = [
      "unplayed", "inprogress", "played", "downloaded", "favourite", "new", "podcast:late", "tag:news", "minutes<20",
      "age<7d", "season:2", "has:transcript", "has:chapters", "text:word", "sort:-date", "limit:10",
    ]
    let filter = try EpisodeFilter(words: words)
    #expect(filter.conditions.count == 14)
    #expect(filter.limit == 10)
    #expect(filter.conditions.contains(.age(.below, .seconds(7 * 86_400))))
  }

  @Test(arguments: [
    "unknown", "minutes<x", "age<7q", "sort:colour", "limit:-1", "podcast:", "season>two", "age<99999999999999999999d",
  ])
  func `a word that says nothing is named`(word: String) {
    #expect { try EpisodeFilter(words: [word]) } throws: { ($0 as? EpisodeFilter.Mistake)?.word == word }
  }

  /// Ten episodes of two podcasts; of the first, number 9 is the newest.
  private func filled() async throws -> (store: PodcastStore, ids: [EpisodeID]) {
    let store = try library.open()
    var feed = Feed.sample("First Things", episodes: 10)
    feed.episodes[0].season = 2
    feed.episodes[1].inlineChapters = [Chapter(start: 0, title: "Opening")]
    feed.episodes[2].transcripts = [TranscriptLink(url: "https://example.org/t.vtt")]
    feed.episodes[3].duration = 300
    let ids = try await store.subscribe(to: feed, at: "https://example.org/1", tags: ["news"]).added
    _ = try await store.subscribe(to: .sample("Second Sight", episodes: 10), at: "https://example.org/2")
    try await store.mark(.played, [ids[0], ids[4]])
    try await store.mark(.favourite, [ids[1]])
    try await store.savePosition(.seconds(70), of: ids[5], urgency: .flush)
    var record = MediaRecord(episode: ids[6], state: .complete)
    record.isKept = true
    try await store.save(record)
    return (store, ids)
  }

  @Test func `an episode without a date has no age`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 2)
    feed.episodes[0].publishedAt = nil
    let ids = try await store.subscribe(to: feed, at: "https://example.org/1").added
    for word in ["age>1d", "age>=1d"] {
      let old = try await store.episodes(matching: EpisodeFilter(words: [word])).map(\.episode.id)
      #expect(old == [ids[1]])
    }
  }

  @Test func `a length of 0 is unknown, also in a library of before`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 2)
    feed.episodes[0].duration = 0
    let ids = try await store.subscribe(to: feed, at: "https://example.org/1").added
    let short = try EpisodeFilter(words: ["minutes<20"])
    #expect(try await store.episodes(matching: short).isEmpty)
    #expect(try await store.episode(ids[0])?.duration == nil)
    try Connection(path: library.path, mode: .readWrite).execute("UPDATE episodes SET duration = 0")
    #expect(try await store.episode(ids[0])?.duration == nil)
  }

  /// The episodes of the archive have the highest numbers and the earliest dates.
  @Test func `a word that is in many episodes finds every one, and the latest first`() async throws {
    let (store, ids) = try await filled()
    var archive = Feed()
    archive.title = "Archive"
    archive.episodes = (0..<300).map { number in
      var episode = FeedEpisode()
      (episode.guid, episode.title) = ("\(number)", "Episode \(number)")
      episode.publishedAt = Timestamp(seconds: 1_000_000_000 + Int64(number))
      return episode
    }
    _ = try await store.subscribe(to: archive, at: "https://example.org/archive")
    try await store.indexForSearch()
    let played = try EpisodeFilter(words: ["text:episode", "played"])
    #expect(try await store.episodes(matching: played, limit: 9).map(\.episode.id) == [ids[0], ids[4]])
    #expect(try await store.episodes(among: Set(ids), matching: played) == [ids[0], ids[4]])
    let text = try EpisodeFilter(words: ["text:episode"])
    let all = try await store.episodes(matching: text).map(\.episode.id)
    #expect(all.count == 320)
    #expect(try await store.episodes(matching: text, limit: 3).map(\.episode.id) == Array(all.prefix(3)))
    #expect(try await store.episode(all[0])?.podcast.title != "Archive")
  }

  @Test(
    arguments: [
      ("played", [0, 4]), ("favourite", [1]), ("inprogress", [5]), ("downloaded", [6]), ("season:2", [0]),
      ("has:chapters", [1]), ("has:transcript", [2]), ("minutes<10", [3]),
    ] as [(String, [Int])])
  func `each condition keeps its episodes`(word: String, kept: [Int]) async throws {
    let (store, ids) = try await filled()
    let found = try await store.episodes(matching: try EpisodeFilter(words: [word]))
    #expect(found.map(\.episode.id) == kept.map { ids[$0] })
  }

  @Test func `conditions join`() async throws {
    let (store, ids) = try await filled()
    let filter = try EpisodeFilter(words: ["unplayed", "podcast:first", "tag:NEWS", "limit:3"])
    #expect(try await store.episodes(matching: filter).map(\.episode.id) == [ids[1], ids[2], ids[3]])
    let none = try EpisodeFilter(words: ["played", "podcast:second"])
    #expect(try await store.episodes(matching: none).isEmpty)
    let text = try EpisodeFilter(words: ["text:topic7", "podcast:first"])
    #expect(try await store.episodes(matching: text).map(\.episode.id) == [ids[2]])
  }

  @Test(
    arguments: [("favourite", 8), ("inprogress", 4), ("downloaded", 3), ("unplayed", 8)] as [(String, Int)])
  func `words of a text join every other condition`(word: String, topic: Int) async throws {
    let (store, ids) = try await filled()
    let filter = try EpisodeFilter(words: [word, "text:topic\(topic)", "podcast:first"])
    #expect(try await store.episodes(matching: filter).map(\.episode.id) == [ids[9 - topic]])
    let none = try EpisodeFilter(words: [word, "text:nothing"])
    #expect(try await store.episodes(matching: none).isEmpty)
    #expect(try await store.episodes(among: Set(ids), matching: none).isEmpty)
  }

  @Test(arguments: ["sort:date", "sort:-date", "sort:title", "sort:-length", "sort:podcast", "sort:played"])
  func `every order lists every episode once`(word: String) async throws {
    let (store, _) = try await filled()
    let found = try await store.episodes(matching: try EpisodeFilter(words: [word]))
    #expect(Set(found.map(\.episode.id)).count == 20)
    let first = try await store.episodes(matching: try EpisodeFilter(words: [word]), limit: 7)
    #expect(first == Array(found.prefix(7)))
  }

  @Test func `the length of the media file counts, whatever the feed says`() async throws {
    let (store, ids) = try await filled()
    for (index, length) in [(3, Duration.seconds(90_000)), (7, .seconds(500))] {
      try await store.startPlaying(ids[index])
      try await store.setMediaDuration(length, of: ids[index])
    }
    for (words, found) in [
      (["minutes<10"], ids[7]), (["minutes<10", "sort:title", "limit:5"], ids[7]), (["minutes>1000"], ids[3]),
      (["sort:length", "limit:1"], ids[7]), (["sort:-length", "limit:1"], ids[3]),
    ] {
      #expect(try await store.episodes(matching: try EpisodeFilter(words: words)).map(\.episode.id) == [found])
    }
  }

  @Test func `lengths are compared in whole seconds, as they are shown`() async throws {
    let (store, ids) = try await filled()
    try await store.startPlaying(ids[3])
    try await store.setMediaDuration(.milliseconds(300_065), of: ids[3])
    for (word, isFound) in [
      ("minutes=5", true), ("minutes<=5", true), ("minutes>=5", true), ("minutes<5", false), ("minutes>5", false),
    ] {
      let found = try await store.episodes(matching: try EpisodeFilter(words: [word])).map(\.episode.id)
      #expect(found.contains(ids[3]) == isFound, "\(word)")
    }
  }

  @Test(
    arguments: [
      ["unplayed"], ["inprogress"], ["favourite"], ["downloaded"], ["minutes<10"], ["text:episode"],
      ["podcast:first"], ["sort:title", "limit:5"],
    ])
  func `a brief list has the same episodes`(words: [String]) async throws {
    let (store, _) = try await filled()
    let filter = try EpisodeFilter(words: words)
    let (full, brief) = (
      try await store.episodes(matching: filter), try await store.episodes(matching: filter, brief: true)
    )
    #expect(!full.isEmpty && full.map(\.podcast) == brief.map(\.podcast))
    #expect(full.map(\.episode.id) == brief.map(\.episode.id))
    #expect(full.map(\.episode.title) == brief.map(\.episode.title))
    #expect(full.map(\.episode.publishedAt) == brief.map(\.episode.publishedAt))
    #expect(full.map(\.duration) == brief.map(\.duration) && full.map(\.status) == brief.map(\.status))
  }

  @Test func `an episode is new when it came after subscribing and until something is done with it`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 2), at: "https://example.org/1")
    let filter = EpisodeFilter([.new])
    #expect(try await store.episodes(matching: filter).isEmpty)
    let added = try await store.subscribe(to: .sample(episodes: 4), at: "https://example.org/1").added
    #expect(try await store.episodes(matching: filter).map(\.episode.id) == added)
    try await store.startPlaying(added[0])
    #expect(try await store.episodes(matching: filter).map(\.episode.id) == [added[1]])
  }

  @Test func `pages of a filtered list join without a gap, in both directions`() async throws {
    let (store, _) = try await filled()
    for words in [["unplayed", "sort:-date"], ["unplayed", "sort:date"], ["unplayed", "text:episode"]] {
      let filter = try EpisodeFilter(words: words)
      var pages: [EpisodeEntry] = []
      while case let page = try await store.episodes(
        matching: filter, limit: 3, after: pages.last.map { EpisodeCursor(after: $0) }), !page.isEmpty
      { pages += page }
      #expect(try await store.episodes(matching: filter) == pages)
    }
  }
}
