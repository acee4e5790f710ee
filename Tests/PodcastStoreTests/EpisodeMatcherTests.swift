import PodcastModel
import Testing

@testable import PodcastStore

/// Whatever a publisher does to a feed, an episode stays the one it was.
struct EpisodeMatcherTests {
  private let library = TemporaryLibrary()
  private let url = "https://example.org/feed"

  /// Subscribes, leaves a position in each episode, merges the changed feed, and looks for the positions.
  private func expectSame(
    _ change: (inout FeedEpisode, Int) -> Void, preparing: (inout FeedEpisode, Int) -> Void = { _, _ in }
  )
    async throws
  {
    let store = try library.open()
    var feed = Feed.sample(episodes: 6)
    for index in feed.episodes.indices { preparing(&feed.episodes[index], index) }
    let ids = try await store.subscribe(to: feed, at: url).added
    for (index, id) in ids.enumerated() {
      try await store.savePosition(.seconds(100 + index), of: id, urgency: .flush)
    }
    for index in feed.episodes.indices { change(&feed.episodes[index], index) }
    let result = try await store.subscribe(to: feed, at: url)
    #expect(result.added.isEmpty)
    let after = try await store.playlist()
    #expect(Set(after.map(\.episode.id)) == Set(ids))
    for (index, id) in ids.enumerated() {
      #expect(after.first { $0.episode.id == id }?.status.lastListenTime == .seconds(100 + index))
    }
    let again = try await store.subscribe(to: feed, at: url)
    #expect(again.updated == 0 && again.added.isEmpty && again.unchanged == 6)
  }

  @Test func `all guids change`() async throws {
    try await expectSame { episode, index in episode.guid = "new-\(index)" }
  }

  enum Numbered: CaseIterable { case plain, withEqualTitles, withOneTitle, withoutDates, withAnEditedTitle, withTokens }

  @Test(arguments: Numbered.allCases)
  func `the guids count from the newest episode, and a new one comes`(kind: Numbered) async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 12)
    for index in feed.episodes.indices {
      switch kind {
      case .withEqualTitles where (3...5).contains(index): feed.episodes[index].title = "Bonus"
      case .withOneTitle: feed.episodes[index].title = "Morning news"
      case .withoutDates: feed.episodes[index].publishedAt = nil
      default: break
      }
    }
    let new = feed.episodes.removeFirst()
    func number() { for index in feed.episodes.indices { feed.episodes[index].guid = "\(index + 1)" } }
    func positions() async throws -> [String?: Duration] {
      try await store.playlist().reduce(into: [:]) { found, entry in
        found[entry.episode.enclosure.map { String($0.url.prefix { $0 != "?" }) }] = entry.status.lastListenTime
      }
    }
    number()
    for (index, id) in try await store.subscribe(to: feed, at: url).added.enumerated() {
      try await store.savePosition(.seconds(100 + index), of: id, urgency: .flush)
    }
    let before = try await positions()
    feed.episodes.insert(new, at: 0)
    if kind == .withAnEditedTitle { feed.episodes[10].title = "Edited" }
    if kind == .withTokens { for index in 1..<12 { feed.episodes[index].enclosure?.url += "?token=\(index)" } }
    number()
    let result = try await store.subscribe(to: feed, at: url)
    #expect(result.added.count == 1 && before.count == 11)
    #expect(try await positions() == before)
    let again = try await store.subscribe(to: feed, at: url)
    #expect(again.updated == 0 && again.added.isEmpty && again.unchanged == 12)
  }

  @Test func `two episodes swap their titles`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 2)
    let ids = try await store.subscribe(to: feed, at: url).added
    (feed.episodes[0].title, feed.episodes[1].title) = ("A", "B")
    let result = try await store.subscribe(to: feed, at: url)
    #expect(result.updated == 2)
    #expect(try await store.episode(ids[0])?.episode.title == "A")
  }

  @Test func `all guids and all enclosures change`() async throws {
    try await expectSame { episode, index in
      episode.guid = "new-\(index)"
      episode.enclosure?.url = "https://elsewhere.example/new/\(index).mp3"
    }
  }

  /// By so many seconds the dates differ.
  @Test(arguments: [1, 3600, -40])
  func `the publisher goes to a host that gives other guids, addresses and dates`(offset: Int64) async throws {
    try await expectSame { episode, index in
      episode.guid = "new-\(index)"
      episode.enclosure?.url = "https://elsewhere.example/new/\(index).mp3"
      episode.publishedAt = episode.publishedAt.map { Timestamp(seconds: $0.seconds + offset) }
      episode.duration = nil
    }
  }

  @Test func `bulletins that have the titles of yesterday's are new`() async throws {
    let store = try library.open()
    var added = 0
    for day in 0..<3 {
      var feed = Feed.sample(episodes: 4)
      for index in feed.episodes.indices {
        feed.episodes[index].guid = "\(day)-\(index)"
        feed.episodes[index].enclosure?.url = "https://example.org/\(day)/\(index).mp3"
        // Six hours apart, and those of the next day within half a day of the last.
        feed.episodes[index].publishedAt = Timestamp(seconds: 1_700_000_000 + Int64(day * 4 + 3 - index) * 21_600)
        feed.episodes[index].duration = nil
      }
      added += try await store.subscribe(to: feed, at: url).added.count
    }
    #expect(added == 12)
  }

  @Test func `another show with some equal titles is another show`() async throws {
    let store = try library.open()
    let feed = Feed.sample(episodes: 6)
    _ = try await store.subscribe(to: feed, at: url)
    var other = feed
    for index in other.episodes.indices {
      other.episodes[index].guid = "new-\(index)"
      other.episodes[index].enclosure?.url = "https://elsewhere.example/new/\(index).mp3"
      other.episodes[index].publishedAt = other.episodes[index].publishedAt.map {
        Timestamp(seconds: $0.seconds + 90 * 86_400)
      }
    }
    #expect(try await store.subscribe(to: other, at: url).added.count == 6)
  }

  @Test func `addresses without guids and dates go to https`() async throws {
    try await expectSame(
      { episode, index in episode.enclosure?.url = "https://example.org/\(index).mp3" },
      preparing: { episode, index in
        (episode.guid, episode.publishedAt, episode.duration) = (nil, nil, nil)
        episode.enclosure?.url = "http://example.org/\(index).mp3"
      })
  }

  @Test func `titles are edited`() async throws {
    try await expectSame { episode, index in episode.title = "Retitled \(index)" }
  }

  @Test func `enclosures move`() async throws {
    try await expectSame { episode, index in episode.enclosure?.url = "https://cdn.example/\(index)-v2.mp3" }
  }

  @Test func `there are no guids, and every address has a new token each time`() async throws {
    try await expectSame(
      { episode, index in episode.enclosure?.url = "https://example.org/\(index).mp3?token=new\(index)" },
      preparing: { episode, index in
        episode.guid = nil
        episode.enclosure?.url = "https://example.org/\(index).mp3?token=old\(index)"
      })
  }

  @Test func `there are no guids, and the query is what tells the addresses apart`() async throws {
    try await expectSame(
      { episode, index in episode.description = "Edited \(index)" },
      preparing: { episode, index in
        episode.guid = nil
        episode.enclosure?.url = "https://example.org/play?id=\(index)"
      })
  }

  @Test func `there is nothing but a title and a date`() async throws {
    try await expectSame(
      { episode, _ in episode.description = "Edited" },
      preparing: { episode, _ in
        episode.guid = nil
        episode.enclosure = nil
      })
  }

  @Test func `one address for every new episode makes new episodes`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].enclosure?.url = "https://example.org/latest.mp3"
    _ = try await store.subscribe(to: feed, at: url)
    feed.episodes[0].guid = "next"
    feed.episodes[0].title = "Next"
    feed.episodes[0].publishedAt = Timestamp(seconds: 1_800_000_000)
    let result = try await store.subscribe(to: feed, at: url)
    #expect(result.added.count == 1)
    #expect(try await store.playlist().count == 2)
  }

  @Test func `two episodes with one guid are both kept, each its own`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 4)
    feed.episodes[1].guid = feed.episodes[0].guid
    let first = try await store.subscribe(to: feed, at: url)
    #expect(first.added.count == 4 && first.twins == 1)
    feed.episodes.swapAt(0, 1)
    let second = try await store.subscribe(to: feed, at: url)
    #expect(second.added.isEmpty && second.updated == 0 && second.unchanged == 4)
  }

  /// A feed that shows the newest three of its episodes, which all have one guid, or none and one enclosure.
  @Test(arguments: [
    ("G", true, 86_400), ("G", false, 86_400), ("G", false, 3600), (nil, false, 86_400), (nil, false, 3600),
  ])
  func `a new episode with the guid of all others takes no episode that has left the feed`(
    guid: String?, hasOwnMedia: Bool, apart: Int64
  ) async throws {
    let store = try library.open()
    var all = Feed.sample(episodes: 7)
    for index in all.episodes.indices {
      all.episodes[index].guid = guid
      all.episodes[index].title = hasOwnMedia ? "Part \(index)" : "News"
      all.episodes[index].publishedAt = Timestamp(seconds: 1_700_000_000 + Int64(index) * apart)
      let name = hasOwnMedia ? "\(index)" : "latest"
      all.episodes[index].enclosure?.url = "https://example.org/\(name).mp3"
    }
    func window(_ range: Range<Int>) -> Feed {
      var feed = all
      feed.episodes = Array(all.episodes[range])
      return feed
    }
    let first = try await store.subscribe(to: window(0..<3), at: url).added
    for id in first { try await store.markCompleted(id) }
    for range in [1..<4, 3..<6, 4..<7] { _ = try await store.subscribe(to: window(range), at: url) }
    let after = try await store.playlist()
    #expect(after.count == 7)
    #expect(Set(after.filter(\.status.hasCompleted).map(\.episode.id)) == Set(first))
    #expect(Set(after.map(\.episode.publishedAt)).count == 7)
    // An edited one of them is still the same.
    all.episodes[5].description = "Edited"
    if hasOwnMedia { all.episodes[6].title = "Part six" }
    let edited = try await store.subscribe(to: window(4..<7), at: url)
    #expect(edited.added.isEmpty && edited.updated == (hasOwnMedia ? 2 : 1))
  }

  @Test func `an episode that the library has twice, and the feed once, does not become one more`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 2)
    let ids = try await store.subscribe(to: feed, at: url).added
    let copying = try Connection(path: library.path, mode: .readWrite)
    let columns = try copying.rows("SELECT name FROM pragma_table_info('episodes')") { $0.text(0) }
      .filter { !["id", "twin"].contains($0) }.joined(separator: ", ")
    try copying.executeScript(
      "INSERT INTO episodes (twin, \(columns)) SELECT 1, \(columns) FROM episodes WHERE id = \(ids[0].rawValue)")
    for second in 1...3 {
      for index in 0..<2 {
        feed.episodes[index].publishedAt = feed.episodes[index].publishedAt.map { Timestamp(seconds: $0.seconds + 1) }
      }
      let result = try await store.subscribe(to: feed, at: url)
      #expect(result.added.isEmpty && result.updated == 2, "\(second)")
    }
    // Always the same one, in which the user may have a position.
    let dates = try copying.rows("SELECT published_at FROM episodes ORDER BY id") { $0.integer(0) }
    #expect(dates[2] == dates[0] - 3 || dates[2] == dates[1] - 3, "\(dates)")
    #expect(try copying.integer("SELECT count(*) FROM episodes") == 3)
  }

  /// Two items with one guid: of one hand-made entry that was copied, or with tokens in their addresses, or one of which goes.
  @Test(arguments: [0, 1, 2])
  func `an edited episode with a shared guid stays the one it was`(kind: Int) async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 2)
    let other = feed.episodes[1]
    feed.episodes[0].guid = other.guid
    if kind == 2 {
      feed.episodes[0].enclosure?.url = other.enclosure?.url ?? ""
      feed.episodes[0].publishedAt = other.publishedAt
      feed.episodes[0].title = "Episode 0 (fixed)"
    }
    for index in 0..<2 where kind == 1 { feed.episodes[index].enclosure?.url += "?t=1" }
    _ = try await store.subscribe(to: feed, at: url)
    switch kind {
    case 0:
      feed.episodes[0].title = "Another title"
      feed.episodes[0].enclosure?.url = "https://example.org/another.mp3"
    case 1:
      for index in 0..<2 {
        feed.episodes[index].title = "New \(index)"
        feed.episodes[index].enclosure?.url = "https://example.org/\(1 - index).mp3?t=2"
      }
    default:
      feed.episodes.remove(at: 1)
      feed.episodes[0].title = "Episode 0 (final)"
    }
    #expect(try await store.subscribe(to: feed, at: url).added.isEmpty)
  }

  @Test func `without guids a title and a time that change past midnight leave the episode the same`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 2)
    for index in 0..<2 { feed.episodes[index].guid = nil }
    feed.episodes[0].publishedAt = Timestamp(seconds: 20_000 * 86_400 - 600)
    _ = try await store.subscribe(to: feed, at: url)
    feed.episodes[0].publishedAt = Timestamp(seconds: 20_000 * 86_400 + 300)
    feed.episodes[0].title = "Episode 1: with a title"
    #expect(try await store.subscribe(to: feed, at: url).added.isEmpty)
  }

  @Test(arguments: ["News", nil], [3600, 86_400])
  func `one address for all episodes of a feed, which have guids, makes new episodes`(
    title: String?, apart: Int64
  ) async throws {
    let store = try library.open()
    var all = Feed.sample(episodes: 6)
    for index in all.episodes.indices {
      all.episodes[index].title = title ?? "Part \(index)"
      all.episodes[index].publishedAt = Timestamp(seconds: 1_700_000_000 + Int64(index) * apart)
      all.episodes[index].enclosure?.url = "https://example.org/latest.mp3"
    }
    for first in 0..<4 {
      var feed = all
      feed.episodes = Array(all.episodes[first..<(first + 3)])
      _ = try await store.subscribe(to: feed, at: url)
    }
    #expect(try await store.playlist().count == 6)
  }

  @Test func `one address for every new episode makes new episodes, also without guids`() async throws {
    let store = try library.open()
    var feed = Feed.sample(episodes: 1)
    feed.episodes[0].guid = nil
    feed.episodes[0].enclosure?.url = "https://example.org/latest.mp3"
    _ = try await store.subscribe(to: feed, at: url)
    feed.episodes[0].title = "Next"
    feed.episodes[0].publishedAt = Timestamp(seconds: 1_800_000_000)
    #expect(try await store.subscribe(to: feed, at: url).added.count == 1)
    #expect(try await store.playlist().count == 2)
  }

  @Test func `the same guid in two feeds is two episodes`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 2), at: url)
    let other = try await store.subscribe(to: .sample(episodes: 2), at: "https://example.org/other")
    #expect(other.added.count == 2)
  }

  @Test func `episodes that leave the feed stay, also when it becomes empty`() async throws {
    let store = try library.open()
    _ = try await store.subscribe(to: .sample(episodes: 5), at: url)
    _ = try await store.subscribe(to: .sample(episodes: 0), at: url)
    #expect(try await store.playlist().count == 5)
  }

  @Test func `an empty title from the publisher keeps the old one, and one of your own stays`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample(), at: url).podcast
    var feed = Feed.sample()
    feed.title = nil
    #expect(try await store.merge(feed, into: podcast).title == "Late Night Linux")
    _ = try await store.subscribe(to: .sample(), at: url, ownTitle: "Mine")
    feed.title = "Theirs"
    #expect(try await store.merge(feed, into: podcast).title == "Mine")
  }

  @Test func `a moved feed is found under both addresses`() async throws {
    let store = try library.open()
    let podcast = try await store.subscribe(to: .sample(), at: url).podcast
    #expect(try await store.moveFeed(of: podcast, to: "https://new.example/feed"))
    #expect(try await store.subscribe(to: .sample(), at: url).podcast == podcast)
    #expect(try await store.podcast(at: "https://new.example/feed")?.reference.feedURL == "https://new.example/feed")
    let other = try await store.subscribe(to: .sample(), at: "https://other.example/feed").podcast
    #expect(try await store.moveFeed(of: other, to: url) == false)
  }
}
