import PodcastModel
import PodcastStore
import Testing

struct QueueRowsTests {
  private let library = TemporaryLibrary()

  private func subscribed() async throws -> (store: PodcastStore, ids: [EpisodeID]) {
    let store = try library.open()
    return (store, try await store.subscribe(to: .sample(episodes: 5), at: "https://example.org/feed").added)
  }

  private func order(_ store: PodcastStore) async throws -> [EpisodeID] { try await store.queue().map(\.episode.id) }

  @Test func `episodes line up, jump the queue and move`() async throws {
    let (store, ids) = try await subscribed()
    try await store.enqueue([ids[0], ids[1], ids[0]])
    try await store.enqueue([ids[2]], at: .next)
    #expect(try await order(store) == [ids[2], ids[0], ids[1]])
    try await store.enqueue([ids[2]], at: .number(2))
    #expect(try await order(store) == [ids[0], ids[2], ids[1]])
    #expect(try await store.moveInQueue(ids[1], to: 1))
    #expect(try await order(store) == [ids[1], ids[0], ids[2]])
    try await store.removeFromQueue([ids[2]])
    #expect(try await order(store) == [ids[1], ids[0]])
    #expect(try await !store.moveInQueue(ids[2], to: 1))
    #expect(try await order(store) == [ids[1], ids[0]])
  }

  @Test func `a finished episode leaves the queue`() async throws {
    let (store, ids) = try await subscribed()
    try await store.enqueue([ids[0], ids[1]])
    try await store.markCompleted(ids[0])
    #expect(try await order(store) == [ids[1]])
  }

  @Test func `what was done to episodes of a podcast that is deleted cannot be undone`() async throws {
    let (store, ids) = try await subscribed()
    let other = try await store.subscribe(to: .sample(episodes: 2), at: "https://example.org/other")
    try await store.mark(.played, [other.added[0]])
    try await store.mark(.played, [ids[0]])
    try await store.mark(.favourite, [ids[1], other.added[1]])
    try await store.unsubscribe(try #require(try await store.episode(ids[0])).podcast.id, deleting: true)
    #expect(try await store.undo()?.action == .deleted)
    #expect(try await store.undo()?.action == .markedFavourite)
    #expect(try await store.episode(other.added[1])?.isFavourite == false)
    #expect(try await store.undo()?.action == .markedPlayed)
    #expect(try await store.episode(other.added[0])?.status.hasCompleted == false)
    #expect(try await store.undo() == nil)
  }

  @Test func `undo brings back what was, one step after the other`() async throws {
    let (store, ids) = try await subscribed()
    try await store.enqueue([ids[0], ids[1]])
    try await store.clearQueue()
    try await store.savePosition(.seconds(30), of: ids[0], urgency: .flush)
    try await store.mark(.played, [ids[0]])
    #expect(try await store.undo()?.action == .markedPlayed)
    let status = try await store.episode(ids[0])?.status
    #expect(status?.hasCompleted == false && status?.lastListenTime == .seconds(30))
    #expect(try await store.undo()?.action == .queueCleared)
    #expect(try await order(store) == [ids[0], ids[1]])
    #expect(try await store.undo()?.action == .queueAdded)
    #expect(try await order(store).isEmpty)
    #expect(try await store.undo() == nil)
  }

  @Test func `undo of a change of the queue leaves out what was heard since, and one of which nothing is left is told`()
    async throws
  {
    let (store, ids) = try await subscribed()
    try await store.mark(.favourite, [ids[2]])
    try await store.enqueue([ids[0], ids[1]])
    try await store.enqueue([ids[2]], at: .next)
    try await store.markCompleted(ids[0])
    #expect(try await store.undo()?.action == .queueAdded)
    #expect(try await order(store) == [ids[1]])
    try await store.removeFromQueue([ids[1]])
    try await store.markCompleted(ids[1])
    for action in [UndoAction.queueRemoved, .queueAdded] {
      let undone = try #require(try await store.undo())
      #expect(undone.action == action && undone.isOver)
    }
    #expect(try await order(store) == [])
    let mark = try #require(try await store.undo())
    #expect(mark.action == .markedFavourite && !mark.isOver)
  }

  @Test func `undo of a mark makes the episode the current one again, unless another is`() async throws {
    let (store, ids) = try await subscribed()
    try await store.startPlaying(ids[0], at: .now)
    try await store.savePosition(.seconds(30), of: ids[0], urgency: .flush)
    try await store.mark(.played, [ids[0]])
    #expect(try await store.current() == nil)
    _ = try await store.undo()
    #expect(try await store.current()?.episode.id == ids[0])
    try await store.markCompleted(ids[2])
    try await store.startPlaying(ids[2], at: .now)
    try await store.mark(.played, [ids[2]])
    _ = try await store.undo()
    #expect(try await store.current()?.episode.id == ids[2])
    #expect(try await store.episode(ids[2])?.status.hasCompleted == true)
    try await store.mark(.played, [ids[0]])
    try await store.startPlaying(ids[1], at: .now)
    _ = try await store.undo()
    #expect(try await store.current()?.episode.id == ids[1])
  }

  @Test(arguments: [EpisodeMark.favourite, .unfavourite, .played, .unplayed])
  func `undoing a mark leaves the position that was reached since`(mark: EpisodeMark) async throws {
    let store = try library.open()
    let id = try await store.subscribe(to: .sample(), at: "https://example.org/feed").added[0]
    try await store.savePosition(.seconds(600), of: id, urgency: .flush)
    if mark == .unfavourite { try await store.mark(.favourite, [id]) }
    try await store.mark(mark, [id])
    // Played once more.
    try await store.startPlaying(id)
    try await store.savePosition(.seconds(1200), of: id, urgency: .flush)
    _ = try #require(try await store.undo())
    let status = try #require(try await store.episode(id)).status
    #expect(status.lastListenTime == .seconds(1200))
    #expect(!status.hasCompleted)
  }

  @Test func `unplayed right after played is as before, where the mark is toggled`() async throws {
    let (store, ids) = try await subscribed()
    for id in ids { try await store.savePosition(.seconds(600), of: id, urgency: .flush) }
    func position(_ id: EpisodeID) async throws -> Duration? { try await store.episode(id)?.status.lastListenTime }
    try await store.mark(.played, [ids[0]])
    try await store.mark(.unplayed, [ids[0]], isToggled: true)
    #expect(try await position(ids[0]) == .seconds(600))
    #expect(try await store.episode(ids[0])?.status.hasCompleted == false)
    _ = try await store.undo()
    #expect(try await store.episode(ids[0])?.status.hasCompleted == true)
    #expect(try await position(ids[0]) == nil)
    _ = try await store.undo()
    #expect(try await position(ids[0]) == .seconds(600))
    // Not by a command that says what it is to be.
    try await store.mark(.played, [ids[1]])
    try await store.mark(.unplayed, [ids[1]])
    #expect(try await position(ids[1]) == nil)
    // Nor after anything else.
    try await store.mark(.played, [ids[2]])
    try await store.mark(.favourite, [ids[0]])
    try await store.mark(.unplayed, [ids[2]], isToggled: true)
    #expect(try await position(ids[2]) == nil)
  }

  @Test func `undoing a mark brings back that the episode was new, and leaves an end that was heard since`()
    async throws
  {
    let (store, _) = try await subscribed()
    let podcast = try #require(try await store.podcasts().first)
    var feed = Feed.sample(episodes: 3)
    feed.episodes.insert(FeedEpisode.sample(9), at: 0)
    let new = try await store.merge(feed, into: podcast.id).added[0]
    let isNew = try EpisodeFilter(words: ["new"])
    #expect(try await store.episodes(matching: isNew).map(\.episode.id) == [new])
    try await store.mark(.played, [new])
    #expect(try await store.episodes(matching: isNew).isEmpty)
    _ = try await store.undo()
    #expect(try await store.episodes(matching: isNew).map(\.episode.id) == [new])
    for mark in [EpisodeMark.favourite, .unplayed] {
      try await store.mark(mark, [new])
      _ = try await store.undo()
      #expect(try await store.episodes(matching: isNew).map(\.episode.id) == [new], "\(mark)")
      try await store.mark(mark, [new])
      #expect(try await store.episodes(matching: isNew).isEmpty, "\(mark)")
      _ = try await store.undo()
    }
    try await store.mark(.played, [new])
    try await store.startPlaying(new)
    try await store.savePosition(.seconds(63), of: new, urgency: .flush)
    _ = try await store.undo()
    #expect(try await store.episodes(matching: isNew).isEmpty)
    #expect(try await store.problems(.full) == [])
    try await store.mark(.played, [new])
    try await store.markCompleted(new, at: Timestamp(seconds: Timestamp.now.seconds + 60))
    #expect(try await store.undo()?.action == .markedPlayed)
    #expect(try await store.episode(new)?.status.hasCompleted == true)
  }

  @Test func `a mark or setting that is there already leaves nothing to undo`() async throws {
    let (store, ids) = try await subscribed()
    let podcast = try #require(try await store.podcasts().first)
    try await store.mark(.played, [ids[0]])
    try await store.set(["speed": "1.4"], of: podcast.id)
    try await store.mark(.played, [ids[0]])
    try await store.mark(.unfavourite, [ids[1]])
    try await store.mark(.unplayed, [ids[1]])
    try await store.set(["speed": "1.4"], of: podcast.id)
    try await store.mark(.played, [ids[0], ids[2]])
    let last = try #require(try await store.undo())
    let titles = try await [store.episode(ids[0]), store.episode(ids[2])].map { $0?.episode.title }
    #expect(last.action == .markedPlayed && last.count == 1 && last.subject == titles[1])
    #expect(try await store.undo()?.action == .changedSetting)
    #expect(try await store.undo()?.subject == titles[0])
    #expect(try await store.undo() == nil)
  }

  @Test func `undo follows again what was unsubscribed, and unsets what was set`() async throws {
    let (store, _) = try await subscribed()
    let podcast = try #require(try await store.podcasts().first)
    try await store.set(["speed": "1.4"], of: podcast.id)
    try await store.set(["speed": "2", "trim": "mild"], of: podcast.id)
    try await store.unsubscribe(podcast.id)
    #expect(try await store.undo()?.subject == podcast.title)
    #expect(try await store.playlist().count == 5)
    #expect(try await store.undo()?.action == .changedSetting)
    #expect(try await store.settings(of: podcast.id) == ["speed": "1.4"])
  }

  @Test func `undo takes back the tags that were added, and restores those that were removed`() async throws {
    let (store, _) = try await subscribed()
    let podcast = try #require(try await store.podcasts().first).id
    try await store.change(tags: ["News", "daily", "news"], of: podcast, adding: true)
    #expect(try await store.tags(of: podcast) == ["daily", "News"])
    try await store.change(tags: ["NEWS", "none"], of: podcast, adding: false)
    #expect(try await store.tags(of: podcast) == ["daily"])
    #expect(try await store.undo()?.subject == "News")
    #expect(try await store.tags(of: podcast) == ["daily", "News"])
    let added = try #require(try await store.undo())
    #expect(added.action == .addedTag && added.count == 2)
    #expect(try await store.tags(of: podcast).isEmpty)
    try await store.change(tags: ["none"], of: podcast, adding: false)
    #expect(try await store.undo() == nil)
  }

  @Test func `a feed whose own title is undone is asked for its title, also where it has not changed`() async throws {
    let library = TemporaryLibrary()
    let store = try library.open()
    let (url, validators) = ("https://example.org/feed", FeedValidators(etag: "1", documentHash: 7))
    let podcast = try await store.subscribe(to: .sample("Theirs"), at: url, validators: validators).podcast
    _ = try await store.subscribe(to: .sample("Theirs"), at: url, validators: validators, ownTitle: "Mine")
    #expect(try await store.podcasts().map(\.title) == ["Mine"])
    #expect(try await store.feed(of: podcast)?.validators == validators)
    #expect(try await store.undo()?.action == .renamed)
    #expect(try await store.podcasts().map(\.title) == ["Theirs"])
    #expect(try await store.feed(of: podcast)?.validators == FeedValidators())
  }

  @Test func `what is deleted is not brought back, and what was before it can be undone`() async throws {
    let (store, ids) = try await subscribed()
    let other = try await store.subscribe(to: .sample(episodes: 2), at: "https://example.org/other")
    try await store.mark(.played, [ids[0]])
    try await store.enqueue(other.added)
    try await store.enqueue([ids[1]])
    try await store.set(["speed": "1.4"], of: other.podcast)
    try await store.set(["speed": "2"], of: other.podcast)
    try await store.unsubscribe(other.podcast)
    try await store.unsubscribe(other.podcast, deleting: true)
    #expect(try await store.undo()?.action == .deleted)
    #expect(try await store.undo()?.isOver == false)
    #expect(try await store.undo()?.isOver == true)
    #expect(try await order(store) == [])
    #expect(try await store.undo()?.action == .markedPlayed)
    #expect(try await store.undo() == nil)
    #expect(try await store.problems(.full) == [])
  }

  @Test func `forgetting a podcast leaves no gap in the queue`() async throws {
    let (store, ids) = try await subscribed()
    let other = try await store.subscribe(to: .sample(episodes: 2), at: "https://example.org/other")
    try await store.enqueue([ids[0], other.added[0], ids[1]])
    try await store.unsubscribe(other.podcast, deleting: true)
    #expect(try await order(store) == [ids[0], ids[1]])
    #expect(try await store.podcast(other.podcast) == nil)
  }
}
