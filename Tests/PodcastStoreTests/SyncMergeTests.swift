import PodcastModel
import Testing
import Text

@testable import PodcastStore

/// Two machines with the same feed tell each other what was done.
struct SyncMergeTests {
  private func two(now: Int64 = 1_800_000_000_000) async throws -> (SyncMachine, SyncMachine) {
    let (first, second) = (try SyncMachine(now: now), try SyncMachine(now: now))
    for machine in [first, second] {
      _ = try await machine.follow()
      _ = try await machine.lines()
    }
    return (first, second)
  }

  private func expectEqual(_ first: SyncMachine, _ second: SyncMachine) async throws {
    #expect(try await first.picture() == second.picture())
    #expect(try await first.store.problems(.full) == [])
    #expect(try await second.store.problems(.full) == [])
  }

  @Test func `everything that a person does comes to the other machine`() async throws {
    let (first, second) = try await two()
    first.now += 60_000
    try await first.listen(to: "Episode 0", until: .seconds(300))
    let (one, two) = (try await first.episode("Episode 1"), try await first.episode("Episode 2"))
    try await first.store.mark(.played, [one.episode.id])
    try await first.store.mark(.favourite, [two.episode.id])
    try await first.store.enqueue([two.episode.id, one.episode.id])
    _ = try await first.store.addBookmark(at: .seconds(61), note: "quote", in: two.episode.id)
    try await first.store.add(tags: ["science"], to: one.podcast.id)
    try await first.store.set(["speed": "1.5"], of: one.podcast.id)
    try await first.meet(second)
    try await expectEqual(first, second)
    #expect(try await second.picture().contains("guid-0 300 false false"))
    #expect(try await second.store.queue().map(\.episode.guid) == ["guid-2", "guid-1"])
    // And it goes away again.
    second.now += 120_000
    let there = try await second.episode("Episode 2")
    try await second.store.mark(.unfavourite, [there.episode.id])
    try await second.store.clearQueue()
    for mark in try await second.store.bookmarks(of: there.episode.id) {
      try await second.store.removeBookmark(mark.id)
    }
    try await second.store.set(["speed": nil], of: there.podcast.id)
    try await second.meet(first)
    try await expectEqual(first, second)
    #expect(try await first.store.queue().isEmpty)
    #expect(try await first.store.bookmarks().isEmpty)
    #expect(try await first.store.settings(of: one.podcast.id).isEmpty)
  }

  @Test func `reading the same lines again in any order changes nothing`() async throws {
    let (first, second) = try await two()
    try await first.listen(to: "Episode 0", until: .seconds(300))
    try await first.store.enqueue(try await first.store.playlist().map(\.episode.id))
    let file = try await first.lines()
    try await second.read(file)
    let picture = try await second.picture()
    let again = try await second.read((file.device, file.texts.reversed() + file.texts))
    #expect(again.merged == 0 && again.stamped == 0)
    #expect(try await second.picture() == picture)
  }

  @Test func `of two listenings offline the later one counts, not the further one`() async throws {
    let (first, second) = try await two()
    first.now += 60_000
    second.now += 120_000
    try await first.listen(to: "Episode 0", until: .seconds(1500))
    try await second.listen(to: "Episode 0", until: .seconds(300))
    try await first.meet(second)
    try await expectEqual(first, second)
    #expect(try await first.episode("Episode 0").status.lastListenTime == .seconds(300))
  }

  @Test func `a machine whose clock is a year behind wins over what it has seen`() async throws {
    let (first, second) = try await two()
    first.now += 400 * 86_400_000
    try await first.listen(to: "Episode 0", until: .seconds(1500))
    try await first.meet(second)
    second.now += 60_000
    try await second.listen(to: "Episode 0", until: .seconds(200))
    try await second.meet(first)
    try await expectEqual(first, second)
    #expect(try await first.episode("Episode 0").status.lastListenTime == .seconds(200))
  }

  @Test func `an accidental start says nothing`() async throws {
    let (first, second) = try await two()
    try await second.listen(to: "Episode 0", until: .seconds(300))
    try await first.meet(second)
    first.now += 60_000
    try await first.listen(to: "Episode 0", until: .seconds(303))
    #expect(try await first.store.sync(by: first.rules()).stamped == 0)
  }

  @Test(arguments: [true, false])
  func `a podcast that is left elsewhere stays where it was subscribed to again afterwards`(isAffirmed: Bool)
    async throws
  {
    let (first, second) = try await two()
    try await first.meet(second)
    let podcast = try #require(try await first.store.podcasts().first)
    let other = try #require(try await second.store.podcasts().first)
    first.now += 60_000
    try await first.store.unsubscribe(podcast.id, now: Timestamp(seconds: first.now / 1000))
    second.now = first.now + 60_000
    if isAffirmed { try await second.store.affirmSubscription(of: other.id, now: second.now) }
    first.now = second.now
    try await first.meet(second)
    try await second.meet(first)
    try await expectEqual(first, second)
    for machine in [first, second] {
      #expect(try await machine.store.podcasts().contains { $0.isSubscribed } == isAffirmed)
    }
  }

  @Test func `a mark after an accidental start is newer than a listening in between`() async throws {
    let (first, second) = try await two()
    let id = try await first.episode("Episode 0").episode.id
    var start = ListeningSession(startedAt: Timestamp(seconds: first.now / 1000), startPosition: .zero)
    start.listened = .seconds(3)
    _ = try await first.store.beginSession(start, of: id)
    try await first.listen(to: "Episode 0", until: .seconds(3))
    second.now += 60_000
    try await second.listen(to: "Episode 0", until: .seconds(300))
    first.now = second.now + 60_000
    try await first.store.mark(.played, [id])
    try await first.meet(second)
    try await expectEqual(first, second)
    #expect(try await second.episode("Episode 0").status.hasCompleted)
  }

  @Test func `a position behind the end of our file ends up before it, and comes back to nobody`() async throws {
    let (first, second) = try await two()
    try await first.store.setMediaDuration(.seconds(9000), of: try await first.episode("Episode 0").episode.id)
    try await first.listen(to: "Episode 0", until: .seconds(8000))
    let here = try await second.episode("Episode 0").episode.id
    try await second.store.mark(.favourite, [here])
    try await second.store.setMediaDuration(.seconds(1800), of: here)
    try await first.meet(second)
    #expect(try await second.episode("Episode 0").status.lastListenTime == .seconds(1785))
    #expect(try await second.store.sync(by: second.rules()).stamped == 0)
  }

  @Test func `a position behind the duration that the feed claims is kept`() async throws {
    let (first, second) = try await two()
    try await first.store.setMediaDuration(.seconds(9000), of: try await first.episode("Episode 0").episode.id)
    try await first.listen(to: "Episode 0", until: .seconds(8000))
    try await first.meet(second)
    #expect(try await second.episode("Episode 0").status.lastListenTime == .seconds(8000))
    #expect(try await second.store.sync(by: second.rules()).stamped == 0)
  }

  @Test func `two feeds with one podcast:guid stay two podcasts`() async throws {
    let (first, second) = try await two()
    for (machine, names) in [(first, ["short", "long"]), (second, ["short"])] {
      for name in names {
        var feed = Feed.sample(name, episodes: 1)
        feed.guid = "copied"
        _ = try await machine.follow("https://example.com/\(name)", feed)
      }
    }
    try await first.meet(second)
    let followed = try await second.store.podcasts().map(\.reference.feedURL)
    #expect(followed.contains("https://example.com/long") && followed.contains("https://example.com/short"))
  }

  @Test func `the episode that a player holds is left alone until it is let go`() async throws {
    let (first, second) = try await two()
    first.now += 60_000
    try await first.listen(to: "Episode 0", until: .seconds(900))
    let file = try await first.lines()
    let held = try await second.episode("Episode 0").episode.id
    try await second.read(file, held: held)
    #expect(try await second.episode("Episode 0").status.lastListenTime == nil)
    _ = try await second.store.sync(by: second.rules())
    #expect(try await second.episode("Episode 0").status.lastListenTime == .seconds(900))
  }

  /// Starts an episode and hears it until there.
  private func play(_ title: String, until position: Duration, on machine: SyncMachine) async throws {
    machine.now += 60_000
    let id = try await machine.episode(title).episode.id
    try await machine.store.startPlaying(id, at: Timestamp(seconds: machine.now / 1000))
    try await machine.listen(to: title, until: position)
  }

  @Test func `the current episode is the one that was heard last, on whichever machine`() async throws {
    let (first, second) = try await two()
    try await play("Episode 0", until: .seconds(300), on: first)
    second.now = first.now
    try await first.meet(second)
    #expect(try await second.store.current()?.episode.title == "Episode 0")
    try await play("Episode 1", until: .seconds(60), on: second)
    first.now = second.now
    try await first.meet(second)
    for machine in [first, second] {
      #expect(try await machine.store.current()?.episode.title == "Episode 1")
      #expect(try await machine.store.resumable().map(\.episode.title) == ["Episode 1", "Episode 0"])
    }
    try await expectEqual(first, second)
  }

  @Test func `older listening elsewhere does not change the current episode`() async throws {
    let (first, second) = try await two()
    try await play("Episode 0", until: .seconds(300), on: first)
    second.now = first.now
    try await play("Episode 1", until: .seconds(60), on: second)
    try await second.read(try await first.lines())
    #expect(try await second.store.current()?.episode.title == "Episode 1")
  }

  @Test func `the current episode of a player stays until the player has ended`() async throws {
    let (first, second) = try await two()
    try await play("Episode 0", until: .seconds(300), on: first)
    second.now = first.now
    try await play("Episode 1", until: .seconds(60), on: second)
    first.now = second.now
    let held = try await first.episode("Episode 0").episode.id
    try await first.read(try await second.lines(), held: held)
    #expect(try await first.store.current()?.episode.title == "Episode 0")
    #expect(try await first.store.syncState()[SyncStateRows.heardLast] != nil)
    _ = try await first.store.sync(by: first.rules())
    #expect(try await first.store.current()?.episode.title == "Episode 1")
    #expect(try await first.store.syncState()[SyncStateRows.heardLast] == nil)
    // The later listening of a player counts again.
    try await play("Episode 0", until: .seconds(400), on: first)
    second.now = first.now
    try await second.read(try await first.lines(), held: try await second.episode("Episode 1").episode.id)
    try await play("Episode 2", until: .seconds(9), on: second)
    _ = try await second.store.sync(by: second.rules())
    #expect(try await second.store.current()?.episode.title == "Episode 2")
  }

  @Test func `without a current episode, one that was heard before the last of all does not become it`() async throws {
    let (first, second) = try await two(now: 1_700_000_000_000)
    try await play("Episode 0", until: .seconds(300), on: second)
    first.now = second.now
    try await play("Episode 1", until: .seconds(60), on: first)
    let id = try await first.episode("Episode 1").episode.id
    try await first.store.mark(.played, [id])
    try await first.read(try await second.lines())
    #expect(try await first.store.current() == nil)
    _ = try await first.store.undo()
    #expect(try await first.store.current()?.episode.title == "Episode 1")
  }

  @Test func `a position that waited in the side file is older than later listening elsewhere`() async throws {
    let (first, second) = try await two(now: 1_700_000_000_000)
    let episode = try await first.episode("Episode 0").episode
    let pending = PendingProgress(
      episode, position: .seconds(55), number: 1_000, heardAt: Timestamp(seconds: first.now / 1000))
    #expect(PendingProgress.write([pending], in: first.library.directory))
    second.now = first.now
    try await play("Episode 0", until: .seconds(225), on: second)
    first.now = second.now
    await first.store.close()
    let again = try first.library.open()
    var input = SyncInput()
    let theirs = try await second.lines()
    input.groups = [
      .init(
        device: theirs.device,
        lines: theirs.texts.compactMap { JSON(parsing: $0) }.compactMap { SyncLine($0, from: theirs.device) })
    ]
    _ = try await again.sync(input, by: first.rules())
    #expect(try await again.episode(episode.id)?.status.lastListenTime == .seconds(225))
  }

  @Test func `the queue takes the insertions of both, and a move`() async throws {
    let (first, second) = try await two()
    let ids = try await first.store.playlist().map(\.episode.id)
    try await first.store.enqueue([ids[0]])
    try await first.meet(second)
    first.now += 60_000
    second.now += 60_000
    try await first.store.enqueue([ids[1]], at: .next)
    let there = try await second.store.playlist().map(\.episode.id)
    try await second.store.enqueue([there[2]], at: .next)
    try await first.meet(second)
    try await expectEqual(first, second)
    #expect(try await first.store.queue().count == 3)
    second.now += 60_000
    try await second.store.enqueue([there[0]], at: .next)
    let before = try await second.store.sync(by: second.rules())
    #expect(before.stamped == 1)
    try await first.meet(second)
    try await expectEqual(first, second)
    #expect(try await first.store.queue().first?.episode.id == ids[0])
  }

  @Test func `undo of a change of the queue keeps what another machine did with it since`() async throws {
    let (first, second) = try await two()
    let ids = try await first.store.playlist().map(\.episode.id)
    let there = try await second.store.playlist().map(\.episode.id)
    try await first.store.enqueue([ids[0]])
    try await first.meet(second)
    try await first.store.enqueue([ids[1]])
    first.now += 60_000
    second.now += 60_000
    try await second.store.enqueue([there[2]])
    try await second.store.removeFromQueue([there[0]])
    try await first.meet(second)
    #expect(Set(try await first.store.queue().map(\.episode.id)) == [ids[1], ids[2]])
    #expect(try await first.store.undo()?.action == .queueAdded)
    #expect(try await first.store.queue().map(\.episode.id) == [ids[2]])
  }

  @Test func `an episode that was finished after it was queued leaves the queue`() async throws {
    let (first, second) = try await two()
    try await second.store.enqueue([try await second.episode("Episode 1").episode.id])
    try await first.meet(second)
    first.now += 60_000
    try await first.store.markCompleted(
      try await first.episode("Episode 1").episode.id, at: Timestamp(seconds: first.now / 1000))
    try await first.meet(second)
    try await expectEqual(first, second)
    #expect(try await second.store.queue().isEmpty)
  }

  // MARK: Podcasts

  @Test func `a podcast that is followed elsewhere is followed here, and its episodes wait for the refresh`()
    async throws
  {
    let first = try SyncMachine()
    let second = try SyncMachine()
    _ = try await first.follow()
    try await first.listen(to: "Episode 0", until: .seconds(300))
    let outcome = try await second.read(try await first.lines())
    let added = try #require(outcome.added.first)
    #expect(try await second.store.podcast(added)?.title == "Late Night Linux")
    let result = try await second.store.merge(.sample(), into: added)
    #expect(result.added.count == 3)
    _ = try await second.store.sync(by: second.rules())
    try await expectEqual(first, second)
  }

  @Test func `who leaves a podcast leaves it everywhere, and joining removes nothing`() async throws {
    let (first, second) = try await two()
    let third = try SyncMachine()
    try await third.meet(first)
    #expect(try await first.store.podcasts().count == 1)
    try await first.meet(second)
    first.now += 60_000
    try await first.store.unsubscribe(
      try await first.episode("Episode 0").podcast.id, now: Timestamp(seconds: first.now / 1000))
    try await first.meet(second)
    #expect(try await second.store.podcasts().isEmpty)
  }

  @Test func `a podcast that is deleted here is left elsewhere, and does not come back`() async throws {
    let (first, second) = try await two()
    try await first.meet(second)
    first.now += 60_000
    try await first.store.unsubscribe(try await first.episode("Episode 0").podcast.id, deleting: true)
    try await first.meet(second)
    #expect(try await second.store.podcasts().isEmpty)
    try await first.meet(second)
    #expect(try await first.store.podcasts().isEmpty)
  }

  @Test(arguments: [false, true])
  func `a podcast that came from elsewhere is left there when it is deleted here, and does not come back`(
    isUnfollowedFirst: Bool
  ) async throws {
    let (first, second) = try await two()
    let third = try SyncMachine()
    try await third.meet(first)
    let podcast = try #require(try await third.store.podcasts().first)
    if isUnfollowedFirst {
      third.now += 60_000
      try await third.store.unsubscribe(podcast.id, now: Timestamp(seconds: third.now / 1000))
      try await third.meet(first)
    }
    third.now += 60_000
    try await third.store.unsubscribe(podcast.id, deleting: true)
    for _ in 0..<2 {
      try await third.meet(first)
      try await third.meet(second)
      try await first.meet(second)
    }
    for machine in [first, second, third] { #expect(try await machine.store.podcasts().isEmpty) }
    #expect(try await third.store.podcast(at: podcast.reference.feedURL) == nil)
  }

  @Test func `a podcast that is deleted and followed anew before the next sync stays followed everywhere`() async throws
  {
    let (first, second) = try await two()
    let third = try SyncMachine()
    try await third.meet(first)
    try await third.meet(second)
    let podcast = try #require(try await third.store.podcasts().first)
    third.now += 60_000
    try await third.store.unsubscribe(podcast.id, deleting: true)
    _ = try await third.follow(podcast.reference.feedURL)
    for _ in 0..<2 {
      try await third.meet(first)
      try await third.meet(second)
      try await first.meet(second)
    }
    for machine in [first, second, third] { #expect(try await machine.store.podcasts().count == 1) }
  }

  @Test func `a feed that has moved on one machine only is one podcast on both`() async throws {
    let (first, second) = try await two()
    let podcast = try await first.episode("Episode 0").podcast.id
    first.now += 60_000
    _ = try await first.store.moveFeed(of: podcast, to: "https://new.example/feed")
    try await first.listen(to: "Episode 0", until: .seconds(300))
    try await second.listen(to: "Episode 1", until: .seconds(600))
    try await first.meet(second)
    try await first.meet(second)
    try await expectEqual(first, second)
    #expect(try await second.store.podcasts().map(\.reference.feedURL) == ["https://new.example/feed"])
  }

  @Test func `an episode whose guid was changed is the same by its enclosure`() async throws {
    let first = try SyncMachine()
    let second = try SyncMachine()
    _ = try await first.follow()
    var feed = Feed.sample()
    for index in feed.episodes.indices { feed.episodes[index].guid = "new-\(index)" }
    _ = try await second.follow("https://example.org/feed", feed)
    try await first.listen(to: "Episode 0", until: .seconds(300))
    try await first.meet(second)
    #expect(try await second.episode("Episode 0").status.lastListenTime == .seconds(300))
  }

  /// The newest episode has the guid 1.
  private func counted(_ episodes: Int) -> Feed {
    var feed = Feed.sample(episodes: episodes)
    for index in feed.episodes.indices { feed.episodes[index].guid = "\(index + 1)" }
    return feed
  }

  private func marks(of machine: SyncMachine) async throws -> [String] {
    var marks: [String] = []
    for entry in try await machine.store.playlist() {
      let bookmarks = try await machine.store.bookmarks(of: entry.episode.id).map { $0.note ?? "" }
      let position = entry.status.lastListenTime?.inSeconds ?? 0
      marks.append(
        "\(entry.episode.title): \(entry.status.hasCompleted) \(entry.isFavourite) \(Int(position)) \(bookmarks)")
    }
    return marks.sorted() + (try await machine.store.queue().map(\.episode.title))
  }

  @Test func `marks stay with their episodes where a feed counts its guids from the newest`() async throws {
    let (first, second) = (try SyncMachine(), try SyncMachine())
    for machine in [first, second] { _ = try await machine.follow("https://example.org/feed", counted(3)) }
    first.now += 60_000
    let (zero, one) = (try await first.episode("Episode 0"), try await first.episode("Episode 1"))
    try await first.store.mark(.played, [zero.episode.id])
    _ = try await first.store.addBookmark(at: .seconds(10), note: "one", in: zero.episode.id)
    try await first.store.mark(.favourite, [one.episode.id])
    try await first.listen(to: "Episode 2", until: .seconds(300))
    try await first.store.enqueue([one.episode.id])
    try await first.meet(second)
    var expected = [
      "Episode 0: true false 0 [\"one\"]", "Episode 1: false true 0 []", "Episode 2: false false 300 []", "Episode 1",
    ]
    #expect(try await marks(of: second) == expected)
    for count in 4...5 {
      expected.insert("Episode \(count - 1): false true 0 []", at: count - 1)
      first.now += 60_000
      _ = try await first.follow("https://example.org/feed", counted(count))
      try await first.store.mark(.favourite, [try await first.episode("Episode \(count - 1)").episode.id])
      try await first.meet(second)
      second.now += 120_000
      _ = try await second.follow("https://example.org/feed", counted(count))
      try await first.meet(second)
      try await second.meet(first)
      for machine in [first, second] { #expect(try await marks(of: machine) == expected, "\(count)") }
    }
    let third = try SyncMachine()
    _ = try await third.follow("https://example.org/feed", counted(5))
    try await third.meet(first)
    try await third.meet(second)
    #expect(try await marks(of: third) == expected)
    try await expectEqual(first, second)
  }

  @Test func `an episode that was published anew under its guid is the same`() async throws {
    let (first, second) = try await two()
    try await first.listen(to: "Episode 0", until: .seconds(300))
    let file = try await first.lines()
    var feed = Feed.sample()
    let index = try #require(feed.episodes.firstIndex { $0.guid == "guid-0" })
    feed.episodes[index].enclosure?.url = "https://example.org/0-again.mp3"
    feed.episodes[index].publishedAt = feed.episodes[index].publishedAt.map { Timestamp(seconds: $0.seconds + 400_000) }
    _ = try await second.follow("https://example.org/feed", feed)
    try await second.read(file)
    #expect(try await second.episode("Episode 0").status.lastListenTime == .seconds(300))
  }

  @Test func `of episodes with one guid and one enclosure, the date tells which was heard`() async throws {
    let (first, second) = (try SyncMachine(), try SyncMachine())
    var feed = Feed.sample()
    for index in feed.episodes.indices {
      feed.episodes[index].guid = "https://example.org/live.mp3"
      feed.episodes[index].enclosure?.url = "https://example.org/live.mp3"
    }
    _ = try await first.follow("https://example.org/feed", feed)
    feed.episodes.reverse()
    _ = try await second.follow("https://example.org/feed", feed)
    try await first.listen(to: "Episode 0", until: .seconds(300))
    try await first.listen(to: "Episode 2", until: .seconds(500))
    try await first.meet(second)
    for machine in [first, second] {
      #expect(try await machine.episode("Episode 0").status.lastListenTime == .seconds(300))
      #expect(try await machine.episode("Episode 1").status.lastListenTime == nil)
      #expect(try await machine.episode("Episode 2").status.lastListenTime == .seconds(500))
    }
  }

  @Test func `the same guid in two feeds is two episodes`() async throws {
    let (first, second) = try await two()
    for machine in [first, second] {
      var feed = Feed.sample("Another", episodes: 1)
      feed.episodes[0].title = "Other"
      _ = try await machine.follow("https://example.com/other", feed)
    }
    try await first.listen(to: "Other", until: .seconds(300))
    try await first.meet(second)
    #expect(try await second.episode("Episode 0").status.lastListenTime == nil)
    #expect(try await second.episode("Other").status.lastListenTime == .seconds(300))
  }

  @Test func `nothing of a private podcast is told, and nothing about it is believed`() async throws {
    let (first, second) = try await two()
    for machine in [first, second] {
      var feed = Feed.sample("Secret Hours", episodes: 1)
      feed.episodes[0].guid = "hidden-guid"
      feed.episodes[0].title = "Hidden"
      feed.episodes[0].enclosure?.url = "https://secret.example/hidden.mp3"
      let private0 = try await machine.store.subscribe(
        to: feed, at: "https://secret.example/abc", isPrivate: machine === first)
      try await machine.listen(to: "Hidden", until: .seconds(300))
      try await machine.store.enqueue([private0.added[0]])
      _ = try await machine.store.addBookmark(at: .seconds(1), note: "hush", in: private0.added[0])
    }
    second.now += 60_000
    try await second.listen(to: "Hidden", until: .seconds(600))
    try await first.read(try await second.lines())
    #expect(try await first.episode("Hidden").status.lastListenTime == .seconds(300))
    let told = try await first.lines().texts.joined(separator: "\n").lowercased()
    for word in ["secret", "hidden", "hush", "abc"] { #expect(!told.contains(word)) }
    #expect(try await first.store.queue().map(\.episode.guid) == ["hidden-guid"])
  }

  // MARK: This library again

  @Test func `a restored library gets its own later writes back, under a new id`() async throws {
    let (first, second) = try await two()
    let copy = first.library.directory + "/copy.db"
    try await first.store.backUp(to: copy)
    first.now += 60_000
    try await first.listen(to: "Episode 0", until: .seconds(300))
    let file = try await first.lines()
    await first.store.close()
    try PodcastStore.restore(copy, to: first.library.path)
    let restored = try PodcastStore(path: first.library.path)
    var input = SyncInput()
    let lines = file.texts.compactMap { JSON(parsing: $0) }.compactMap { SyncLine($0, from: file.device) }
    input.groups = [SyncInput.Group(device: file.device, lines: lines)]
    let outcome = try await restored.sync(input, by: first.rules())
    #expect(outcome.hasNewDevice && outcome.device != file.device)
    let id = try #require(try await restored.playlist().first { $0.episode.title == "Episode 0" })
    #expect(id.status.lastListenTime == .seconds(300))
    _ = second
  }

  @Test func `the state of an old backup wins on all machines where that is asked for`() async throws {
    let (first, second) = try await two()
    try await first.listen(to: "Episode 0", until: .seconds(300))
    try await first.meet(second)
    let copy = first.library.directory + "/copy.db"
    try await first.store.backUp(to: copy)
    first.now += 60_000
    try await first.listen(to: "Episode 0", until: .seconds(900))
    let later = try await first.lines()
    try await second.read(later)
    await first.store.close()
    try PodcastStore.restore(copy, to: first.library.path)
    let restored = try PodcastStore(path: first.library.path)
    first.now += 60_000
    try await restored.claimRegisters(by: first.rules())
    var input = SyncInput()
    let lines = later.texts.compactMap { JSON(parsing: $0) }.compactMap { SyncLine($0, from: later.device) }
    input.groups = [SyncInput.Group(device: later.device, lines: lines)]
    let device = try await restored.sync(input, by: first.rules()).device
    let id = try #require(try await restored.playlist().first { $0.episode.title == "Episode 0" })
    #expect(id.status.lastListenTime == .seconds(300))
    let told = try await restored.linesToWrite(all: true, device: device, first.rules())
    try await second.read((device, told.flatMap { $0.texts(of: device) }))
    #expect(try await second.episode("Episode 0").status.lastListenTime == .seconds(300))
  }

  @Test func `what an old backup lacks is taken back on all machines where its state is to win`() async throws {
    let (first, second) = try await two()
    let heard = try await first.episode("Episode 2").episode.id
    _ = try await first.store.addBookmark(at: .seconds(9), note: "kept", in: heard)
    try await first.store.enqueue([heard])
    try await first.meet(second)
    let picture = try await first.picture()
    let copy = first.library.directory + "/copy.db"
    try await first.store.backUp(to: copy)
    for machine in [first, second] { machine.now += 60_000 }
    let (podcast, ids) = (
      try #require(try await first.store.podcasts().first).id, try await first.store.playlist().map(\.episode.id)
    )
    try await first.store.mark(.played, ids)
    try await first.store.mark(.favourite, [ids[0]])
    try await first.store.enqueue([ids[1]])
    try await first.store.add(tags: ["oops"], to: podcast)
    try await first.store.set(["speed": "3"], of: podcast)
    _ = try await first.store.addBookmark(at: .seconds(3), note: "oops", in: ids[2])
    try await first.rename("Oops")
    _ = try await second.follow("https://example.org/other", .sample("Other", episodes: 1))
    try await second.rename("Own", at: "https://example.org/other", .sample("Other", episodes: 1))
    let came = try #require(try await second.store.podcasts().first { $0.title == "Own" }).id
    try await second.store.add(tags: ["new"], to: came)
    try await first.meet(second)
    #expect(try await second.picture() != picture)
    let later = [try await first.lines(), try await second.lines()]
    await first.store.close()
    try PodcastStore.restore(copy, to: first.library.path)
    let restored = try SyncMachine(at: first.library, now: first.now + 60_000)
    second.now += 60_000
    try await restored.store.claimRegisters(by: restored.rules())
    for file in later { try await restored.read(file, claimedAt: restored.now) }
    // The podcast that came since stays, with its title and tag.
    let line = "podcast https://example.org/other Own [new] []"
    #expect(try await restored.picture() == (picture + [line]).sorted())
    try await second.read(try await restored.lines())
    // The feed's own title comes with the feed.
    _ = try await second.follow()
    // The other podcast's episode has the guid of one of the first.
    let there = Set(try await second.picture())
    #expect(there.symmetricDifference(picture + [line]) == [])
    #expect(try await second.store.problems(.full) == [])
    // After the reset.
    second.now += 60_000
    let marked = try await second.episode("Episode 1").episode.id
    try await second.store.mark(.favourite, [marked])
    try await second.store.enqueue([marked])
    try await second.rename("Later")
    let finished = try await second.episode("Episode 2").episode.id
    try await second.store.removeBookmark(try #require(try await second.store.bookmarks(of: finished).first).id)
    try await second.store.markCompleted(finished, at: Timestamp(seconds: second.now / 1000))
    _ = try await second.store.unsubscribe(came, now: Timestamp(seconds: second.now / 1000))
    let claimedAt = restored.now
    restored.now += 120_000
    try await restored.read(try await second.lines(), claimedAt: claimedAt)
    #expect(try await restored.episode("Episode 1").isFavourite)
    #expect(try await restored.store.queue().map(\.episode.title) == ["Episode 1"])
    try await second.read(try await restored.lines())
    for machine in [restored, second] {
      #expect(try await machine.store.podcasts().filter(\.isSubscribed).map(\.title) == ["Later"])
      #expect(try await machine.store.queue().map(\.episode.title) == ["Episode 1"])
    }
    try await expectEqual(restored, second)
    #expect(try await restored.store.problems(.full) == [])
  }

  @Test(arguments: ["0000000000000000", "fffffffffffffffe", "server-0123456789abcdef"])
  func `a library whose state is to win also wins over the latest stamps there can be`(author: String) async throws {
    let (first, second) = try await two()
    let id = try await first.episode("Episode 0").episode.id
    try await first.store.mark(.favourite, [id])
    let lines = try await first.lines().texts.filter { $0.contains("fav") }
    let stamped = lines.compactMap { JSON(parsing: $0) }.compactMap { SyncLine($0, from: author) }.map { line in
      var line = line
      for index in line.registers.indices where line.registers[index].name == "fav" {
        (line.registers[index].stamp, line.registers[index].device) = (SyncRegister.stamps.upperBound, author)
      }
      line.registers.removeAll { $0.name != "fav" }
      return line
    }
    let file = (device: "0123456789abcdef", texts: stamped.flatMap { $0.texts(of: "0123456789abcdef") })
    #expect(file.texts.count == 1)
    for machine in [first, second] { try await machine.read(file) }
    for (winner, loser) in [(first, second), (second, first), (first, second)] {
      let episode = try await winner.episode("Episode 0")
      try await winner.store.mark(episode.isFavourite ? .unfavourite : .favourite, [episode.episode.id])
      try await winner.store.claimRegisters(by: winner.rules())
      try await winner.meet(loser)
      try await expectEqual(first, second)
      #expect(try await loser.episode("Episode 0").isFavourite == !episode.isFavourite)
    }
  }

  @Test func `what stands in no file any more is written by another machine, with its author`() async throws {
    let (first, second) = try await two()
    try await first.listen(to: "Episode 0", until: .seconds(300))
    let file = try await first.lines()
    try await second.read(file)
    let before = try await second.lines()
    #expect(!before.texts.joined().contains(file.device))
    try await second.read((file.device, []))
    let after = try await second.lines()
    #expect(after.texts.joined().contains("300000"))
    #expect(after.texts.joined().contains(file.device))
  }

  @Test func `what is set while the file is written is written by the next sync`() async throws {
    let (first, _) = try await two()
    try await first.listen(to: "Episode 0", until: .seconds(300))
    let device = try await first.store.sync(by: first.rules()).device
    let mark = try await first.store.unwrittenMark()
    let written = try await first.store.linesToWrite(all: false, device: device, first.rules())
    first.now += 1000
    try await first.store.claimRegisters(by: first.rules())
    let file = SyncFile(name: "mine", device: device, signature: "")
    try await first.store.setWritten(by: device, mark, isWhole: true, [:], file)
    #expect(try await first.store.hasChangesToSync())
    let later = try await first.store.linesToWrite(all: false, device: device, first.rules())
    #expect(!written.isEmpty && later.count == written.count && later != written)
    let last = try await first.store.unwrittenMark()
    try await first.store.setWritten(by: device, last, isWhole: true, [:], file)
    #expect(try await !first.store.hasChangesToSync())
    #expect(try await first.store.linesToWrite(all: false, device: device, first.rules()) == [])
  }

  @Test func `a podcast that became private leaves the file only when all of it is written anew`() async throws {
    let (first, _) = try await two()
    let device = try await first.store.sync(by: first.rules()).device
    _ = try await first.store.subscribe(to: .sample(), at: "https://example.org/feed", isPrivate: true)
    let file = SyncFile(name: "mine", device: device, signature: "")
    for isWhole in [false, true] {
      #expect(try await first.store.sync(by: first.rules()).mustRewrite)
      let mark = try await first.store.unwrittenMark()
      try await first.store.setWritten(by: device, mark, isWhole: isWhole, [:], file)
    }
    #expect(try await !first.store.sync(by: first.rules()).mustRewrite)
  }

  @Test func `the loser of two listenings is remembered where it was more than a minute further`() async throws {
    let (first, second) = try await two()
    try await first.meet(second)
    first.now += 60_000
    second.now += 120_000
    try await first.listen(to: "Episode 0", until: .seconds(1500))
    try await second.listen(to: "Episode 0", until: .seconds(300))
    try await first.meet(second)
    for machine in [first, second] {
      let heard = try await machine.store.heardElsewhere(try await machine.episode("Episode 0").episode.id)
      #expect(heard?.further == .seconds(1500))
    }
    let heard = try await first.store.heardElsewhere(try await first.episode("Episode 0").episode.id)
    #expect(heard?.at == Timestamp(seconds: second.now / 1000))
  }
}
